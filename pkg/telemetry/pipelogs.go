package telemetry

import (
	"context"
	"time"

	sdklog "go.opentelemetry.io/otel/sdk/log"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// logRecords plans the pipeline of logs.
func (h *Handle) logRecords(o *options) error {
	r := h.running
	export, err := h.logExport(o)
	if err != nil || export == nil {
		return err
	}
	queue := queueConfig(o.lookup, h.warner, "OTEL_BLRP_", time.Second)
	r.starts = append(r.starts, func() {
		r.logs = batch.New(queue, export, r.outages[target.Logs].failed)
		r.logger = sdklog.NewLoggerProvider(sdklog.WithResource(h.resource), sdklog.WithProcessor(logQueue{r.logs, h.clock}))
		h.loggers = r.logger
	})
	return nil
}

func (h *Handle) logExport(o *options) (batch.Export[*sdklog.Record], error) {
	r := h.running
	if e := o.logs; e != nil {
		r.outages[target.Logs] = &outage{signal: target.Logs, warner: h.warner}
		r.closers = append(r.closers, e.Shutdown)
		return func(ctx context.Context, records []*sdklog.Record) (int64, error) {
			return 0, r.outages[target.Logs].seen(e.Export(ctx, values(records)))
		}, nil
	}
	to, err := h.sender(o, target.Logs)
	if err != nil || to == nil {
		return nil, err
	}
	return func(ctx context.Context, records []*sdklog.Record) (int64, error) {
		refused, err := to.Send(ctx, r.encoder.Logs(records))
		return refused, r.outages[target.Logs].seen(err)
	}, nil
}

func values(records []*sdklog.Record) []sdklog.Record {
	out := make([]sdklog.Record, len(records))
	for i, r := range records {
		out[i] = *r
	}
	return out
}

// logQueue puts records into the queue. It is closed by the handle.
type logQueue struct {
	*batch.Queue[*sdklog.Record]
	clock func() time.Time // nil for the time of day
}

// Enabled implements sdklog.Processor.
func (logQueue) Enabled(context.Context, sdklog.EnabledParameters) bool { return true }

// OnEmit keeps a copy: the record is the caller's again afterwards.
func (q logQueue) OnEmit(_ context.Context, r *sdklog.Record) error {
	c := r.Clone()
	if q.clock != nil {
		c.SetObservedTimestamp(q.clock())
	}
	q.Add(&c)
	return nil
}

func (logQueue) Shutdown(context.Context) error { return nil }

func (q logQueue) ForceFlush(ctx context.Context) error { return q.Flush(ctx) }
