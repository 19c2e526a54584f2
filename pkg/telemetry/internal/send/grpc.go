package send

import (
	"context"
	"crypto/x509"
	"fmt"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// grpc returns a sender over a connection that is shared where it can be.
func (d *Dialer) grpc(to target.Target) (Sender, error) {
	k := key(to, to.Address)
	conn := d.conns[k]
	if conn == nil {
		secure := insecure.NewCredentials()
		if !to.Insecure {
			secure = credentials.NewTLS(to.TLS)
		}
		var err error
		conn, err = grpc.NewClient(to.Address,
			grpc.WithTransportCredentials(secure), grpc.WithUserAgent(userAgent), grpc.WithDisableServiceConfig())
		if err != nil {
			return nil, fmt.Errorf("connect to %s for %s: %w", to.Address, to.Signal, err)
		}
		if d.conns == nil {
			d.conns = map[string]*grpc.ClientConn{}
		}
		d.conns[k] = conn
	}
	return &grpcSender{to, conn}, nil
}

func rootsOf(to target.Target) *x509.CertPool {
	if to.TLS == nil {
		return nil
	}
	return to.TLS.RootCAs
}

type grpcSender struct {
	to   target.Target
	conn *grpc.ClientConn
}

// Send implements Sender.
func (s *grpcSender) Send(ctx context.Context, request proto.Message) (int64, error) {
	ctx = metadata.NewOutgoingContext(ctx, metadata.New(s.to.Headers))
	var opts []grpc.CallOption
	if s.to.Gzip {
		opts = append(opts, grpc.UseCompressor(gzip.Name))
	}
	method, answer := call(s.to.Signal)
	return repeat(ctx, s.to, func(ctx context.Context) attempt {
		proto.Reset(answer)
		err := s.conn.Invoke(ctx, method, request, answer, opts...)
		again, after := mayRepeat(err)
		return attempt{refusedBy(answer), err, again, after}
	})
}

func call(s target.Signal) (method string, answer proto.Message) {
	switch s {
	case target.Traces:
		return tracepb.TraceService_Export_FullMethodName, new(tracepb.ExportTraceServiceResponse)
	case target.Metrics:
		return metricspb.MetricsService_Export_FullMethodName, new(metricspb.ExportMetricsServiceResponse)
	}
	return logspb.LogsService_Export_FullMethodName, new(logspb.ExportLogsServiceResponse)
}

// mayRepeat is the list of the OTLP specification ("Failures" of OTLP/gRPC).
func mayRepeat(err error) (again bool, after time.Duration) {
	s := status.Convert(err)
	for _, d := range s.Details() {
		if r, ok := d.(*errdetails.RetryInfo); ok {
			after = r.GetRetryDelay().AsDuration()
		}
	}
	switch s.Code() {
	case codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.OutOfRange, codes.Unavailable, codes.DataLoss:
		return true, after
	case codes.ResourceExhausted:
		return after > 0, after
	}
	return false, 0
}

func refusedBy(answer proto.Message) int64 {
	switch a := answer.(type) {
	case *tracepb.ExportTraceServiceResponse:
		return a.GetPartialSuccess().GetRejectedSpans()
	case *metricspb.ExportMetricsServiceResponse:
		return a.GetPartialSuccess().GetRejectedDataPoints()
	case *logspb.ExportLogsServiceResponse:
		return a.GetPartialSuccess().GetRejectedLogRecords()
	}
	return 0
}
