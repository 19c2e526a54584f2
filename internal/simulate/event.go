package simulate

import "math"

// never is the end of what never ends. Times are nanoseconds since the start
// of the run; anything from never on did not happen.
const never int64 = math.MaxInt64 / 2

// after is t + d, and never when either is.
func after(t, d int64) int64 {
	if t >= never || d >= never {
		return never
	}
	return t + d
}

// kind is what a span of the model is.
type kind uint8

// The kinds of span.
const (
	kStep kind = iota
	kForwardBackward
	kForward
	kBackward
	kRecvForward
	kSendForward
	kRecvBackward
	kSendBackward
	kData
	kSyncStart
	kGC
	kLayernorm
	kEmbedding
	kSyncFinish
	kClip
	kOptimizer
	kCheckpoint
	kCheckpointWrite
	kEvaluate
	kEvaluateForward
	kJob
	kModelInit
	kindCount
)

// Identifiers of spans within one iteration of one rank. Spans that have
// children get a fixed one, since children are encoded before them; the others
// count up from idFree.
const (
	idStep uint16 = iota
	idForwardBackward
	idCheckpoint
	idEvaluate
	idJob
	idFree
	noParent uint16 = math.MaxUint16
)

// event is one span of a worker: what all its coupled ranks do at once.
type event struct {
	start, end int64
	id, parent uint16
	root       uint16 // identifier of the outermost span, which names the trace
	micro      int16  // microbatch, or -1
	kind       kind
}

// leaf reports whether the span has no children.
func (e *event) leaf() bool { return e.id >= idFree }

// detailOf is the coarsest detail at which a kind is still sent.
func detailOf(k kind) Detail {
	switch k {
	case kStep, kCheckpoint, kEvaluate, kJob, kModelInit:
		return StepOnly
	case kForwardBackward, kData, kSyncFinish, kClip, kOptimizer, kCheckpointWrite, kEvaluateForward:
		return ForwardBackward
	}
	return Microbatch
}
