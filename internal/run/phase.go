package run

// Class is what a phase of a step costs: the unit of breakdown and straggler
// analysis.
type Class uint8

// The classes. Step is the step itself, not a part of it.
const (
	Other Class = iota
	Step
	Compute
	Wait
	IO
	ClassCount
)

// String is the report's word.
func (c Class) String() string {
	switch c {
	case Step:
		return "step"
	case Compute:
		return "compute"
	case Wait:
		return "wait"
	case IO:
		return "io"
	}
	return "other"
}

// Phase is the meaning of a span name: a phase word ("forward_backward") and
// its class. The zero Phase is an unknown name of class Other.
type Phase struct {
	Name  string
	Class Class
}
