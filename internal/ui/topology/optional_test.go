package topologyscreen

import "github.com/beamline-hpc/lensview/internal/ui/screen"

// What the program asks a screen for: a method that is misspelled would be asked
// for in vain, without a word.
var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.Copier   = (*Model)(nil)
	_ screen.Releaser = (*Model)(nil)
)
