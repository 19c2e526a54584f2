package ingest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
)

// TestHTTPConformance reads like the HTTP part of the contract: what is sent,
// the status, and in which type the answer comes, over every way.
func TestHTTPConformance(t *testing.T) {
	everyWay(t, Config{MaxRequest: 1 << 20}, inMemory, testHTTPConformance)
}

func testHTTPConformance(t *testing.T, w way, s *Server) {
	good := marshal(t, traces(span(0)))
	big := bytes.Repeat([]byte{0}, 1<<20+1)
	for _, c := range []struct {
		name   string
		method string // "" is POST
		path   string
		body   []byte
		header []string
		status int
		answer string // content type
		says   string // in the error message
	}{
		{name: "protobuf", path: "/v1/traces", body: good, header: []string{"Content-Type", "application/x-protobuf"}, status: 200, answer: typeProto},
		{name: "metrics", path: "/v1/metrics", body: marshal(t, metrics(1)), header: []string{"Content-Type", typeProto}, status: 200, answer: typeProto},
		{name: "logs", path: "/v1/logs", body: marshal(t, logs("x")), header: []string{"Content-Type", typeProto}, status: 200, answer: typeProto},
		{name: "JSON", path: "/v1/traces", body: []byte(oneSpanJSON), header: []string{"Content-Type", "application/json"}, status: 200, answer: typeJSON},
		{name: "charset", path: "/v1/traces", body: []byte(oneSpanJSON), header: []string{"Content-Type", "application/json; charset=utf-8"}, status: 200, answer: typeJSON},
		{name: "capitals", path: "/v1/traces", body: []byte(oneSpanJSON), header: []string{"Content-Type", "Application/JSON"}, status: 200, answer: typeJSON},
		{name: "parameter", path: "/v1/traces", body: good, header: []string{"Content-Type", "application/x-protobuf;v=1"}, status: 200, answer: typeProto},
		{name: "trailing slash", path: "/v1/traces/", body: good, header: []string{"Content-Type", typeProto}, status: 200, answer: typeProto},
		{name: "empty protobuf", path: "/v1/traces", header: []string{"Content-Type", typeProto}, status: 200, answer: typeProto},
		{name: "identity", path: "/v1/traces", body: good, header: []string{"Content-Type", typeProto, "Content-Encoding", "identity"}, status: 200, answer: typeProto},
		{name: "gzip", path: "/v1/traces", body: gz(good), header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip"}, status: 200, answer: typeProto},
		{name: "x-gzip in capitals", path: "/v1/traces", body: gz(good), header: []string{"Content-Type", typeProto, "Content-Encoding", "X-GZIP"}, status: 200, answer: typeProto},
		{name: "two gzip members", path: "/v1/traces", body: gz(good[:7], good[7:]), header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip"}, status: 200, answer: typeProto},

		{name: "undecodable protobuf", path: "/v1/traces", body: []byte{0x0a, 0xff}, header: []string{"Content-Type", typeProto}, status: 400, answer: typeProto, says: "decode traces"},
		{name: "undecodable JSON", path: "/v1/traces", body: []byte(`{"resourceSpans":[{"reso`), header: []string{"Content-Type", typeJSON}, status: 400, answer: typeJSON, says: "decode traces"},
		{name: "empty JSON", path: "/v1/traces", header: []string{"Content-Type", typeJSON}, status: 400, answer: typeJSON, says: "empty"},
		{name: "cut gzip", path: "/v1/traces", body: gz(good)[:20], header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip"}, status: 400, answer: typeProto, says: "gzip"},
		{name: "false gzip", path: "/v1/traces", body: good, header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip"}, status: 400, answer: typeProto, says: "gzip"},
		{name: "empty gzip", path: "/v1/traces", header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip"}, status: 400, answer: typeProto, says: "gzip"},
		{name: "rubbish after gzip", path: "/v1/traces", body: append(gz(good), "rubbish"...), header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip"}, status: 400, answer: typeProto, says: "gzip"},
		{name: "unknown path", path: "/v1/unknown", body: good, header: []string{"Content-Type", typeProto}, status: 404, answer: typeProto, says: "/v1/traces, /v1/metrics or /v1/logs"},
		{name: "base path", path: "/", body: good, header: []string{"Content-Type", typeJSON}, status: 404, answer: typeJSON, says: "/v1/traces, /v1/metrics or /v1/logs"},
		{name: "profiles", path: "/v1development/profiles", body: good, header: []string{"Content-Type", typeProto}, status: 404, answer: typeProto, says: "/v1/traces"},
		{name: "GET", method: "GET", path: "/v1/traces", status: 405, answer: typeJSON, says: "use POST"},
		{name: "PUT", method: "PUT", path: "/v1/logs", header: []string{"Content-Type", typeProto}, status: 405, answer: typeProto, says: "use POST"},
		{name: "OPTIONS", method: "OPTIONS", path: "/v1/logs", status: 405, answer: typeJSON, says: "use POST"},
		{name: "too large", path: "/v1/traces", body: big, header: []string{"Content-Type", typeProto}, status: 413, answer: typeProto, says: "limit of 1 MiB"},
		{name: "a bomb", path: "/v1/traces", body: gz(big), header: []string{"Content-Type", typeJSON, "Content-Encoding", "gzip"}, status: 413, answer: typeJSON, says: "limit of 1 MiB"},
		{name: "no content type", path: "/v1/traces", body: good, status: 415, answer: typeJSON, says: typeProto},
		{name: "text/plain", path: "/v1/traces", body: good, header: []string{"Content-Type", "text/plain"}, status: 415, answer: typeJSON, says: "text/plain"},
		{name: "zstd", path: "/v1/traces", body: good, header: []string{"Content-Type", typeProto, "Content-Encoding", "zstd"}, status: 415, answer: typeProto, says: "zstd"},
		{name: "two encodings", path: "/v1/traces", body: gz(gz(good)), header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip, gzip"}, status: 415, answer: typeProto, says: "gzip, gzip"},
		{name: "two encoding lines", path: "/v1/traces", body: gz(gz(good)), header: []string{"Content-Type", typeProto, "Content-Encoding", "gzip", "Content-Encoding", "gzip"}, status: 415, answer: typeProto, says: "gzip, gzip"},
	} {
		t.Run(c.name, func(t *testing.T) {
			method := c.method
			orString(&method, http.MethodPost)
			got := w.request(t, s, method, c.path, c.body, c.header...)
			if got.status != c.status || got.header.Get("Content-Type") != c.answer {
				t.Fatalf("got %d %s %q, want %d %s", got.status, got.header.Get("Content-Type"), got.body, c.status, c.answer)
			}
			if got.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("CORS header")
			}
			if c.status == 200 {
				want := map[string]string{typeProto: "", typeJSON: "{}"}[c.answer]
				if string(got.body) != want {
					t.Errorf("success body %q, want %q", got.body, want)
				}
				return
			}
			if st := got.rpcStatus(t); st.Code == 0 || !strings.Contains(st.Message, c.says) {
				t.Errorf("status %v does not say %q", st, c.says)
			}
		})
	}
}

// Answers name what would be right: the method, the scheme of the token, the
// encoding.
func TestHTTPAnswerHeaders(t *testing.T) {
	everyWay(t, Config{Token: "secret", owner: stranger}, inMemory, testHTTPAnswerHeaders)
}

func testHTTPAnswerHeaders(t *testing.T, w way, s *Server) {
	if got := w.request(t, s, http.MethodGet, "/v1/traces", nil).header.Get("Allow"); got != "POST" {
		t.Errorf("405 has Allow %q", got)
	}
	got := w.post(t, s, "/v1/traces", nil, "Content-Type", typeProto)
	if got.status != 401 || got.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("without a token: %d, WWW-Authenticate %q", got.status, got.header.Get("WWW-Authenticate"))
	}
	got = w.post(t, s, "/v1/traces", nil, "Content-Type", typeProto, tokenHeader, "secret", "Content-Encoding", "br")
	if got.status != 415 || got.header.Get("Accept-Encoding") != "gzip" {
		t.Errorf("with brotli: %d, Accept-Encoding %q", got.status, got.header.Get("Accept-Encoding"))
	}
}

// A full pipeline is 503 with a delay of one or two seconds, in the request's type.
func TestHTTPBusy(t *testing.T) {
	full := func() Sink {
		return sinkFunc(func(context.Context, *otlp.Batch, run.Receipt) (run.Outcome, error) {
			return run.Outcome{}, fmt.Errorf("store: %w", run.ErrBusy)
		})
	}
	everyWay(t, Config{}, full, func(t *testing.T, w way, s *Server) {
		for i, form := range []string{typeProto, typeJSON} {
			got := w.post(t, s, "/v1/traces", []byte("{}")[:2*i], "Content-Type", form)
			after, err := strconv.Atoi(got.header.Get("Retry-After"))
			if got.status != 503 || err != nil || after < 1 || after > 2 {
				t.Errorf("%s: %d, Retry-After %q", form, got.status, got.header.Get("Retry-After"))
			}
			if st := got.rpcStatus(t); codes.Code(st.Code) != codes.Unavailable {
				t.Errorf("%s: %v", form, st)
			}
			if st := s.Stats(); st.Requests != 0 || refused(s, "busy").Count != uint64(i+1) {
				t.Errorf("%s: statistics %+v", form, st)
			}
		}
	})
}
