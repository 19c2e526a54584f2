package ui

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// probe is a screen that notes what it gets.
type probe struct {
	name      string
	got       []tea.Msg
	data      int
	target    screen.Target
	marks     *screen.Marks
	capturing bool
	open      bool // something to go back from
	next      tea.Cmd
}

type note string

func (p *probe) ShortHelp() []key.Binding          { return nil }
func (p *probe) FullHelp() [][]key.Binding         { return nil }
func (p *probe) Title() string                     { return p.name }
func (p *probe) SetSize(int, int)                  {}
func (p *probe) SetData(d screen.Data) tea.Cmd     { p.data++; p.marks = d.Marks; return nil }
func (p *probe) Capturing() bool                   { return p.capturing }
func (p *probe) View() string                      { return "" }
func (p *probe) SetTarget(t screen.Target) tea.Cmd { p.target = t; return nil }
func (p *probe) Back() bool                        { was := p.open; p.open = false; return was }

func (p *probe) Update(msg tea.Msg) tea.Cmd {
	p.got = append(p.got, msg)
	cmd := p.next
	p.next = nil
	return cmd
}

func probes(t *testing.T) (*program, *probe, *probe) {
	a, b := &probe{name: "a"}, &probe{name: "b"}
	p := start(t, &store.Snapshot{}, func(o *Options) {
		o.Theme = theme.New(theme.Options{})
		o.Screens = []Entry{{screen.Runs, a}, {screen.Ranks, b}}
	})
	return p, a, b
}

func TestAnswersFindTheirScreen(t *testing.T) {
	p, a, b := probes(t)
	a.next = func() tea.Msg {
		return tea.BatchMsg{func() tea.Msg { return note("one") }, func() tea.Msg { return note("two") }, nil}
	}
	_, cmd := p.app.Update(uitest.Key("x"))
	p.press("3")
	p.do(cmd)
	if len(a.got) != 3 || a.got[1] != note("one") || a.got[2] != note("two") || len(b.got) != 0 {
		t.Errorf("a got %v, b got %v; want both answers at a, which is not on top", a.got, b.got)
	}
}

func TestMessagesForTheProgramPass(t *testing.T) {
	p, a, b := probes(t)
	a.next = screen.Open(screen.Ranks, screen.Target{Process: 4, HasProcess: true})
	p.press("x")
	if p.app.top != screen.Ranks || !b.target.HasProcess || b.target.Process != 4 {
		t.Errorf("on top %s, with target %+v", p.app.top, b.target)
	}
	b.next = screen.Say("hello")
	p.press("x")
	p.wants(p.app.notices.line("i"), "hello")
	b.next = func() tea.Msg { return screen.FilterMsg{Text: "rank=5"} }
	p.press("x")
	if p.app.filter.String() != "rank=5" {
		t.Errorf("filter %q", p.app.filter)
	}
	b.next = func() tea.Msg { return screen.FilterMsg{Text: "rank="} }
	p.press("x")
	p.wants(p.app.notices.line("i"), "expected")
	if p.app.filter.String() != "rank=5" {
		t.Errorf("a filter that does not parse replaced %q", p.app.filter)
	}
}

func TestKeysGoToAScreenThatCaptures(t *testing.T) {
	p, a, _ := probes(t)
	a.capturing = true
	p.press("q", "3", "?", "/", " ")
	if len(a.got) != 5 || p.quit || p.app.over != nil || p.app.top != screen.Runs {
		t.Errorf("the screen got %v while it captured text", a.got)
	}
	p.press("ctrl+c")
	if !p.quit {
		t.Error("^C does not quit while a screen captures")
	}
}

func TestBackClosesInsideFirst(t *testing.T) {
	p, a, b := probes(t)
	p.send(screen.OpenMsg{Screen: screen.Ranks})
	b.open = true
	p.press("esc")
	if p.app.top != screen.Ranks || b.open {
		t.Error("Esc left the screen before what was open in it")
	}
	b.open = true
	p.press("q")
	if p.app.top != screen.Ranks || b.open {
		t.Error("q left the screen before what was open in it")
	}
	p.press("q")
	if p.app.top != screen.Runs {
		t.Error("q does not go back")
	}
	a.open = true
	p.press("q")
	if p.quit || a.open {
		t.Error("q quit before what was open")
	}
}

func TestOnlyTheScreenOnTopGetsData(t *testing.T) {
	p, a, b := probes(t)
	before := b.data
	p.source.snap = &store.Snapshot{Version: 99}
	p.tick()
	if b.data != before || a.data < 2 {
		t.Errorf("a got data %d times, b %d more", a.data, b.data-before)
	}
	p.press("3")
	if b.data == before {
		t.Error("a screen that comes to the top gets no data")
	}
}
