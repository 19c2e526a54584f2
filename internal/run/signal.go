package run

// Signal is one of the three kinds of telemetry that are received.
type Signal uint8

// The signals, in the order in which they are shown.
const (
	Traces Signal = iota
	Metrics
	Logs
	SignalCount // number of signals, for arrays indexed by Signal
)

// String is the word used in paths, the report and on screen.
func (s Signal) String() string {
	switch s {
	case Traces:
		return "traces"
	case Metrics:
		return "metrics"
	case Logs:
		return "logs"
	}
	return "unknown"
}

// Item is what one piece of the signal is called: the unit of its accounting.
func (s Signal) Item() string {
	switch s {
	case Traces:
		return "spans"
	case Metrics:
		return "points"
	case Logs:
		return "logs"
	}
	return "items"
}
