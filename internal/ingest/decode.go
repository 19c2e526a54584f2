package ingest

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// decodeFunc turns the bytes of one request into rows. It resets the batch.
type decodeFunc func(b *otlp.Batch, s run.Signal, body []byte) error

func protoDecoder(d Decoder) (decodeFunc, error) {
	switch d {
	case "", Fast:
		return (*otlp.Batch).Decode, nil
	case Generated:
		return decodeGenerated, nil
	}
	return nil, fmt.Errorf("decoder %q is unknown; choose %q or %q", string(d), Fast, Generated)
}

// decodeJSON reads what a client sent that can still be told of its errors.
func decodeJSON(b *otlp.Batch, s run.Signal, body []byte) error {
	return b.DecodeJSON(s, body, otlp.JSONOptions{})
}

// decodeGenerated lets the generated code read the request and hands its
// canonical bytes on: a request that only one of the two understands shows.
func decodeGenerated(b *otlp.Batch, s run.Signal, body []byte) error {
	m := generated(s)
	if err := proto.Unmarshal(body, m); err != nil {
		b.Reset()
		return fmt.Errorf("decode %s request: %w", s, err)
	}
	canonical, err := proto.Marshal(m)
	if err != nil {
		b.Reset()
		return fmt.Errorf("decode %s request: %w", s, err)
	}
	return b.Decode(s, canonical)
}

func generated(s run.Signal) proto.Message {
	switch s {
	case run.Metrics:
		return new(colmetrics.ExportMetricsServiceRequest)
	case run.Logs:
		return new(collogs.ExportLogsServiceRequest)
	}
	return new(coltrace.ExportTraceServiceRequest)
}
