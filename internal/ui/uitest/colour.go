package uitest

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Coloured is a theme with 256 colours on a dark background, for goldens of what
// is told by colour besides.
func Coloured() theme.Theme {
	return theme.New(theme.Options{Profile: theme.ANSI256, Dark: true})
}

// escape is how a golden writes the character that begins a style.
const escape = "␛"

// GoldenColour compares a view, its styles included, with
// testdata/name.colour.golden: lines as they are, with ␛ for the escape character.
func GoldenColour(t *testing.T, name, view string) {
	t.Helper()
	lines := strings.Split(strings.ReplaceAll(view, "\x1b", escape), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	compare(t, name+".colour", strings.Join(lines, "\n")+"\n")
}
