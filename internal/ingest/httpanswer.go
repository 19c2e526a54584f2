package ingest

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/beamline-hpc/lensview/internal/run"
)

// answer writes one HTTP answer in the form of the request.
type answer struct {
	w    http.ResponseWriter
	form form
}

func (a answer) success(sig run.Signal, p partial) {
	if a.form == formProto {
		a.write(http.StatusOK, typeProto, p.proto())
		return
	}
	a.write(http.StatusOK, typeJSON, p.json(sig))
}

// fault answers with a google.rpc.Status.
func (a answer) fault(f *fault) {
	h := a.w.Header()
	switch f.http {
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(retryDelay().Seconds()))))
	case http.StatusMethodNotAllowed:
		h.Set("Allow", http.MethodPost)
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusUnsupportedMediaType:
		h.Set("Accept-Encoding", "gzip")
	}
	if a.form == formProto {
		a.write(f.http, typeProto, statusProto(f.grpc, f.public()))
		return
	}
	a.write(f.http, typeJSON, statusJSON(f.grpc, f.public()))
}

// hello says in one line what listens here.
func (a answer) hello(p ports) {
	a.write(http.StatusOK, "text/plain; charset=utf-8",
		fmt.Appendf(nil, "lensview receives OTLP here: POST /v1/traces, /v1/metrics or /v1/logs on %s; gRPC on port %s.\n", p.http, portOf(p.grpc)))
}

func (a answer) write(status int, contentType string, body []byte) {
	h := a.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	a.w.WriteHeader(status)
	_, _ = a.w.Write(body) // a sender that is gone needs no answer
}
