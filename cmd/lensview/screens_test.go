package main

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// A screen that is left must let go of its snapshot's spans: they would stay in
// memory for its sake, beyond the budget.
func TestEveryScreenLetsGoOfSpans(t *testing.T) {
	for _, e := range screens(theme.New(theme.Options{})) {
		r, ok := e.Screen.(screen.Releaser)
		if !ok {
			t.Errorf("%s keeps its snapshot while it is not shown", e.Name)
			continue
		}
		r.Release() // before it has seen any data
	}
}
