package simulate

import (
	"context"
	"crypto/tls"
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/internal/run"
)

// transport carries requests over a number of connections.
type transport interface {
	// export sends one request once. The error is a *refusal.
	export(ctx context.Context, conn int, r *Request) (answer, error)
	close()
}

// rawCodec hands bytes through as they are. Its name makes the content type
// that of protobuf.
type rawCodec struct{}

// Name is the content subtype.
func (rawCodec) Name() string { return "proto" }

// Marshal gives out the bytes that v points to.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("raw codec: message is %T, not *[]byte", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(*b)}, nil
}

// Unmarshal copies the bytes to where v points.
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("raw codec: message is %T, not *[]byte", v)
	}
	*b = data.Materialize()
	return nil
}

// exportMethod is the full method name of a signal's Export.
func exportMethod(s run.Signal) string {
	service := [run.SignalCount]string{"trace.v1.TraceService", "metrics.v1.MetricsService", "logs.v1.LogsService"}[s]
	return "/opentelemetry.proto.collector." + service + "/Export"
}

type grpcTransport struct {
	conns   []*grpc.ClientConn
	headers metadata.MD
	options []grpc.CallOption
}

func dialGRPC(t *Target, a address) (*grpcTransport, error) {
	creds := insecure.NewCredentials()
	if a.tls {
		config := t.TLS
		if config == nil {
			config = &tls.Config{}
		}
		creds = credentials.NewTLS(config)
	}
	g := &grpcTransport{headers: metadata.New(t.Headers)}
	if t.Gzip {
		g.options = append(g.options, grpc.UseCompressor(gzip.Name))
	}
	for range t.Conns {
		c, err := grpc.NewClient(a.dial,
			grpc.WithTransportCredentials(creds), grpc.WithNoProxy(), grpc.WithDisableServiceConfig(),
			grpc.WithUserAgent("lensview-simulate"), grpc.WithWriteBufferSize(128<<10),
			grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(1<<20)))
		if err != nil {
			g.close()
			return nil, fmt.Errorf("simulate: endpoint %q: %w", t.Endpoint, err)
		}
		g.conns = append(g.conns, c)
	}
	return g, nil
}

func (g *grpcTransport) close() {
	for _, c := range g.conns {
		c.Close()
	}
}

func (g *grpcTransport) export(ctx context.Context, conn int, r *Request) (answer, error) {
	if len(g.headers) > 0 {
		ctx = metadata.NewOutgoingContext(ctx, g.headers)
	}
	var out []byte
	if err := g.conns[conn].Invoke(ctx, exportMethod(r.Signal), &r.Body, &out, g.options...); err != nil {
		return answer{}, grpcRefusal(status.Convert(err))
	}
	return readAnswer(out)
}

// grpcRefusal sorts a status by the OTLP specification's table of retryable
// codes: RESOURCE_EXHAUSTED only when the receiver gives a delay.
func grpcRefusal(s *status.Status) *refusal {
	r := &refusal{text: fmt.Sprintf("%s: %s", s.Code(), s.Message())}
	var asked bool
	for _, d := range s.Details() {
		if info, ok := d.(*errdetails.RetryInfo); ok {
			asked, r.after = true, info.GetRetryDelay().AsDuration()
		}
	}
	switch s.Code() {
	case codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.OutOfRange, codes.Unavailable, codes.DataLoss:
		r.retry = true
	case codes.ResourceExhausted:
		r.retry = asked
	case codes.Unauthenticated, codes.PermissionDenied, codes.Unimplemented:
		r.fatal = true
	}
	return r
}
