package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	ranksscreen "github.com/beamline-hpc/lensview/internal/ui/ranks"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func twoRuns(t testing.TB) *store.Snapshot {
	return uitest.Snapshot(t, uitest.Training{Run: "first", Ranks: 4, Steps: 3, Slow: -1, Quiet: 50},
		uitest.Training{Run: "second", Ranks: 8, Steps: 9, Slow: 2, Quiet: 1})
}

// A person with two runs looks at the one that is not in focus.
func TestGoingIntoAnotherRun(t *testing.T) {
	p := start(t, twoRuns(t))
	p.wants(p.header(), "it 9  8/8 ranks  * LIVE")
	p.press("j", "enter")
	p.wants(p.header(), "it 3 51s ago  4/4 ranks  - IDLE 51s")
	p.wants(p.view(), "4 of 4 ranks seen")
	p.press("esc")
	p.wants(p.header(), "1 Runs  first")
	p.press("i", "3")
	p.wants(p.header(), "3 Ranks  first")
}

// The run in focus goes away (evicted): another one comes into focus.
func TestTheRunInFocusGoes(t *testing.T) {
	p := start(t, twoRuns(t))
	p.press("3")
	next := *p.source.snap
	next.Version++
	next.Runs = next.Runs[:1]
	p.source.snap = &next
	p.tick()
	p.wants(p.header(), "first")
	p.wants(p.view(), "4 of 4 ranks seen")
}

// Nothing has come yet: the screens teach, and fill when data come.
func TestFromNothingToARun(t *testing.T) {
	p := start(t, uitest.Snapshot(t))
	for _, key := range []string{"1", "3"} {
		p.press(key)
		p.wants(p.view(), `eval "$(lensview env)"`)
		p.wants(p.view(), "lensview demo")
	}
	p.wants(p.view(), "y copy the line")
	p.lacks(p.view(), "Enter its ranks")
	p.press("y")
	if len(p.copied) != 1 || p.copied[0] != "eval \"$(lensview env)\"\n" {
		t.Errorf("y copied %q", p.copied)
	}
	s := training(t)
	s.Version += 100
	p.source.snap = s
	p.tick()
	p.wants(p.view(), "62 of 64 ranks seen")
	p.wants(p.header(), "* LIVE")
}

// An empty terminal of the smallest size still leads somewhere.
func TestTheSmallestTerminal(t *testing.T) {
	p := start(t, training(t))
	p.send(tea.WindowSizeMsg{Width: 40, Height: 12})
	for _, step := range []struct{ key, want string }{
		{"1", "llama-70b"}, {"3", "rank^"}, {"i", "spans"}, {"?", "Keys, type to search"}, {"esc", "spans"}, {"/", "/ _"},
	} {
		p.press(step.key)
		p.wants(p.view(), step.want)
		uitest.Inside(t, p.view(), 40, 12)
	}
}

// The screen opened by a click, by wheel and by headings, all with the mouse.
func TestMouseAlone(t *testing.T) {
	p := start(t, twoRuns(t))
	p.send(uitest.Click(5, 4)) // the second row
	p.send(uitest.Click(5, 4)) // again: opens it
	p.wants(p.header(), "3 Ranks  first")
	p.send(uitest.Click(4, 2)) // the heading of ranks
	m := p.app.screen().(*ranksscreen.Model)
	if got := m.CopyText(); !strings.HasPrefix(got, "rank ") {
		t.Errorf("selected %q", got)
	}
	wheel := tea.MouseMsg{X: 4, Y: 5, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown}
	for range 40 {
		p.send(wheel)
	}
	uitest.Inside(t, p.view(), 120, 30)
}

// A filter is told everywhere, and clearing it brings everything back.
func TestFilterAcrossScreens(t *testing.T) {
	p := start(t, twoRuns(t))
	p.send(screen.FilterMsg{Text: "rank=2"})
	for _, key := range []string{"1", "3", "i"} {
		p.press(key)
		p.wants(p.header(), "/rank=2")
	}
	p.press("3")
	p.wants(p.view(), "1-1 of 1")
	p.press("X")
	p.wants(p.view(), "1-8 of 8")
}

// What is paused stays as it is through every screen, until it goes on.
func TestPauseHoldsAcrossScreens(t *testing.T) {
	p := start(t, twoRuns(t))
	p.press("p")
	s := training(t)
	s.Version += 100
	p.source.snap = s
	p.tick()
	for _, key := range []string{"1", "3", "i"} {
		p.press(key)
		p.lacks(p.view(), "llama-70b")
		p.wants(p.header(), "PAUSED")
	}
	p.press("p", "1")
	p.wants(p.view(), "llama-70b")
}

// The clock alone moves ages: a live run that falls silent is seen to.
func TestSilenceMovesTheScreen(t *testing.T) {
	s := training(t)
	p := start(t, s)
	for _, seconds := range []int64{10, 29, 45} {
		next := *s
		next.Version += uint64(seconds)
		next.Now += seconds * 1e9
		p.source.snap = &next
		p.tick()
	}
	p.wants(p.header(), "- IDLE 46s")
}

// Warnings that come later are shown when they come.
func TestAWarningArrives(t *testing.T) {
	s := training(t)
	p := start(t, s)
	p.lacks(p.view(), "share span ids")
	next := *s
	next.Version++
	next.Notices = []run.Notice{{Code: "shared-span-ids", Level: run.Warning, Text: "ranks 0, 1 share span ids"}}
	p.source.snap = &next
	p.tick()
	p.wants(p.view(), "! ranks 0, 1 share span ids")
	p.wants(p.header(), "!1")
	uitest.Inside(t, p.view(), 120, 30)
}
