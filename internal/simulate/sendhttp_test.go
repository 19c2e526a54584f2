package simulate

import (
	"compress/gzip"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestSendOverHTTP(t *testing.T) {
	for _, zipped := range []bool{false, true} {
		k := &taken{}
		url := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			k.enter()
			body := io.Reader(r.Body)
			if r.Header.Get("Content-Encoding") == "gzip" {
				body, _ = gzip.NewReader(r.Body)
			}
			b, err := io.ReadAll(body)
			if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/x-protobuf" || r.Header.Get("Authorization") != "Bearer x" {
				http.Error(w, "bad", http.StatusBadRequest)
			}
			k.leave(r.URL.Path, b)
		})
		c := small()
		want := collect(t, stream(t, c))
		to := Target{Endpoint: url + "/otlp/", Gzip: zipped, Headers: map[string]string{"authorization": "Bearer x"}}
		res, err := Send(t.Context(), stream(t, c), to, Rate{}, WallClock{})
		if err != nil || res.Signals[run.Traces].Accepted != uint64(len(want.spans)) || res.Reasons != nil {
			t.Fatalf("gzip %v: %+v, %v", zipped, res, err)
		}
		spans := 0
		for _, b := range k.bodies["/otlp/v1/traces"] {
			var m coltrace.ExportTraceServiceRequest
			unmarshal(t, &Request{Body: b}, &m)
			spans += len(m.ResourceSpans[0].ScopeSpans[0].Spans)
		}
		if n := len(k.bodies["/otlp/v1/metrics"]) + len(k.bodies["/otlp/v1/logs"]) + len(k.bodies["/otlp/v1/traces"]); n != want.requests || spans != len(want.spans) {
			t.Errorf("gzip %v: %d requests with %d spans arrived, want %d with %d", zipped, n, spans, want.requests, len(want.spans))
		}
	}
}

func TestSendHTTPAnswers(t *testing.T) {
	now := newTestClock().now
	reason, err := proto.Marshal(&rpcstatus.Status{Code: 3, Message: "field 9 is cut short"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		code   int
		header [2]string
		body   []byte
		sleeps []time.Duration
		want   Count
		reason string
	}{
		"seconds":       {503, [2]string{"Retry-After", "2"}, nil, []time.Duration{2 * time.Second}, Count{Sent: 10, Accepted: 10}, "HTTP 503 Service Unavailable"},
		"a date":        {429, [2]string{"Retry-After", now.Add(7 * time.Second).UTC().Format(http.TimeFormat)}, nil, []time.Duration{7 * time.Second}, Count{Sent: 10, Accepted: 10}, "HTTP 429 Too Many Requests"},
		"nothing named": {502, [2]string{"Retry-After", "soon"}, nil, []time.Duration{firstBackoff}, Count{Sent: 10, Accepted: 10}, "HTTP 502 Bad Gateway"},
		"bad data":      {400, [2]string{"Content-Type", "application/x-protobuf"}, reason, nil, Count{Sent: 10, Failed: 10}, "HTTP 400 Bad Request: field 9 is cut short"},
		"too large":     {413, [2]string{"Content-Type", "text/plain"}, []byte("no"), nil, Count{Sent: 10, Failed: 10}, "HTTP 413 Request Entity Too Large"},
		"elsewhere":     {307, [2]string{"Location", "/v2/traces"}, nil, nil, Count{Sent: 10, Failed: 10}, "HTTP 307 Temporary Redirect"},
		"partly":        {200, [2]string{}, partial(4, "no"), nil, Count{Sent: 10, Accepted: 6, Rejected: 4}, "4 spans rejected: no"},
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int32
			url := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
				if calls.Add(1) == 1 {
					w.Header().Set(tc.header[0], tc.header[1])
					w.WriteHeader(tc.code)
					w.Write(tc.body)
				}
			})
			clock := newTestClock()
			res, err := Send(t.Context(), numbered(1, 1), Target{Endpoint: url, Protocol: HTTP}, Rate{}, clock)
			if err != nil {
				t.Fatal(err)
			}
			if res.Signals[run.Traces] != tc.want || !cmp.Equal(res.Reasons, []string{tc.reason}) {
				t.Errorf("%+v, %q, want %+v, %q", res.Signals[run.Traces], res.Reasons, tc.want, tc.reason)
			}
			if d := cmp.Diff(tc.sleeps, clock.sleeps); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
		})
	}
}

func TestSendHTTPStopsWhereThereIsNoReceiver(t *testing.T) {
	url := serveHTTP(t, http.NotFound)
	_, err := Send(t.Context(), numbered(1, 100), Target{Endpoint: url + "/x"}, Rate{}, WallClock{})
	if err == nil || !strings.Contains(err.Error(), "HTTP 404 Not Found") {
		t.Errorf("error %v", err)
	}
}

func TestSendOverTLS(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	t.Cleanup(srv.Close)
	trusts := srv.Client().Transport.(*http.Transport).TLSClientConfig
	l := listen(t)
	config := srv.TLS.Clone()
	config.NextProtos = []string{"h2"}
	serveGRPC(t, l, config, fine)
	for _, to := range []Target{
		{Endpoint: srv.URL, Protocol: HTTP, TLS: trusts},
		{Endpoint: l.Addr().String(), TLS: trusts},
		{Endpoint: "https://" + l.Addr().String(), TLS: trusts},
	} {
		res, err := Send(t.Context(), numbered(2, 2), to, Rate{}, WallClock{})
		if err != nil || res.Signals[run.Traces].Accepted != 40 {
			t.Errorf("%s: %+v, %v", to.Endpoint, res, err)
		}
	}
	// Without trust in the certificate nothing is sent.
	to := Target{Endpoint: "https://" + l.Addr().String(), Patience: time.Second}
	if res, err := Send(t.Context(), numbered(1, 1), to, Rate{}, newTestClock()); err == nil || res.Signals[run.Traces].Failed != 10 {
		t.Errorf("untrusted: %+v, %v", res, err)
	}
}
