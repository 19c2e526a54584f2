package otlp

import (
	"fmt"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// DecodeGenerated fills b as Batch.Decode does, but through the generated code
// of go.opentelemetry.io/proto/otlp: slow, and independent of ours. It accepts
// and refuses the same requests and gives the same rows, with two differences.
// Bytes that Refs lead to are encoded anew, so unknown fields are not in them,
// and unknown groups may nest deeper than MaxDepth.
func DecodeGenerated(signal run.Signal, body []byte, b *Batch) error {
	b.Reset()
	b.Signal, b.buf = signal, body
	if err := b.generated(); err != nil {
		b.Reset()
		return fmt.Errorf("decode %s request with the generated code: %w", signal, err)
	}
	return nil
}

func (b *Batch) generated() error {
	if len(b.buf) > MaxBody {
		return errTooLarge
	}
	switch b.Signal {
	case run.Metrics:
		m := &colmetrics.ExportMetricsServiceRequest{}
		if err := b.unmarshal(m); err != nil {
			return err
		}
		return b.addMetrics(m)
	case run.Logs:
		m := &collogs.ExportLogsServiceRequest{}
		if err := b.unmarshal(m); err != nil {
			return err
		}
		return b.addLogs(m)
	}
	m := &coltrace.ExportTraceServiceRequest{}
	if err := b.unmarshal(m); err != nil {
		return err
	}
	return b.addTraces(m)
}

// unmarshal reads the request into m. The generated code refuses text that is
// not UTF-8, so when it refuses a request with such text, that is repaired and
// the request tried again.
func (b *Batch) unmarshal(m proto.Message) error {
	o := proto.UnmarshalOptions{DiscardUnknown: true}
	err := o.Unmarshal(b.buf, m)
	if err == nil {
		return nil
	}
	r := repairer{}
	repaired, bad := r.message(nil, b.buf, m.ProtoReflect().Descriptor(), 0)
	if bad != nil || r.count == 0 {
		return err
	}
	if err := o.Unmarshal(repaired, m); err != nil {
		return err
	}
	b.Repaired = r.count
	return nil
}

// marshal keeps m's encoding in the side buffer.
func (b *Batch) marshal(m proto.Message) Ref {
	from := len(b.side)
	p, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(b.side, m)
	if err != nil {
		return Ref{} // cannot happen to a message that was just unmarshalled
	}
	b.side = p
	return b.sideRef(from)
}

// keepString keeps s in the side buffer.
func (b *Batch) keepString(s string) Ref {
	if s == "" {
		return Ref{}
	}
	from := len(b.side)
	b.side = append(b.side, s...)
	return b.sideRef(from)
}
