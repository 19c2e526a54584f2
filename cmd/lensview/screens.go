package main

import (
	"github.com/beamline-hpc/lensview/internal/ui"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// screens are the screens in the order of their keys.
func screens(t theme.Theme) []ui.Entry { return ui.Screens(t) }
