package run

// Level says how much a notice or finding matters.
type Level uint8

// Levels in rising order.
const (
	Info Level = iota
	Warning
	Critical
)

// String is the report's word.
func (l Level) String() string {
	switch l {
	case Warning:
		return "warning"
	case Critical:
		return "critical"
	}
	return "info"
}

// Notice is something a person should know, as a value: it reaches the screen
// and the report alike. Code is stable and machine-readable ("shared-span-ids").
type Notice struct {
	Code  string
	Level Level
	Text  string
	Run   string // run id, "" for the whole instance
	Count uint64 // how often, when it repeats
	At    int64  // last time, unix ns of the receiver's clock; 0 unknown
}
