package main

// asJob gives what is sent to the endpoint of this environment the headers and the
// certificate that an exporter takes from it, so that a receiver with a token lets the
// simulation in. Another endpoint gets neither: they were not made for it.
func (o *simulateOptions) asJob(getenv func(string) string) {
	if raw, _ := forTraces(getenv, "ENDPOINT"); raw == "" {
		return
	}
	job, err := targetOf(getenv)
	to := target{network: "tcp"}
	if err != nil || to.readEndpoint(o.target.Endpoint) != nil || to.network != job.network || to.addr != job.addr {
		return
	}
	for name, value := range job.headers {
		if _, given := o.target.Headers[name]; !given {
			o.target.Headers[name] = value
		}
	}
	if job.tls {
		o.target.TLS = job.tlsConfig(job.alpn())
	}
}
