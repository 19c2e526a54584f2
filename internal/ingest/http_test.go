package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/google/go-cmp/cmp"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const oneSpanJSON = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"a","startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000001000000000"}]}]}]}`

// status reads an error body in the type the answer claims.
func (r reply) rpcStatus(t testing.TB) *statuspb.Status {
	t.Helper()
	st := new(statuspb.Status)
	var err error
	switch ct := r.header.Get("Content-Type"); ct {
	case typeProto:
		err = proto.Unmarshal(r.body, st)
	case typeJSON:
		err = protojson.Unmarshal(r.body, st)
	default:
		t.Fatalf("error in content type %q: %q", ct, r.body)
	}
	if err != nil {
		t.Fatalf("error body %q is no Status: %v", r.body, err)
	}
	return st
}

func TestHTTPStoresAllSpansOfEveryForm(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	body := marshal(t, traces(nSpans(7)...))
	for i, b := range [][]byte{body, gz(body), gz(body[:100], body[100:])} {
		h := []string{"Content-Type", typeProto}
		if i > 0 {
			h = append(h, "Content-Encoding", "gzip")
		}
		if got := post(t, s, "/v1/traces", b, h...); got.status != 200 {
			t.Fatalf("form %d: %d %q", i, got.status, got.body)
		}
		if got := m.count(run.Traces); got != 7*(i+1) {
			t.Errorf("form %d: %d spans in all, want %d", i, got, 7*(i+1))
		}
		want := run.Receipt{At: t0.UnixNano(), Sender: "127.0.0.1", Raw: body}
		if diff := cmp.Diff(want, m.last(t)); diff != "" {
			t.Errorf("form %d: receipt (-want +got):\n%s", i, diff)
		}
	}
	st := s.Stats()
	if st.Requests != 3 || st.Bytes != uint64(3*len(body)) {
		t.Errorf("statistics: %d requests, %d bytes; want 3, %d", st.Requests, st.Bytes, 3*len(body))
	}
}

func TestHTTPChunkedBody(t *testing.T) {
	m := new(memory)
	s := start(t, Config{MaxRequest: 1 << 20}, m)
	for _, c := range []struct {
		body   []byte
		status int
	}{
		{marshal(t, traces(nSpans(200)...)), 200},
		{bytes.Repeat([]byte{0}, 1<<20+1), 413},
	} {
		// A reader of unknown length is sent in chunks.
		r, _ := http.NewRequest(http.MethodPost, "http://"+addr(t, s, "HTTP")+"/v1/traces", io.MultiReader(bytes.NewReader(c.body)))
		r.Header.Set("Content-Type", typeProto)
		if got := send(t, httpClient(t), r); got.status != c.status {
			t.Errorf("%d bytes in chunks: %d %q, want %d", len(c.body), got.status, got.body, c.status)
		}
	}
	if got := m.count(run.Traces); got != 200 {
		t.Errorf("%d spans stored, want 200", got)
	}
}

func TestHTTPPartialSuccess(t *testing.T) {
	s := start(t, Config{}, new(memory))
	short, zero := span(1), span(2)
	short.TraceId = short.TraceId[:3]
	zero.SpanId = make([]byte, 8)
	body := marshal(t, traces(span(0), short, zero))

	got := post(t, s, "/v1/traces", body, "Content-Type", typeProto)
	var resp coltrace.ExportTraceServiceResponse
	if err := proto.Unmarshal(got.body, &resp); err != nil || got.status != 200 {
		t.Fatalf("%d %q: %v", got.status, got.body, err)
	}
	if p := resp.GetPartialSuccess(); p.GetRejectedSpans() != 2 || p.GetErrorMessage() == "" {
		t.Errorf("partial success %v, want 2 rejected and a message", p)
	}
}

func TestPartialSuccessFormsAreOTLP(t *testing.T) {
	for _, p := range []partial{{}, {rejected: 3, message: "no trace id"}, {message: "a warning"}, {rejected: 1 << 60}, {message: "bad \xff text"}} {
		var fromProto, fromJSON coltrace.ExportTraceServiceResponse
		if err := proto.Unmarshal(p.proto(), &fromProto); err != nil {
			t.Fatal(err)
		}
		if err := protojson.Unmarshal(p.json(run.Traces), &fromJSON); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(&fromProto, &fromJSON) {
			t.Errorf("%+v: protobuf says %v, JSON %v", p, &fromProto, &fromJSON)
		}
		if p.empty() != (fromProto.PartialSuccess == nil) {
			t.Errorf("%+v: partial_success %v", p, fromProto.PartialSuccess)
		}
		if got := fromProto.GetPartialSuccess().GetRejectedSpans(); got != int64(p.rejected) {
			t.Errorf("%+v: %d rejected", p, got)
		}
	}
	for s, field := range map[run.Signal]string{run.Metrics: "rejectedDataPoints", run.Logs: "rejectedLogRecords"} {
		if got := (partial{rejected: 1}).json(s); !strings.Contains(string(got), field) {
			t.Errorf("%s: %s does not name %s", s, got, field)
		}
	}
}

func TestHTTPHello(t *testing.T) {
	s := start(t, Config{}, new(memory))
	r, _ := http.NewRequest(http.MethodGet, "http://"+addr(t, s, "HTTP")+"/", nil)
	got := send(t, httpClient(t), r)
	text := string(got.body)
	if got.status != 200 || strings.Count(text, "\n") != 1 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v %q", got.status, got.header, text)
	}
	for _, want := range []string{"lensview", "/v1/traces", addr(t, s, "HTTP"), portOf(addr(t, s, "gRPC"))} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not name %q", text, want)
		}
	}
}

func TestHTTPRefusesForeignPages(t *testing.T) {
	open := start(t, Config{Hosts: []string{"Login01.Cluster"}}, new(memory))
	closed := start(t, Config{Token: "secret"}, new(memory))
	for _, c := range []struct {
		name, host, origin, token string
		s                         *Server
		status                    int
	}{
		{"our address", "", "", "", open, 200},
		{"localhost", "localhost:4318", "", "", open, 200},
		{"IPv6", "[::1]:4318", "", "", open, 200},
		{"IPv6 without port", "[::1]", "", "", open, 200},
		{"our name", "login01.cluster.:4318", "", "", open, 200},
		{"another name", "evil.example:4318", "", "", open, 403},
		{"a name that begins like ours", "localhost.evil.example", "", "", open, 403},
		{"a page elsewhere", "", "http://evil.example", "", open, 403},
		{"a page on this host", "", "http://localhost:3000", "", open, 403},
		{"a page without origin", "", "null", "", open, 403},
		{"our own page", "localhost:4318", "http://localhost:4318", "", open, 200},
		{"another name with the token", "node7.cluster", "", "secret", closed, 200},
		{"another name with a wrong token", "node7.cluster", "", "guess", closed, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := http.NewRequest(http.MethodPost, "http://"+addr(t, c.s, "HTTP")+"/v1/traces", nil)
			r.Host = c.host
			r.Header.Set("Content-Type", typeProto)
			for k, v := range map[string]string{"Origin": c.origin, tokenHeader: c.token} {
				if v != "" {
					r.Header.Set(k, v)
				}
			}
			if got := send(t, httpClient(t), r); got.status != c.status {
				t.Errorf("%d %q, want %d", got.status, got.body, c.status)
			}
		})
	}
	if r := refused(open, "foreign-host"); r.Count != 2 || !strings.Contains(r.Text, "evil.example") {
		t.Errorf("refusals: %+v", r)
	}
}

func TestHTTPSinkThatFails(t *testing.T) {
	s := start(t, Config{}, sinkFunc(func(context.Context, *otlp.Batch, run.Receipt) (run.Outcome, error) {
		return run.Outcome{}, io.ErrClosedPipe
	}))
	got := post(t, s, "/v1/logs", nil, "Content-Type", typeProto)
	if got.status != 500 || strings.Contains(string(got.body), io.ErrClosedPipe.Error()) {
		t.Errorf("%d %q", got.status, got.body)
	}
	if r := refused(s, "sink-failed"); r.Count != 1 || !strings.Contains(r.Text, io.ErrClosedPipe.Error()) {
		t.Errorf("refusal %+v", r)
	}
}

func TestHTTPSlowBody(t *testing.T) {
	src := &source{r: readerFunc(func([]byte) (int, error) { return 0, fmt.Errorf("read: %w", context.DeadlineExceeded) }), left: 10, deadline: new(paced).SetReadDeadline}
	_, err := new(pool).readAll(src, 10, 10, newSpace(1).hold())
	h := &httpDoor{door: &door{limit: 10}}
	if f := h.unread(err, src); f.http != 400 {
		t.Errorf("a body that ends early: %d", f.http)
	}
	src.err = osDeadline{}
	if f := h.unread(err, src); f.http != 408 || f.grpc == codes.OK {
		t.Errorf("a body that does not come: %+v", f)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// osDeadline is what a connection's read returns after its deadline.
type osDeadline struct{}

func (osDeadline) Error() string        { return "i/o timeout" }
func (osDeadline) Is(target error) bool { return target.Error() == "i/o timeout" }

func TestStatusJSONIsValid(t *testing.T) {
	var v struct {
		Code    int
		Message string
	}
	if err := json.Unmarshal(statusJSON(codes.NotFound, "a \"b\" \x1b\xff"), &v); err != nil || v.Code != 5 || v.Message != "a \"b\" \x1b\uFFFD" {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestRetryDelayIsOneToTwoSeconds(t *testing.T) {
	lo, hi := time.Hour, time.Duration(0)
	for range 2000 {
		d := retryDelay()
		lo, hi = min(lo, d), max(hi, d)
	}
	if lo < time.Second || hi > 2*time.Second || hi-lo < 500*time.Millisecond {
		t.Errorf("from %v to %v", lo, hi)
	}
}
