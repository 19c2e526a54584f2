package simulate

import (
	"bytes"
	"fmt"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Severities with OTLP's numbers.
const (
	logInfo  = 9
	logWarn  = 13
	logError = 17
)

// watchdog is how long a collective may take before its ranks report it.
const watchdog = 30 * time.Second

// slowStep is how much longer than configured a step is to be remarked upon.
const slowStep = 1.15

// logWriter sends the log records of a rank.
type logWriter struct {
	m     *model
	names *names
	ids   ids
	res   *resources
	build builder
	rank  int
	from  int64 // window of the records to send
	to    int64
	count int
	rec   run.Log
	emit  func(rank int, body []byte, items int)
}

func newLogWriter(m *model, res *resources, ids ids, emit func(int, []byte, int)) *logWriter {
	return &logWriter{m: m, names: m.names(), ids: ids, res: res, build: otlp.NewBuilder(run.Logs), emit: emit}
}

// write sends what the rank logged in (from, to].
func (w *logWriter) write(rank int, slots []*slot, from, to int64) {
	w.rank, w.from, w.to, w.count = rank, from, to, 0
	at := w.m.lay.coord(rank)
	w.add(w.res.born+int64(w.m.Startup), logInfo, -1, func() string {
		return fmt.Sprintf("rank %d of %d is ready: tp %d, pp %d, dp %d", rank, w.m.Ranks(), at.TP, at.PP, at.DP)
	})
	for _, s := range slots {
		if s.start > to {
			break
		}
		w.training(s)
		w.trouble(s)
	}
	if w.count > 0 {
		w.emit(rank, bytes.Clone(w.build.Bytes()), w.count)
	}
}

// training is what the last rank and, of checkpoints, the first one say.
func (w *logWriter) training(s *slot) {
	i := w.m.number(s.index)
	if w.rank == w.m.Ranks()-1 && (s.index+1)%w.m.LogEvery == 0 {
		w.add(s.stepEnd, logInfo, s.index, func() string {
			v := w.m.values(s)
			return fmt.Sprintf(" iteration %8d | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: %.6E | global batch size: %5d | lm loss: %.6E | grad norm: %.3f | number of skipped iterations: %3d |",
				i, (s.index+1)*w.m.globalBatch(), float64(s.totals.lasted)/1e6, v.rate, w.m.globalBatch(), v.loss, v.gradNorm, s.totals.skipped)
		})
	}
	if w.rank == 0 && !s.save.empty() {
		w.add(s.save.to, logInfo, s.index, func() string {
			return fmt.Sprintf("saved the checkpoint of iteration %d in %.1f ms", i, float64(s.save.to-s.save.from)/1e6)
		})
	}
}

// trouble is what ranks say of an iteration that went wrong. None of them knows
// the culprit.
func (w *logWriter) trouble(s *slot) {
	i := w.m.number(s.index)
	if w.rank == 0 && w.m.notANumber(s.index) {
		w.add(s.stepEnd, logWarn, s.index, func() string {
			return fmt.Sprintf("gradient norm of iteration %d is NaN: skipping the update", i)
		})
	}
	if over := float64(s.totals.lasted) / float64(w.m.Step); s.stepEnd < never && w.rank == w.m.Ranks()-1 &&
		s.index > 0 && over > slowStep && (s.index+1)%w.m.LogEvery == 0 {
		w.add(s.stepEnd, logWarn, s.index, func() string {
			return fmt.Sprintf("iteration %d took %.1f ms, %.2f times the usual", i, float64(s.totals.lasted)/1e6, over)
		})
	}
	if s.stepEnd < never || w.m.effects.crashes(s.index) || w.m.effects.hang != nil && w.rank == w.m.effects.hang.rank {
		return
	}
	w.add(s.start+int64(w.m.Step+watchdog), logError, s.index, func() string {
		return fmt.Sprintf("Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=ALLREDUCE, Timeout(ms)=%d) ran for %d milliseconds before timing out.",
			1000+40*s.index, watchdog.Milliseconds(), watchdog.Milliseconds()+int64(w.rank%90))
	})
}

// add encodes a record of an iteration (−1: of none), when its time is within
// the window.
func (w *logWriter) add(at int64, severity uint8, i int, body func() string) {
	if at <= w.from || at > w.to {
		return
	}
	if w.count == 0 {
		w.build.Reset(run.Logs)
		w.build.Resource(w.res.trainer(w.rank), 0, "")
		w.build.Scope(run.Scope{Name: "megatron.core"})
	}
	l := &w.rec
	t := uint64(w.m.Start.UnixNano() + w.m.clock(w.rank) + at)
	*l = run.Log{Time: t, Observed: t, Severity: severity, SeverityText: severityText(severity), Body: run.StringValue(body())}
	if i >= 0 {
		l.Attrs = attrs(w.rec.Attrs[:0]).int(semconv.DLIteration, w.m.number(i))
		w.link(l, i)
	}
	w.build.Log(l)
	w.count++
}

// link ties a record to the step span of an iteration.
func (w *logWriter) link(l *run.Log, i int) {
	l.TraceID, l.Flags = w.ids.trace(w.rank, i, idStep), 1
	if w.m.OneTrace {
		l.TraceID = w.ids.trace(w.rank, w.res.life(), idJob)
	}
	l.SpanID = spanID(w.ids.number(w.rank, i, idStep))
}

func severityText(n uint8) string {
	return map[uint8]string{logInfo: "INFO", logWarn: "WARN", logError: "ERROR"}[n]
}
