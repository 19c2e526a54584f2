package ui

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

func TestBackRestoresTheFilterFromBefore(t *testing.T) {
	p, _, b := probes(t)
	p.send(screen.FilterMsg{Text: "dp=1"})
	p.send(screen.OpenMsg{Screen: screen.Ranks, Narrow: "(dp=1) and pp=0"})
	if p.app.top != screen.Ranks || p.app.filter.String() != "(dp=1) and pp=0" {
		t.Fatalf("%s under %q", p.app.top, p.app.filter)
	}
	b.data = 0
	p.press("esc")
	if p.app.top != screen.Runs || p.app.filter.String() != "dp=1" {
		t.Errorf("back at %s under %q, want runs under dp=1", p.app.top, p.app.filter)
	}
}

func TestBackKeepsAFilterThatWasChangedSince(t *testing.T) {
	p, _, _ := probes(t)
	p.send(screen.OpenMsg{Screen: screen.Ranks, Narrow: "pp=0"})
	p.send(screen.FilterMsg{Text: "rank=3"})
	p.press("esc")
	if got := p.app.filter.String(); got != "rank=3" {
		t.Errorf("back under %q, want what was asked for last", got)
	}
}

func TestNarrowingThatDoesNotParseGoesNowhere(t *testing.T) {
	p, _, _ := probes(t)
	p.send(screen.OpenMsg{Screen: screen.Ranks, Narrow: "pp=="})
	if p.app.top != screen.Runs || !p.app.filter.Empty() || p.app.notices.said == "" {
		t.Errorf("%s under %q, said %q", p.app.top, p.app.filter, p.app.notices.said)
	}
}

func TestMarksReachEveryScreen(t *testing.T) {
	p, a, b := probes(t)
	a.next = screen.Mark("r1")
	p.press("m")
	p.send(screen.MarkMsg{Run: "r2"})
	if d := cmp.Diff([]string{"r1", "r2"}, a.marks.Runs()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	p.press("3")
	if b.marks != a.marks {
		t.Error("another screen has other marks")
	}
	p.send(screen.MarkMsg{Run: "r1"})
	if d := cmp.Diff([]string{"r2"}, b.marks.Runs()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestScreensCopyWhatTheyLike(t *testing.T) {
	p, a, _ := probes(t)
	var copied []string
	p.app.opts.Copy = func(s string) error { copied = append(copied, s); return nil }
	a.next = screen.Copy("the whole of it")
	p.press("m")
	if d := cmp.Diff([]string{"the whole of it"}, copied); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	p.app.opts.Copy = func(string) error { return errors.New("too much") }
	p.send(screen.CopyMsg{Text: "x"})
	if p.app.notices.said != "not copied: too much" {
		t.Errorf("said %q", p.app.notices.said)
	}
}
