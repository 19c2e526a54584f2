package tracescreen

import (
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// question is what is to be shown, besides of which snapshot. In an answer
// everything that was left open is decided.
type question struct {
	run     string
	process int // in the run; run.Unknown: choose one
	at      spot
	trace   run.TraceID // when not zero: the whole trace, and no iteration
	peers   peers
	filter  string
}

// spot is a place in the life of a process: one of its steps, or what lies
// between two.
type spot struct {
	kind      spotKind
	attempt   int
	iteration int64
}

type spotKind uint8

const (
	newest spotKind = iota // the last finished step, decided by the answer
	atStep
	afterStep // up to the next one
	tail      // after the last finished step; when that changes, the step that came
	head      // before the first step
	whole     // of a process that has no steps
)

func stepAt(w store.Window) spot  { return spot{atStep, w.Attempt, w.Iteration} }
func afterAt(w store.Window) spot { return spot{afterStep, w.Attempt, w.Iteration} }
func tailAt(w store.Window) spot  { return spot{tail, w.Attempt, w.Iteration} }

// peers is which ranks stand beside the chosen one.
type peers uint8

const (
	alone   peers = iota
	dpPeers       // first: they do the same work, and wait for each other once a step
	ppPeers
	tpPeers  // they wait for each other in every layer, and look alike
	matching // all ranks that the filter lets through
	peersCount
)

func (p peers) String() string {
	return [...]string{"one rank", "dp peers", "pp stages", "tp peers", "ranks"}[p]
}

// maxLanes is how many ranks are shown beside each other. More cannot be told
// apart on a screen, and each costs a look into the chunks.
const maxLanes = 64

// maxWhole is how many spans of a process without steps are shown, the newest.
const maxWhole = 50_000
