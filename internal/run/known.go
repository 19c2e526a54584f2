package run

import "github.com/beamline-hpc/lensview/pkg/semconv"

// KnownKeys are all attribute and metric names of the conventions, those that
// are only read among them, in no order that matters.
func KnownKeys() []string {
	var out []string
	for _, f := range semconv.Fields() {
		out = append(out, f.Key)
	}
	return out
}
