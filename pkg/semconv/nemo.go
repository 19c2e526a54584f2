package semconv

// What identifies a run for everybody (nemo.*).
const (
	// NemoRunID is the run, the same on all its ranks. Type string, resource
	// attribute, always there.
	NemoRunID = "nemo.run.id"

	// NemoUserID is a label of the user or team. Type string, resource attribute,
	// optional.
	NemoUserID = "nemo.user.id"

	// NemoSpanTruncated is true only on a span that was still open at shutdown
	// and was closed by force, also the name of the event that marks it; its end
	// is the shutdown, so exclude it from durations. Type bool, span attribute,
	// optional.
	NemoSpanTruncated = "nemo.span.truncated"
)
