package ui

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// verdict is what the diagnosis says of the run in focus, in a word. The zero
// verdict says nothing and is not shown.
type verdict struct {
	word  string // "SLOW", "STALLED", …
	grave grave
}

// grave is how much a verdict matters.
type grave uint8

const (
	neutral grave = iota // nothing is known, or it is over
	well
	doubtful
	bad
)

// badge is the word in brackets with its mark: read without colour it says as
// much.
func (v verdict) badge(t theme.Theme) (string, theme.Style) {
	if v.word == "" {
		return "", theme.Style{}
	}
	word := strings.ToUpper(v.word)
	switch v.grave {
	case well:
		return "[" + t.Glyphs.Yes + " " + word + "]", t.BadgeGood
	case doubtful:
		return "[" + t.Glyphs.Warn + " " + word + "]", t.BadgeWarn
	case bad:
		return "[" + t.Glyphs.Bad + " " + word + "]", t.BadgeBad
	}
	return "[" + word + "]", t.BadgeInfo
}
