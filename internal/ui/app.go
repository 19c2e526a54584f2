package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/store"
	runsscreen "github.com/beamline-hpc/lensview/internal/ui/runs"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Options are what the program is given from outside.
type Options struct {
	Theme   theme.Theme
	Source  Source
	Screens []Entry // in the order of their keys; the first is shown first
	// Copy puts text on the clipboard of the terminal; nil when there is none.
	Copy func(string) error
	// CopyNote stands behind what y says, such as what a multiplexer needs.
	CopyNote string
	// Filter is the filter at the start, "" for none.
	Filter string
	// Save writes a new file and returns its path; one that exists is an error when
	// exact is set, else another name is found. nil when nothing may be written.
	Save func(name string, exact bool, text string) (string, error)
	// Loss is what would be lost if the program were left now, as a sentence, ""
	// for nothing; nil when nothing can be. record is how the key is written that
	// records.
	Loss func(s *store.Snapshot, record string) string
	// Restyle makes the screens for another theme; nil when that cannot be changed.
	Restyle func(theme.Theme) []Entry
	// Keys are the user's own.
	Keys Keys
	// Record starts a recording of what is received, in a directory ("" for one that
	// it names), or stops the one there is; it says what it did. How the recording is
	// doing is in the snapshot. nil when nothing is received.
	Record func(dir string) (string, error)
	// StopLoading ends the reading of files; how far it came is in the snapshot. nil
	// when no files are read.
	StopLoading func()
	// Still says that what is shown are files that do not grow.
	Still bool
}

// Entry is a screen under its name.
type Entry struct {
	Name   screen.Name
	Screen screen.Screen
}

// App is the program's model. The event loop owns it.
type App struct {
	opts    Options
	keys    keyMap
	screens map[screen.Name]screen.Screen
	top     screen.Name
	trail   []waypoint // where Esc leads
	size    size
	feed    feed
	head    head
	filter  *query.Filter
	ranks   chosenRanks   // part of the filter
	marks   *screen.Marks // runs marked for comparison
	over    overlay       // nil when there is none
	notices notices
	frame   frame
	remaps  map[screen.Name]remap // the user's keys of screens
	profile theme.Profile         // of the terminal
}

// size is the terminal's, in cells.
type size struct{ width, height int }

// frame is the last view and whether it still holds.
type frame struct {
	view  string
	stale bool
}

// New makes the program. It fails when the filter at the start does not parse or
// the user's keys do not fit.
func New(o Options) (*App, error) {
	filter, err := query.Parse(o.Filter)
	if err != nil {
		return nil, err
	}
	a := &App{
		opts: o, keys: defaultKeys(), screens: map[screen.Name]screen.Screen{},
		feed: newFeed(o.Source), head: head{kept: new(runsscreen.Kept)}, filter: filter, frame: frame{stale: true},
		remaps: map[screen.Name]remap{}, profile: o.Theme.Profile,
	}
	for _, e := range o.Screens {
		a.screens[e.Name] = e.Screen
	}
	a.top = o.Screens[0].Name
	return a, a.bindKeys(o.Keys)
}

// pollEvery bounds how often data may redraw the screen: 2.5 times a second. Keys
// redraw at once.
const pollEvery = 400 * time.Millisecond

type pollMsg struct{}

func poll() tea.Cmd {
	return tea.Tick(pollEvery, func(time.Time) tea.Msg { return pollMsg{} })
}

// Init starts the clock.
func (a *App) Init() tea.Cmd { return tea.Batch(poll(), a.refresh()) }

// Update takes one message. Whatever it is, the next View is drawn anew, but for
// a poll that found nothing.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(pollMsg); ok {
		return a, tea.Batch(poll(), a.polled())
	}
	a.frame.stale = true
	return a, a.handle(msg)
}

func (a *App) polled() tea.Cmd {
	if !a.feed.poll() {
		return nil
	}
	a.frame.stale = true
	if a.feed.paused {
		return nil
	}
	return a.refresh()
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.size = size{max(0, msg.Width), max(0, msg.Height)}
		a.resize()
	case tea.KeyMsg:
		return a.key(msg)
	case tea.MouseMsg:
		return a.mouse(msg)
	case tea.ResumeMsg: // bubbletea switches the mouse off and not on again
		return tea.Batch(tea.EnableMouseCellMotion, tea.HideCursor)
	case headMsg:
		return a.headed(msg)
	case routed:
		return a.route(msg)
	case doMsg:
		return msg()
	case ranksMsg:
		return a.filterRanks(string(msg))
	case screen.OpenMsg:
		return a.open(msg)
	case screen.FilterMsg:
		return a.setFilter(msg.Text)
	case screen.MarkMsg:
		a.marks = a.marks.Toggled(msg.Run)
		return a.refresh()
	case screen.CopyMsg:
		return a.copyText(msg.Text)
	case screen.NoticeMsg:
		a.notices.say(msg.Text)
		a.resize()
	}
	return nil
}

func (a *App) screen() screen.Screen { return a.screens[a.top] }

// refresh gives the screen on top what there is.
func (a *App) refresh() tea.Cmd {
	a.resize()
	return tea.Batch(a.sumUp(), a.from(a.top, a.screen().SetData(screen.Data{
		Snapshot: a.feed.shown, Run: a.feed.run, Filter: a.filter, Marks: a.marks, Keys: a.written(),
	})))
}

func (a *App) setFilter(text string) tea.Cmd {
	f, err := query.Parse(text)
	if err != nil {
		a.notices.say(err.Error())
		a.resize()
		return nil
	}
	a.filter = f
	if text := unknownKeys(f, a.feed.shown, a.feed.run); text != "" {
		a.notices.say(text)
	}
	return a.refresh()
}
