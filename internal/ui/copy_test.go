package ui

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// What is copied is pasted into terminals, too: of what others said only lines and
// tabs drive them.
func TestCopiedTextDrivesNoTerminal(t *testing.T) {
	p := start(t, training(t))
	for text, want := range map[string]string{
		"plain":                          "plain",
		"a\r\nb\n\tc\n":                  "a\nb\n\tc\n",
		"\x1b[201~rm -rf ~\r":            "^[[201~rm -rf ~^M",
		"\u202eevil\u009b2J\x07 \u200bx": draw.Clean("\u202eevil\u009b2J\x07 \u200bx"),
		"\xffé":                          "\ufffdé",
	} {
		p.copied = nil
		p.send(screen.Copy(text)())
		if len(p.copied) != 1 || p.copied[0] != want {
			t.Errorf("%q was copied as %q, want %q", text, p.copied, want)
		}
	}
}
