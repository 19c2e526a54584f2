package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/ingest"
)

// testSpan is a request of one span, in a run of its own that says what it is.
func testSpan(now time.Time) *coltrace.ExportTraceServiceRequest {
	ids := make([]byte, 24)
	rand.Read(ids)
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	r := &resourcepb.Resource{}
	for _, kv := range [][2]string{{"service.name", "lensview doctor"}, {"nemo.run.id", "lensview-doctor"}, {"host.name", host}} {
		r.Attributes = append(r.Attributes, &commonpb.KeyValue{Key: kv[0], Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: kv[1]}}})
	}
	s := &tracepb.Span{
		TraceId: ids[:16], SpanId: ids[16:], Name: "lensview doctor",
		StartTimeUnixNano: uint64(now.UnixNano() - 1e6), EndTimeUnixNano: uint64(now.UnixNano()),
	}
	return &coltrace.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: r, ScopeSpans: []*tracepb.ScopeSpans{{Scope: &commonpb.InstrumentationScope{Name: "lensview"}, Spans: []*tracepb.Span{s}}},
	}}}
}

// sendGRPC sends the test span as a gRPC exporter does, and asks a lensview for
// its clock.
func (p *probe) sendGRPC(ctx context.Context) answered {
	t := p.target
	creds := insecure.NewCredentials()
	if t.tls {
		creds = credentials.NewTLS(t.tlsConfig("h2"))
	}
	to := "passthrough:///" + t.addr
	if t.network == "unix" {
		to = "unix:" + t.addr
	}
	cc, err := grpc.NewClient(to, grpc.WithTransportCredentials(creds), grpc.WithNoProxy(), grpc.WithDisableServiceConfig(), grpc.WithUserAgent("lensview-doctor"))
	if err != nil {
		return answered{err: err}
	}
	defer cc.Close()
	md := metadata.New(t.headers)
	md.Set(ingest.AskHeader, ingest.AskTime)
	var trailer metadata.MD
	a := answered{sent: time.Now()}
	resp, err := coltrace.NewTraceServiceClient(cc).Export(metadata.NewOutgoingContext(ctx, md), testSpan(a.sent), grpc.Trailer(&trailer))
	a.took = time.Since(a.sent)
	if v := trailer.Get(ingest.TimeTrailer); len(v) > 0 {
		if ns, err := strconv.ParseInt(v[0], 10, 64); err == nil {
			a.clock = time.Unix(0, ns)
		}
	}
	if err != nil {
		st := status.Convert(err)
		a.err, a.code, a.text = err, st.Code().String(), st.Message()
		return a
	}
	a.accepted, a.rejected, a.text = true, resp.GetPartialSuccess().GetRejectedSpans(), resp.GetPartialSuccess().GetErrorMessage()
	return a
}

// errNotHTTP is an answer that is no HTTP/1.
var errNotHTTP = errors.New("the answer is not HTTP")

// sendHTTP sends the test span as an HTTP exporter does.
func (p *probe) sendHTTP(ctx context.Context) answered {
	t := p.target
	a := answered{sent: time.Now()}
	body, err := proto.Marshal(testSpan(a.sent))
	if err != nil {
		return answered{err: err}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, bytes.NewReader(body))
	if err != nil {
		return answered{err: err}
	}
	for k, v := range t.headers {
		r.Header.Set(k, v)
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	tr := direct()
	if t.tls {
		tr.TLSClientConfig = t.tlsConfig("http/1.1")
	}
	resp, err := (&http.Client{Transport: tr}).Do(r)
	a.took = time.Since(a.sent)
	if err != nil {
		a.err = errors.Unwrap(err) // without the URL
		if strings.Contains(err.Error(), "malformed HTTP") {
			a.err = errNotHTTP
		}
		return a
	}
	defer resp.Body.Close()
	a.read(resp)
	return a
}

// read takes an HTTP answer apart.
func (a *answered) read(resp *http.Response) {
	a.clock, _ = http.ParseTime(resp.Header.Get("Date"))
	if !a.clock.IsZero() {
		a.clock = a.clock.Add(500 * time.Millisecond) // the header has whole seconds
	}
	a.code = fmt.Sprint(resp.StatusCode)
	b, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		a.err = err
		return
	}
	if a.accepted = resp.StatusCode == http.StatusOK; a.accepted {
		var ok coltrace.ExportTraceServiceResponse
		if proto.Unmarshal(b, &ok) == nil {
			a.rejected, a.text = ok.GetPartialSuccess().GetRejectedSpans(), ok.GetPartialSuccess().GetErrorMessage()
		}
		return
	}
	var st rpcstatus.Status
	if a.text = strings.TrimSpace(string(b)); resp.Header.Get("Content-Type") == "application/x-protobuf" && proto.Unmarshal(b, &st) == nil {
		a.text = st.Message
	}
}
