package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// TestAWideFooterNamesKeysOfTheProgram, and none of them at 80 columns or while
// something is being typed.
func TestAWideFooterNamesKeysOfTheProgram(t *testing.T) {
	p := start(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 4, Steps: 3, Slow: -1}))
	for width, want := range map[int]bool{80: false, 120: false, 160: true} {
		p.send(tea.WindowSizeMsg{Width: width, Height: 30})
		footer := p.app.footer()
		if got := strings.Contains(footer, "/ filter  : command  p/Space pause  q back"); got != want || !strings.HasSuffix(footer, "? help") {
			t.Errorf("at %d columns: %q", width, footer)
		}
		if draw.Width(footer) > width {
			t.Errorf("%d cells at %d columns", draw.Width(footer), width)
		}
	}
	p.app.over = &confirm{theme: p.app.opts.Theme}
	if footer := p.app.footer(); strings.Contains(footer, ": command") {
		t.Errorf("beside a question: %q", footer)
	}
}
