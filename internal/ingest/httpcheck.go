package ingest

import (
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
)

// form is how a request, and so its answer, is encoded.
type form uint8

const (
	formOther form = iota // no or another content type; answered in JSON, which people can read
	formProto
	formJSON
)

const (
	typeProto = "application/x-protobuf"
	typeJSON  = "application/json"
)

// formOf reads the content type: any case, parameters allowed.
func formOf(h http.Header) form {
	v := h.Get("Content-Type")
	t, _, err := mime.ParseMediaType(v)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return formOther
	}
	switch t {
	case typeProto:
		return formProto
	case typeJSON:
		return formJSON
	}
	return formOther
}

// check goes from the address inwards: path, method, token, encodings.
func (h *httpDoor) check(r *http.Request, form form) (run.Signal, *fault) {
	sig, ok := signals[r.URL.Path]
	switch {
	case !ok:
		return 0, &fault{word: "unknown-path", grpc: codes.NotFound, http: http.StatusNotFound,
			text: fmt.Sprintf("no such path %q; send to /v1/traces, /v1/metrics or /v1/logs", clip(r.URL.Path, 120))}
	case r.Method != http.MethodPost:
		return 0, &fault{word: "method", grpc: codes.Unimplemented, http: http.StatusMethodNotAllowed,
			text: fmt.Sprintf("%s is not allowed on %s; use POST", clip(r.Method, 20), r.URL.Path)}
	}
	if f := h.admission.admit(connOf(peerAddr(r)), r.Header.Values); f != nil {
		return 0, f
	}
	if form == formOther {
		return 0, unsupported("content-type", fmt.Sprintf("content type %q is not supported; use %s or %s", clip(r.Header.Get("Content-Type"), 80), typeProto, typeJSON))
	}
	if e := r.Header.Values("Content-Encoding"); !knownEncoding(e) {
		return 0, unsupported("content-encoding", fmt.Sprintf("content encoding %q is not supported; use gzip or none", clip(strings.Join(e, ", "), 80)))
	}
	return sig, nil
}

func unsupported(word, text string) *fault {
	return &fault{word: word, grpc: codes.InvalidArgument, http: http.StatusUnsupportedMediaType, text: text}
}

func knownEncoding(values []string) bool {
	return len(values) == 0 || len(values) == 1 && (isGzip(values[0]) || values[0] == "" || strings.EqualFold(values[0], "identity"))
}

func isGzip(v string) bool { return strings.EqualFold(v, "gzip") || strings.EqualFold(v, "x-gzip") }

func packedBody(h http.Header) bool { return isGzip(h.Get("Content-Encoding")) }

// hostSet are the names by which clients may call us, in lower case.
func hostSet(names []string) map[string]bool {
	m := map[string]bool{"": true, "localhost": true}
	for _, n := range names {
		m[strings.ToLower(n)] = true
	}
	return m
}

// foreign refuses requests that a web page made: with a host name that is not
// ours (a name that was pointed at our address) or an origin that is not the
// host it calls. A valid token says more than a name does.
func (h *httpDoor) foreign(r *http.Request) *fault {
	if h.admission.holds(r.Header.Values) {
		return nil
	}
	if !h.ours(r.Host) && !overSocket(peerAddr(r)) {
		return forbidden("foreign-host", fmt.Sprintf("host %q is not this receiver; use its IP address, localhost or a token", clip(r.Host, 80)))
	}
	for _, o := range r.Header.Values("Origin") {
		if u, err := url.Parse(o); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return forbidden("foreign-origin", fmt.Sprintf("requests from web pages are refused (origin %q)", clip(o, 80)))
		}
	}
	return nil
}

// overSocket says that a request came over the Unix socket, which no page
// reaches and which has no name that clients could agree on.
func overSocket(a net.Addr) bool { return a != nil && a.Network() == "unix" }

func forbidden(word, text string) *fault {
	return &fault{word: word, grpc: codes.PermissionDenied, http: http.StatusForbidden, text: text}
}

// ours reports whether a Host header names us: by any IP address, or a name we know.
func (h *httpDoor) ours(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(host), "["), "]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return h.hosts[strings.TrimSuffix(host, ".")]
}
