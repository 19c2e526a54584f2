package analysis

// VerdictState is how a run is, in the report's words.
type VerdictState string

// The states.
const (
	VerdictStarting  VerdictState = "STARTING"
	VerdictAdvancing VerdictState = "ADVANCING"
	VerdictSlow      VerdictState = "SLOW"
	VerdictStalled   VerdictState = "STALLED"
	VerdictPartial   VerdictState = "PARTIAL"
	VerdictEnded     VerdictState = "ENDED"
	VerdictUnknown   VerdictState = "UNKNOWN"
)

// VerdictScope is what the state is about, in the report's words.
type VerdictScope string

// The scopes.
const (
	ScopeNone   VerdictScope = "none"
	ScopeRank   VerdictScope = "rank"
	ScopeStage  VerdictScope = "stage"
	ScopeGroup  VerdictScope = "group"
	ScopeGlobal VerdictScope = "global"
)

// Verdict is the one answer about a run, with what it rests on.
type Verdict struct {
	State      VerdictState
	Scope      VerdictScope
	Summary    string
	Evidence   []string
	CannotTell []string
}
