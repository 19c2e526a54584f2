package screen

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// Marks is the runs that were marked for comparison, in the order of marking. It
// does not change: marking makes another one. A nil *Marks has none.
type Marks struct{ runs []string }

// Has reports whether a run is marked.
func (m *Marks) Has(run string) bool { return m != nil && slices.Contains(m.runs, run) }

// Runs is the ids of the marked runs, the one marked first first. It is the
// caller's own.
func (m *Marks) Runs() []string {
	if m == nil {
		return nil
	}
	return slices.Clone(m.runs)
}

// Toggled is m with a run marked, or not marked any more. No run means no marks.
func (m *Marks) Toggled(run string) *Marks {
	if run == "" {
		return nil
	}
	runs := m.Runs()
	if i := slices.Index(runs, run); i >= 0 {
		return &Marks{slices.Delete(runs, i, i+1)}
	}
	return &Marks{append(runs, run)}
}

// MarkMsg asks the program to mark a run for comparison, or to unmark it; without
// a run, to unmark all. Every screen is given the marks in its Data.
type MarkMsg struct{ Run string }

// Mark is the command that marks or unmarks a run.
func Mark(run string) tea.Cmd { return func() tea.Msg { return MarkMsg{Run: run} } }

// CopyMsg asks the program to put a text on the clipboard of the terminal: for
// what a screen copies besides its CopyText.
type CopyMsg struct{ Text string }

// Copy is the command that copies a text.
func Copy(text string) tea.Cmd { return func() tea.Msg { return CopyMsg{Text: text} } }

// OpenNarrowed is Open with another filter for as long as that screen is open:
// going back from it restores the filter from before.
func OpenNarrowed(name Name, target Target, filter string) tea.Cmd {
	return func() tea.Msg { return OpenMsg{Screen: name, Target: target, Narrow: filter} }
}
