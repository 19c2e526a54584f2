package run

import "github.com/beamline-hpc/lensview/pkg/semconv"

// TruncatedKey is the span attribute that marks a span as closed by force at
// shutdown, and the name of the event that says so. Only the bool true
// truncates; anything else beneath it is an OddTruncate.
const TruncatedKey = semconv.NemoSpanTruncated
