package cardinalityscreen

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// run1 is an attribute with a number in its value.
type run1 struct {
	key string
	n   int
}

type run1s []run1

func (list run1s) attrs() []run.Attr {
	var out []run.Attr
	for _, a := range list {
		out = append(out, uitest.Text(a.key, fmt.Sprint("v", a.n)))
	}
	return out
}

// Every size, at the top and at the end, with a pane and without.
func TestEverySize(t *testing.T) {
	for _, s := range []*store.Snapshot{uitest.Snapshot(t), healthy(t), grown(t)} {
		for _, keys := range [][]string{nil, {"G"}, {"G", "enter"}, {"enter", "tab", "G"}, {"s"}, {"a", "s", "x"}} {
			m := open(t, s, "")
			uitest.Press(m, keys...)
			uitest.EverySize(t, m)
		}
	}
}

// Keys, values, metrics and span names of any kind drive nothing and hold their
// columns.
func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		f := newFeed(t)
		for n := range 60 {
			f.now += sec
			f.series(0, "m"+text, []run.Attr{uitest.Text("k"+text, fmt.Sprint(text, n))})
		}
		f.spans(text, []run.Attr{uitest.Text("dl.rnak", text)})
		m := New(uitest.Coloured())
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
			for _, keys := range [][]string{{"j"}, {"enter"}, {"s"}, {"esc", "esc"}} {
				uitest.Press(m, keys...)
				uitest.Harmless(t, m.View())
				uitest.Inside(t, m.View(), size[0], size[1])
			}
			m.Back()
		}
		if m.shown.Len() < 2 {
			t.Errorf("%d: nothing was found", i)
		}
	}
}

func TestGrowth(t *testing.T) {
	const now = int64(1000e9)
	for _, test := range []struct {
		name         string
		distinct     int
		first, grew  int64
		cell, detail string
	}{
		{"one value", 1, now - 100*sec, now - 100*sec, "", "one value so far"},
		{"all at once", 30, now - sec, now - sec, "at once", "all values came at once"},
		{"fast", 601, now - 60*sec, now, "600/min", "600/min on average over 1m00s; last new value just now"},
		{"slow", 4, now - 180*sec, now, "1.0/min", "1.0/min on average over 3m00s; last new value just now"},
		{"stopped", 100, now - 900*sec, now - 400*sec, "not for 6m", "11.9/min"},
		{"huge", 5_000_001, now - 60*sec, now - 2*sec, "5.17M/min", "last new value 2s ago"},
	} {
		if test.name == "stopped" {
			test.detail = "12/min on average over 8m20s; last new value 6m ago"
		}
		k := metricKey{stat: store.KeyStat{Distinct: test.distinct, First: test.first, GrewAt: test.grew, Exact: true}}
		if got := k.grew(now); got != test.cell {
			t.Errorf("%s: %q, want %q", test.name, got, test.cell)
		}
		if got := growthWords(&k, now); !strings.Contains(got, test.detail) {
			t.Errorf("%s: %q, want %q", test.name, got, test.detail)
		}
	}
	if k := (metricKey{}); !math.IsNaN(k.rate()) {
		t.Errorf("the rate of nothing is %v", k.rate())
	}
}

func TestBrokenOfEveryKind(t *testing.T) {
	for _, b := range []analysis.Broken{
		{Code: analysis.UnknownKey, Where: "resource", Name: "dl.rnak", Advice: "did you mean dl.rank?"},
		{Code: analysis.VaryingDouble, Level: run.Warning, Where: "span", Name: "loss", On: "step", Count: 51, Examples: []string{"0.1"}, Advice: "record it as a metric"},
		{Code: analysis.IDsInNames, Where: "span name", Name: "step_#", Count: 900, Examples: []string{"step_1", "step_2"}, Advice: "names should be low-cardinality"},
		{Code: "something new", Name: "x", Advice: "do y"},
	} {
		m := New(plain())
		m.seen = answer{run: "r", broken: []analysis.Broken{b}}
		m.data.Run = "r"
		m.SetSize(120, 20)
		m.arrange()
		uitest.Press(m, "enter")
		for _, want := range []string{b.Name, b.Advice, "what to do"} {
			if !strings.Contains(m.View(), want) {
				t.Errorf("%s: %q is missing in\n%s", b.Code, want, m.View())
			}
		}
	}
}

func TestLegendExplainsMarksInUse(t *testing.T) {
	if got := open(t, grown(t), "").legend(); !strings.Contains(got, "no bound") || !strings.Contains(got, "estimated") {
		t.Errorf("%q", got)
	}
	m := open(t, healthy(t), "")
	if uitest.Press(m, "a"); strings.Contains(m.legend(), "no bound") || strings.Contains(m.legend(), "estimated") {
		t.Errorf("marks that are not there are explained: %q", m.legend())
	}
}

func TestKeysAreListedOnce(t *testing.T) {
	m := open(t, grown(t), "")
	listed := map[string]bool{}
	for _, group := range m.FullHelp() {
		for _, b := range group {
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, k := range b.Keys() {
				if listed[k] {
					t.Errorf("%q does two things", k)
				}
				listed[k] = true
			}
		}
	}
	for _, a := range m.actions() {
		if !listed[a.on.Keys()[0]] {
			t.Errorf("%q is not in the help", a.on.Keys()[0])
		}
	}
	if m.Title() != "Cardinality" || m.Capturing() || len(m.ShortHelp()) != 5 {
		t.Errorf("%s, capturing %v, footer of %d", m.Title(), m.Capturing(), len(m.ShortHelp()))
	}
	uitest.Press(m, "s")
	if !m.Capturing() || m.ShortHelp()[1].Help().Desc != "cancel" || !m.Back() || m.Capturing() {
		t.Error("the list of columns has its own footer, and Esc closes it")
	}
}

func TestCopyWithoutAnything(t *testing.T) {
	m := open(t, &store.Snapshot{}, "")
	if got := m.CopyText(); got != "" {
		t.Errorf("copied %q", got)
	}
	if got := uitest.Press(m, "Y"); len(got) != 1 {
		t.Errorf("Y says %v", got)
	}
	m = open(t, uitest.Snapshot(t), "")
	if got := m.CopyText(); got != `eval "$(lensview env)"`+"\n" {
		t.Errorf("without a run y copies %q", got)
	}
}

func BenchmarkLook(b *testing.B) {
	d := uitest.Data(b, grown(b), "")
	for b.Loop() {
		look(d)
	}
}

func BenchmarkKey(b *testing.B) {
	m := open(b, grown(b), "")
	down, up := uitest.Key("j"), uitest.Key("k")
	for b.Loop() {
		m.Update(down)
		m.View()
		m.Update(up)
		m.View()
	}
}
