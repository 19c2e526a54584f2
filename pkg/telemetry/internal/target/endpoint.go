package target

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

const (
	grpcPort    = "4317"
	httpPort    = "4318"
	defaultHost = "localhost"
)

// endpoint finds where to connect to.
func (v *reading) endpoint() error {
	text, name, own := v.value("ENDPOINT")
	if v.Settings.Endpoint != "" {
		text, name, own = strings.TrimSpace(v.Settings.Endpoint), "the endpoint set by the program", false
	}
	read := v.httpEndpoint
	if v.to.Protocol == GRPC {
		read = v.grpcEndpoint
	}
	if err := read(text, name, own); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// grpcEndpoint reads "http://host:port" (plain), "https://host:port" (TLS),
// "unix:path" (plain), and "host:port", for which the specification says TLS unless
// the INSECURE variable says otherwise.
func (v *reading) grpcEndpoint(text, name string, _ bool) error {
	switch {
	case text == "":
		v.to.Address, v.to.Insecure = net.JoinHostPort(defaultHost, grpcPort), true
		return nil
	case strings.HasPrefix(text, "unix:"):
		v.to.Address, v.to.Insecure = text, true
		return nil
	}
	if !strings.Contains(text, "://") {
		v.to.Guessed, v.to.Insecure = true, v.insecure()
		text = "https://" + text
	}
	u, err := parse(text)
	if err != nil {
		return err
	}
	if u.Path != "" && u.Path != "/" {
		v.warn(name, "the path of the endpoint means nothing to gRPC and is left out")
	}
	v.to.Insecure = v.to.Insecure || u.Scheme == "http"
	v.to.Address = net.JoinHostPort(u.Hostname(), or(u.Port(), grpcPort))
	return nil
}

// httpEndpoint reads a URL: a general one is the base of /v1/<signal>, that of one
// signal is taken as it is.
func (v *reading) httpEndpoint(text, name string, own bool) error {
	switch {
	case text == "":
		text = "http://" + net.JoinHostPort(defaultHost, httpPort)
	case !strings.Contains(text, "://"):
		v.warn(name, "the endpoint has no scheme: http:// is assumed")
		text = "http://" + text
	}
	u, err := parse(text)
	if err != nil {
		return err
	}
	v.path(u, name, own)
	v.to.Insecure = u.Scheme == "http"
	v.to.URL = u.String()
	return nil
}

func (v *reading) path(u *url.URL, name string, own bool) {
	if own {
		u.Path = or(u.Path, "/")
		return
	}
	signal := "/v1/" + string(v.to.Signal)
	base := strings.TrimRight(u.Path, "/")
	for _, s := range []Signal{Traces, Metrics, Logs} {
		if strings.HasSuffix(base, "/v1/"+string(s)) {
			v.warn(name, fmt.Sprintf("this endpoint is a base, so %s goes to %s: leave out /v1/%s", v.to.Signal, base+signal, s))
		}
	}
	u.Path, u.RawPath = base+signal, ""
}

// parse reads a URL. Its errors repeat the text only when no password can be in it.
func parse(text string) (*url.URL, error) {
	shown := fmt.Sprintf("%q", text)
	if strings.Contains(text, "@") {
		shown = "the endpoint"
	}
	u, err := url.Parse(text)
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) && !strings.Contains(text, "@") {
			err = inner.Err
		} else {
			err = errors.New("not a URL")
		}
		return nil, fmt.Errorf("%s: %w; write http://host:port", shown, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s has the scheme %q; write http://, https:// or host:port", shown, u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("%s names no host; write http://host:port", shown)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
