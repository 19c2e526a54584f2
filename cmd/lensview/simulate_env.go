package main

import (
	"context"
	"fmt"
	"time"
)

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

// why adds to an error what its text does not show: a receiver that takes TLS alone
// looks to a client without it as if nobody were there.
func (o *simulateOptions) why(ctx context.Context, err error) error {
	p := probe{target: target{network: "tcp"}, timeout: 2 * time.Second}
	if p.target.readEndpoint(o.target.Endpoint) != nil || p.target.network != "tcp" || p.target.tls || o.target.TLS != nil || !p.speaksTLS(ctx) {
		return err
	}
	return fmt.Errorf("simulate: %s speaks TLS: eval \"$(lensview env)\" and --endpoint \"$OTEL_EXPORTER_OTLP_ENDPOINT\" (%w)", p.target.addr, err)
}
