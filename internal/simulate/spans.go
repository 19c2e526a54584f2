package simulate

import (
	"bytes"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// maxBatch is the most spans of one request, as in the batch processors of the
// SDKs.
const maxBatch = 512

// spanFlags are a sampled trace whose parent is known to be local.
const spanFlags = 0x101

// jitterRange is the most, in nanoseconds, by which coupled ranks differ.
const jitterRange = 2048

// spanWriter turns events of a rank into requests.
type spanWriter struct {
	m      *model
	names  *names
	ids    ids
	build  builder
	res    *resources
	scope  run.Scope
	span   run.Span
	micro  [][]run.Attr // attributes of a microbatch's spans
	step   []run.Attr   // scratch for those of spans with an iteration
	rank   int
	from   int64 // the rank's start of the run on its own clock, unix nanoseconds
	count  int
	emit   func(rank int, body []byte, items int)
	closed []run.Event // the event of a truncated span
}

func newSpanWriter(m *model, res *resources, emit func(int, []byte, int)) *spanWriter {
	w := &spanWriter{
		m: m, names: m.names(), ids: m.ids(), build: otlp.NewBuilder(run.Traces), res: res,
		scope: run.Scope{Name: "nemo.lens", Version: "0.1.0"}, emit: emit,
		closed: []run.Event{{Name: semconv.NemoSpanTruncated}},
	}
	for i := range m.Microbatches {
		w.micro = append(w.micro, attrs{}.int(semconv.DLMicrobatchID, i))
	}
	w.span.Kind, w.span.Flags = 1, spanFlags
	return w
}

// begin starts the spans of a rank.
func (w *spanWriter) begin(rank int) {
	w.rank, w.count = rank, 0
	w.from = w.m.Start.UnixNano() + w.m.clock(rank)
}

// add encodes one span of iteration i (−1: of the process's life).
func (w *spanWriter) add(i int, e *event, end int64, truncated bool) {
	if w.count == 0 {
		w.build.Reset(run.Traces)
		w.build.Resource(w.res.trainer(w.rank), 0, "")
		w.build.Scope(w.scope)
	}
	s := &w.span
	n := w.ids.number(w.rank, i, e.id)
	s.ID, s.Parent, s.TraceID = spanID(n), run.SpanID{}, w.trace(i, e.root)
	if p, at := w.parent(i, e); p != noParent {
		s.Parent = spanID(w.ids.number(w.rank, at, p))
	}
	s.Name = w.names.span[e.kind]
	s.Start, s.End = w.times(i, e, end, n)
	s.Attrs, s.Events = w.attrs(i, e), nil
	if truncated {
		w.truncate(s)
	}
	w.build.Span(s)
	if w.count++; w.count == maxBatch {
		w.flush()
	}
}

// trace is the trace of a span: that of its outermost span, or with OneTrace
// that of the process.
func (w *spanWriter) trace(i int, root uint16) run.TraceID {
	if w.m.OneTrace {
		i, root = w.res.life(), idJob
	}
	return w.ids.trace(w.rank, i, root)
}

// parent is the parent's id and the iteration it belongs to.
func (w *spanWriter) parent(i int, e *event) (id uint16, iteration int) {
	if e.parent == noParent && w.m.OneTrace && e.kind != kJob {
		return idJob, w.res.life()
	}
	return e.parent, i
}

// times puts a span on the rank's clock. Coupled ranks differ by microseconds:
// the whole iteration shifts, and spans without children shrink a little, so
// that children stay within their parents.
func (w *spanWriter) times(i int, e *event, end int64, n uint64) (uint64, uint64) {
	shift := int64(mix(w.ids.low^place(w.rank, i, noParent)) % jitterRange)
	from, to := w.from+e.start+shift, w.from+end+shift
	if e.leaf() && to-from > 8*jitterRange {
		from += int64(n % jitterRange)
		to -= int64(n >> 32 % jitterRange)
	}
	return uint64(from), uint64(to)
}

func (w *spanWriter) attrs(i int, e *event) []run.Attr {
	switch e.kind {
	case kForward, kBackward:
		return w.micro[e.micro]
	case kStep:
		w.step = attrs(w.step[:0]).int(w.names.step, w.m.number(i)).int(microbatchesKey, w.m.Microbatches)
		return w.step
	case kCheckpoint, kEvaluate:
		w.step = attrs(w.step[:0]).int(w.names.step, w.m.number(i))
		return w.step
	}
	return nil
}

// truncate marks a span that was still open at the shutdown.
func (w *spanWriter) truncate(s *run.Span) {
	w.step = append(w.step[:0], s.Attrs...)
	w.step = append(w.step, run.Attr{Key: semconv.NemoSpanTruncated, Value: run.BoolValue(true)})
	w.closed[0].Time = s.End
	s.Attrs, s.Events = w.step, w.closed
}

// flush gives out the request under construction, if there is one.
func (w *spanWriter) flush() {
	if w.count == 0 {
		return
	}
	w.emit(w.rank, bytes.Clone(w.build.Bytes()), w.count)
	w.count = 0
}

// microbatchesKey is the number of microbatches of a step, as Megatron sends it.
const microbatchesKey = "num_microbatches"

// clock is how far the clock of a rank's host is off, in nanoseconds.
func (m *model) clock(rank int) int64 {
	skew := max(m.HostSkew, m.effects.skew)
	if skew == 0 {
		return 0
	}
	u := float64(mix(m.Seed^0x5bd1e995^uint64(m.lay.host(rank))<<20)>>11) / (1 << 53)
	return int64((2*u - 1) * float64(skew))
}
