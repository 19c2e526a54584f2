package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	ingestscreen "github.com/beamline-hpc/lensview/internal/ui/ingest"
	ranksscreen "github.com/beamline-hpc/lensview/internal/ui/ranks"
	runsscreen "github.com/beamline-hpc/lensview/internal/ui/runs"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

// source is a source whose snapshot the test sets.
type source struct {
	snap  *store.Snapshot
	asked int // for a version
	taken int // snapshots
}

func (s *source) Version() uint64           { s.asked++; return s.snap.Version }
func (s *source) Snapshot() *store.Snapshot { s.taken++; return s.snap }

// program runs an App without a terminal: commands run at once, but for the
// clock, whose ticks the test sends.
type program struct {
	t      testing.TB
	app    *App
	source *source
	copied []string
	quit   bool
}

func start(t testing.TB, s *store.Snapshot, change ...func(*Options)) *program {
	t.Helper()
	p := &program{t: t, source: &source{snap: s}}
	th := theme.New(theme.Options{ASCII: true})
	o := Options{Theme: th, Source: p.source, Copy: func(text string) error { p.copied = append(p.copied, text); return nil },
		Screens: []Entry{{screen.Runs, runsscreen.New(th)}, {screen.Ranks, ranksscreen.New(th)}, {screen.Ingest, ingestscreen.New(th)}}}
	for _, f := range change {
		f(&o)
	}
	app, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p.app = app
	p.send(tea.WindowSizeMsg{Width: 120, Height: 30})
	p.do(app.refresh())
	return p
}

// do runs a command and all that follows from it.
func (p *program) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, pollMsg:
	case tea.QuitMsg:
		p.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			p.do(c)
		}
	default:
		p.send(msg)
	}
}

func (p *program) send(msg tea.Msg) {
	_, cmd := p.app.Update(msg)
	if cmd != nil {
		p.do(cmd)
	}
}

// tick is what the clock does, without its waiting.
func (p *program) tick() { p.do(p.app.polled()) }

func (p *program) press(keys ...string) {
	for _, k := range keys {
		p.send(uitest.Key(k))
	}
}

func (p *program) typed(text string) {
	for _, r := range text {
		p.press(string(r))
	}
}

func (p *program) view() string   { return p.app.View() }
func (p *program) header() string { return strings.SplitN(p.view(), "\n", 2)[0] }

func (p *program) footer() string {
	lines := strings.Split(p.view(), "\n")
	return lines[len(lines)-1]
}

func (p *program) wants(where, text string) {
	p.t.Helper()
	if !strings.Contains(where, text) {
		p.t.Errorf("%q is missing in:\n%s", text, where)
	}
}

func (p *program) lacks(where, text string) {
	p.t.Helper()
	if strings.Contains(where, text) {
		p.t.Errorf("%q is there, in:\n%s", text, where)
	}
}

func training(t testing.TB) *store.Snapshot {
	return uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 62, World: 64, Steps: 12, Slow: 5, Quiet: 1})
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 1024} {
		var runs []uitest.Training
		if ranks > 0 {
			runs = append(runs, uitest.Training{Run: "llama-70b", Ranks: ranks, Steps: 4, Slow: 5, Quiet: 3})
		}
		p := start(t, uitest.Snapshot(t, runs...))
		for _, size := range uitest.Sizes() {
			p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for _, key := range []string{"1", "3"} {
				p.press(key)
				uitest.Golden(t, fmt.Sprintf("screen%s-%d-ranks-%dx%d", key, ranks, size[0], size[1]), p.view())
			}
		}
	}
}

func TestHeaderSaysHowTheRunIs(t *testing.T) {
	p := start(t, training(t))
	for _, want := range []string{"1 Runs", "llama-70b", "it 12", "62/64 ranks", "* LIVE"} {
		p.wants(p.header(), want)
	}
	p.press("3")
	p.wants(p.header(), "3 Ranks")
}

func TestHeaderDropsWhatMattersLess(t *testing.T) {
	p := start(t, training(t))
	p.send(tea.WindowSizeMsg{Width: 40, Height: 12})
	p.wants(p.header(), "1 Runs")
	p.wants(p.header(), "* LIVE")
	p.lacks(p.header(), "llama")
}

func TestScreensKeepTheirState(t *testing.T) {
	p := start(t, training(t))
	p.press("3", "j", "j", "b", "1", "3")
	p.wants(p.view(), "by host")
	if got := p.app.screen().(*ranksscreen.Model).CopyText(); !strings.Contains(got, "rank 2") {
		t.Errorf("the cursor is on %q, was on rank 2", got)
	}
}

func TestEnterGoesInAndEscComesBack(t *testing.T) {
	p := start(t, training(t))
	p.press("enter")
	p.wants(p.header(), "3 Ranks")
	p.press("esc")
	p.wants(p.header(), "1 Runs")
	p.press("enter", "q")
	p.wants(p.header(), "1 Runs")
	if p.quit {
		t.Error("q left the program from a screen that was gone into")
	}
	p.press("q")
	if !p.quit {
		t.Error("q at the first screen does not quit")
	}
}

func TestEscNeverQuits(t *testing.T) {
	p := start(t, training(t))
	p.press("esc", "esc", "esc")
	if p.quit {
		t.Error("Esc quit")
	}
	p.press("ctrl+c")
	if !p.quit {
		t.Error("^C did not quit")
	}
}

func TestUnknownScreensAreNotBound(t *testing.T) {
	p := start(t, training(t))
	p.press("7")
	p.wants(p.header(), "1 Runs")
	p.send(screen.OpenMsg{Screen: screen.Trace})
	p.wants(p.header(), "1 Runs")
}

func TestNothingHappensWhenNothingChanged(t *testing.T) {
	p := start(t, training(t))
	first, taken := p.view(), p.source.taken
	for range 10 {
		p.tick()
		if p.app.frame.stale {
			t.Fatal("a poll that found nothing made the view stale")
		}
	}
	if p.view() != first || p.source.taken != taken {
		t.Errorf("polls that found nothing took %d snapshots", p.source.taken-taken)
	}
}

func TestNewDataReachTheScreenOnTopOnly(t *testing.T) {
	p := start(t, training(t))
	p.source.snap = uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 64, Steps: 20, Slow: -1})
	p.source.snap.Version += 1000
	p.tick()
	p.wants(p.header(), "64/64 ranks")
	p.wants(p.header(), "it 20")
	p.press("3")
	p.wants(p.view(), "64 of 64 ranks seen")
}

func TestPause(t *testing.T) {
	p := start(t, training(t))
	p.press("p")
	p.wants(p.header(), "= PAUSED")
	next := *p.source.snap
	next.Version += 5
	next.Accounts[run.Traces].Received += 12_345
	next.Runs = nil
	p.source.snap = &next
	p.tick()
	p.wants(p.header(), "12.3k new")
	p.wants(p.view(), "llama-70b")
	p.press(" ")
	p.lacks(p.header(), "PAUSED")
	p.lacks(p.view(), "llama-70b")
}

func TestFilter(t *testing.T) {
	p := start(t, training(t))
	p.press("3", "/")
	p.typed("rank=3..4")
	p.wants(p.view(), "/ rank=3..4_")
	p.press("enter")
	p.wants(p.header(), "/rank=3..4")
	p.wants(p.view(), "1-2 of 2")
	p.press("1")
	p.wants(p.header(), "/rank=3..4")
	p.press("X")
	p.lacks(p.header(), "/rank")
}

func TestFilterErrorPoints(t *testing.T) {
	p := start(t, training(t))
	p.press("/")
	p.typed("rank=0 and and")
	lines := strings.Split(p.view(), "\n")
	text, pointer, message := lines[len(lines)-4], lines[len(lines)-3], lines[len(lines)-2]
	at := strings.Index(pointer, "^")
	if at < 0 || !strings.HasPrefix(text[at:], "and") || !strings.Contains(message, "col 12") {
		t.Errorf("the error does not point at the second and:\n%s\n%s\n%s", text, pointer, message)
	}
	p.press("enter")
	p.wants(p.view(), "/ rank=0 and and_")
	p.press("esc")
	p.lacks(p.view(), "rank=0")
}

func TestFilterCompletes(t *testing.T) {
	p := start(t, training(t))
	p.press("/")
	p.typed("ho")
	p.wants(p.view(), "host")
	p.press("tab")
	bar := p.app.over.(*filterBar)
	if !strings.HasPrefix(bar.input.Value(), "host") {
		t.Errorf("Tab made %q of ho", bar.input.Value())
	}
	p.press("ctrl+u")
	p.press("down", "down", "up")
	if bar.chosen != 0 {
		t.Errorf("down, down, up chose offer %d, want the first", bar.chosen)
	}
	p.press("enter")
	if p.app.over == nil || bar.input.Value() == "" {
		t.Error("Enter on an offer takes the offer, not the filter")
	}
}

func TestFilterAtTheStart(t *testing.T) {
	p := start(t, training(t), func(o *Options) { o.Filter = "rank=1" })
	p.wants(p.header(), "/rank=1")
	_, err := New(Options{Filter: "rank=", Source: &source{snap: &store.Snapshot{}}, Screens: []Entry{{screen.Runs, runsscreen.New(theme.Theme{})}}})
	if err == nil {
		t.Error("a filter that does not parse was taken")
	}
}

func TestCopy(t *testing.T) {
	p := start(t, training(t))
	p.press("y")
	if len(p.copied) != 1 || p.copied[0] != "llama-70b" {
		t.Errorf("copied %q", p.copied)
	}
	p.wants(p.view(), "! sent to the terminal's clipboard: llama-70b")
	p.press("j")
	p.lacks(p.view(), "clipboard")

	p = start(t, &store.Snapshot{})
	p.press("y")
	p.wants(p.view(), "nothing is selected")
	p = start(t, training(t), func(o *Options) { o.Copy = nil })
	p.press("y")
	p.wants(p.view(), "takes no copies")
	p = start(t, training(t), func(o *Options) { o.Copy = func(string) error { return errors.New("no clipboard here") } })
	p.press("y")
	p.wants(p.view(), "not copied: no clipboard here")
}

func TestNoticeLine(t *testing.T) {
	s := training(t)
	s.Notices = []run.Notice{{Code: "a", Level: run.Warning, Text: "first warning"}, {Code: "b", Level: run.Critical, Text: "disk is full"},
		{Code: "c", Level: run.Info, Text: "by the way"}}
	p := start(t, s)
	p.wants(p.view(), "! disk is full (+")
	p.wants(p.header(), "!")
	before := len(strings.Split(p.view(), "\n"))
	p.press("esc")
	p.lacks(p.view(), "disk is full")
	p.wants(p.header(), "!")
	if after := len(strings.Split(p.view(), "\n")); after != before {
		t.Errorf("%d lines after the notice went, were %d", after, before)
	}
}

func TestKeysThatArriveTogetherCountEach(t *testing.T) {
	p := start(t, training(t))
	p.press("31", "3")
	p.wants(p.header(), "3 Ranks")
	p.press("jjj")
	if got := p.app.screen().(*ranksscreen.Model).CopyText(); !strings.Contains(got, "rank 3 ") {
		t.Errorf("jjj in one message selected %q", got)
	}
	p.press("/", "rank=1 and host=node")
	p.wants(p.view(), "/ rank=1 and host=node_")
}

func TestMouseReachesTheScreen(t *testing.T) {
	p := start(t, training(t))
	p.press("3")
	p.send(uitest.Click(4, 6)) // header, summary, heading, ranks 0, 1, 2, 3
	if got := p.app.screen().(*ranksscreen.Model).CopyText(); !strings.Contains(got, "rank 3 ") {
		t.Errorf("a click on the row of rank 3 selected %q", got)
	}
	p.send(uitest.Click(4, 0))
	p.send(uitest.Click(4, 29))
	p.press("?")
	p.send(uitest.Click(4, 8))
	p.press("esc")
	if got := p.app.screen().(*ranksscreen.Model).CopyText(); !strings.Contains(got, "rank 3 ") {
		t.Errorf("clicks outside the screen and under the help moved to %q", got)
	}
}

func TestMouseComesBackAfterSuspend(t *testing.T) {
	p := start(t, training(t))
	_, cmd := p.app.Update(tea.ResumeMsg{})
	if cmd == nil {
		t.Fatal("after fg nothing switches the mouse on again")
	}
}

func TestTooSmall(t *testing.T) {
	p := start(t, training(t))
	for _, size := range [][2]int{{39, 12}, {40, 11}, {10, 3}, {1, 1}, {0, 0}} {
		p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		uitest.Inside(t, p.view(), size[0], size[1])
	}
	p.send(tea.WindowSizeMsg{Width: 39, Height: 12})
	p.wants(p.view(), "terminal too small (need 40x12)")
	p.send(tea.WindowSizeMsg{Width: 14, Height: 3})
	p.wants(p.view(), "need 40x12")
}

func TestAnySequenceOfSizes(t *testing.T) {
	p := start(t, training(t))
	for _, keys := range [][]string{{"3", "G"}, {"?"}, {"esc", "/", "r"}, {"esc", "i", "tab"}} {
		p.press(keys...)
		want := ""
		for _, size := range [][2]int{{80, 24}, {1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {40, 12}, {200, 60}, {80, 24}} {
			p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			uitest.Inside(t, p.view(), size[0], size[1])
			if size == [2]int{80, 24} && want == "" {
				want = p.view()
			}
		}
		if p.view() != want {
			t.Errorf("after %v at 80x24 again the view is another:\n%s\nwas:\n%s", keys, p.view(), want)
		}
	}
}

func TestEverySize(t *testing.T) {
	p := start(t, training(t), func(o *Options) { o.Filter = "rank=0..63 and not truncated" })
	for height := 0; height <= 60; height += 1 + height/8 {
		for width := 0; width <= 200; width += 1 + width/16 {
			p.send(tea.WindowSizeMsg{Width: width, Height: height})
			uitest.Inside(t, p.view(), width, height)
		}
	}
}

func TestASCIITerminalsGetASCII(t *testing.T) {
	p := start(t, uitest.Snapshot(t, uitest.Training{Run: "训练-run", Ranks: 4, Steps: 3, Slow: -1}))
	for _, key := range []string{"1", "3", "i", "?"} {
		p.press(key)
		for _, r := range p.view() {
			if r >= 0x80 {
				t.Fatalf("%U on a terminal that shows ASCII only:\n%s", r, p.view())
			}
		}
	}
}

func TestHostileTextInHeaderNoticeAndFilter(t *testing.T) {
	for _, text := range uitest.Hostile() {
		s := uitest.Snapshot(t, uitest.Training{Run: "r" + text, Ranks: 1, Steps: 2, Slow: -1})
		s.Notices = []run.Notice{{Code: text, Level: run.Critical, Text: text}}
		p := start(t, s, func(o *Options) { o.Theme = theme.New(theme.Options{Profile: theme.TrueColor}) })
		p.press("/")
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		uitest.Harmless(t, p.view())
		uitest.Inside(t, p.view(), 120, 30)
		p.press("enter")
		uitest.Harmless(t, p.view())
		uitest.Inside(t, p.view(), 120, 30)
	}
}
