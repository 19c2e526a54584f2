// Package screen is the contract between the program and its screens, and the
// messages that pass between them.
package screen

import (
	"github.com/charmbracelet/bubbles/help"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Screen is one screen. It is a small model of its own with a pointer receiver,
// touched only by the event loop. Data reach it as snapshots, never as live
// structures.
type Screen interface {
	help.KeyMap // its own keys, for the footer and the help overlay
	Title() string
	SetSize(width, height int)
	SetData(Data) tea.Cmd // a new version arrived while on top, or the filter or run changed
	Update(tea.Msg) tea.Cmd
	View() string    // exactly height lines of at most width cells; cached unless something changed
	Capturing() bool // true while keys are text (a search box): global keys then do not apply
}

// Data is what a screen may look at: one snapshot, the run in focus and the
// filter in force.
type Data struct {
	Snapshot *store.Snapshot
	Run      string        // id of the run in focus, "" when there is none
	Filter   *query.Filter // never nil; the empty filter matches everything
	Marks    *Marks        // runs marked for comparison; nil is none
	Keys     Keys          // how the user's keys are written; nil is the defaults
}

// Name names a screen.
type Name string

// The screens, by the name used in the command line and in messages.
const (
	Runs     Name = "runs"
	Ranks    Name = "ranks"
	Topology Name = "topology"
	Spans    Name = "spans"
	Trace    Name = "trace"
	Metrics  Name = "metrics"
	Logs     Name = "logs"
	Ingest   Name = "ingest"

	Cardinality Name = "cardinality"
	Compare     Name = "compare"
	Steps       Name = "steps"
	Overview    Name = "overview"
)

// OpenMsg asks the program to show another screen, optionally on a target.
type OpenMsg struct {
	Screen Name
	Target Target
	Narrow string // when not "", the filter until one goes back from there
}

// Target says what the opened screen should show. Zero fields are left as they are.
type Target struct {
	Run          string
	Process      int // index in the run; -1 or 0 with HasProcess false: any
	HasProcess   bool
	Iteration    int64
	HasIteration bool
	TraceID      run.TraceID
	SpanID       run.SpanID
	Lanes        bool   // Trace: all ranks that the filter leaves, beside each other
	Measure      string // Topology: the measure to show, as analysis.Measure names it
}

// Targeter is a screen that can be opened on a target.
type Targeter interface{ SetTarget(Target) tea.Cmd }

// FilterMsg asks the program to set the filter (as text, so that it is shown).
type FilterMsg struct{ Text string }

// NoticeMsg asks the program to show one line until the next key.
type NoticeMsg struct{ Text string }
