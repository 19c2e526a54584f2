package run

// The phase words of the built-in table. A configuration may add others.
const (
	PhaseIteration          = "iteration"
	PhaseForwardBackward    = "forward_backward"
	PhaseMicrobatchForward  = "microbatch_forward"
	PhaseMicrobatchBackward = "microbatch_backward"
	PhaseLayer              = "layer"
	PhaseP2P                = "p2p"
	PhaseGradSync           = "grad_sync"
	PhaseOptimizer          = "optimizer"
	PhaseCheckpoint         = "checkpoint"
	PhaseData               = "data"
	PhaseEvaluate           = "evaluate"
	PhaseReport             = "report"
	PhaseStartup            = "startup"
	PhaseGC                 = "gc"
	PhaseGraphCapture       = "graph_capture"
	PhaseGeneration         = "generation"
	PhaseReward             = "reward_calculation"
	PhaseLogprobs           = "policy_and_reference_logprobs"
	PhaseAdvantage          = "advantage_calculation"
	PhasePolicyTraining     = "policy_training"
	PhaseIdle               = "idle"
)

// Breaks reports whether an iteration that contains or touches the phase is no
// usual one: a checkpoint, an evaluation, a graph capture or a garbage
// collection. Compare Name with the phase words to tell which.
func (p Phase) Breaks() bool {
	switch p.Name {
	case PhaseCheckpoint, PhaseEvaluate, PhaseGraphCapture, PhaseGC:
		return true
	}
	return false
}

// Covers reports whether everything beneath a span of the phase belongs to it,
// whatever its own name says: a forward pass of an evaluation is evaluation.
func (p Phase) Covers() bool {
	switch p.Name {
	case PhaseCheckpoint, PhaseEvaluate, PhaseReport:
		return true
	}
	return false
}
