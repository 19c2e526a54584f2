package comparescreen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// nextRun puts the next of the runs on a side.
func (m *Model) nextRun(side *string, now string) tea.Cmd {
	all := m.comparable()
	if len(all) < 2 {
		return screen.Say("there is only one run with iterations: its halves are compared")
	}
	a, b := m.runs()
	m.pick.windows = false
	m.pick.a, m.pick.b = a, b
	*side = all[(slices.Index(all, now)+1)%len(all)]
	return m.ask()
}

func (m *Model) nextA() tea.Cmd { a, _ := m.runs(); return m.nextRun(&m.pick.a, a) }
func (m *Model) nextB() tea.Cmd { _, b := m.runs(); return m.nextRun(&m.pick.b, b) }

func (m *Model) swap() tea.Cmd {
	m.pick.swapped = !m.pick.swapped
	return m.ask()
}

// toggleWindows goes from two runs to the windows of one, and back.
func (m *Model) toggleWindows() tea.Cmd {
	if a, b := m.runs(); a != b {
		m.pick.windows = true
		return m.ask()
	}
	if len(m.comparable()) < 2 {
		return screen.Say("there is only one run with iterations: its halves are compared")
	}
	m.pick = pick{twoAlone: true}
	return m.ask()
}

// moveSplit moves the border between two windows by so many iterations.
func (m *Model) moveSplit(by int64) tea.Cmd {
	if !m.seen.found || !m.seen.windows {
		return screen.Say("two runs are compared as a whole: " + m.data.Key(screen.Compare, "w") + " for windows of one")
	}
	early, late := &m.seen.wa, &m.seen.wb
	if early.first > late.first {
		early, late = late, early
	}
	split := max(m.seen.bounds.first+1, min(late.first+by, m.seen.bounds.last))
	e, l := window{min(early.first, split-1), split - 1}, window{split, max(late.last, split)}
	if m.seen.wa.first > m.seen.wb.first {
		e, l = l, e
	}
	if m.pick.swapped {
		e, l = l, e
	}
	m.pick.wa, m.pick.wb = e, l
	// What is drawn follows with the answer; the next key goes on from here.
	m.seen.wa, m.seen.wb = e, l
	if m.pick.swapped {
		m.seen.wa, m.seen.wb = l, e
	}
	return m.ask()
}

// halves goes back to the halves.
func (m *Model) halves() tea.Cmd {
	m.pick.wa, m.pick.wb = window{}, window{}
	return m.ask()
}

// Commands are the windows in figures.
func (m *Model) Commands() []screen.Command {
	set := func(w *window) func(string) tea.Cmd {
		return func(arg string) tea.Cmd {
			to, err := parseWindow(arg)
			if err != nil {
				return screen.Say(err.Error())
			}
			*w = to
			m.pick.windows, m.pick.swapped = true, false
			return m.ask()
		}
	}
	return []screen.Command{
		{Name: "window-a", About: "iterations of the first window of one run", Arg: "FIRST..LAST", Do: set(&m.pick.wa)},
		{Name: "window-b", About: "iterations of the second window of one run", Arg: "FIRST..LAST", Do: set(&m.pick.wb)},
	}
}

// parseWindow reads FIRST..LAST.
func parseWindow(text string) (window, error) {
	from, to, ok := strings.Cut(strings.TrimSpace(text), "..")
	first, err := strconv.ParseInt(from, 10, 64)
	last, err2 := strconv.ParseInt(to, 10, 64)
	if !ok || err != nil || err2 != nil || first < 0 || last < first || last == 0 {
		return window{}, fmt.Errorf("%q is no window: use FIRST..LAST, as 10..200", text)
	}
	return window{first, last}, nil
}
