package overviewscreen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What the page says is what the analyses answer, word for word and figure for
// figure: nothing of it is worked out here.
func TestThePageSaysWhatTheAnalysesAnswer(t *testing.T) {
	for name, s := range cases(t) {
		if len(s.Runs) == 0 {
			continue
		}
		m := New(plain())
		m.SetSize(300, 80)
		uitest.Give(t, m, uitest.Data(t, s, ""))
		r := s.Runs[0]
		d := analysis.Diagnose(s, r, analysis.DiagnoseOptions{})
		page := strings.ReplaceAll(m.CopyText(), "\n", " ")
		for _, want := range append([]string{d.Verdict.Summary, string(d.Verdict.State), d.Coverage.String() + " seen"}, d.Verdict.CannotTell...) {
			if !strings.Contains(page, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, m.CopyText())
			}
		}
		for _, e := range d.Verdict.Evidence {
			if rest, said := strings.CutPrefix(e, d.Coverage.String()+" seen"); said {
				e = strings.TrimPrefix(rest, ", ")
			}
			if !strings.Contains(page, shortened(e, d.Verdict.Summary)) {
				t.Errorf("%s: the reason %q is missing in\n%s", name, e, m.CopyText())
			}
		}
		b := analysis.BreakdownOf(analysis.Scope{Run: r}, 0)
		for _, row := range b.Rows {
			if want := fmt.Sprintf("%s %.1f%%", row.Class, 100*row.Share); !strings.Contains(page, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, m.CopyText())
			}
		}
	}
}

// Every line that leads somewhere leads to a screen of this run, with a filter that
// parses, and Enter does what a click on it does.
func TestEveryLineLeadsSomewhereThatIsThere(t *testing.T) {
	for name, s := range cases(t) {
		for _, filter := range []string{"", "rank<1000"} {
			m := open(t, s, filter)
			for i := range m.lines {
				if m.lines[i].do == nil {
					continue
				}
				m.focusOn(i)
				got := uitest.Press(m, "enter")
				if len(got) != 1 {
					t.Fatalf("%s, %q: %v", name, m.lines[i].text, got)
				}
				to := got[0].(screen.OpenMsg)
				if to.Target.Run != s.Runs[0].ID || to.Screen == "" || to.Screen == screen.Overview {
					t.Errorf("%s, %q: %+v", name, m.lines[i].text, to)
				}
				if to.Narrow != "" {
					f := uitest.Filter(t, to.Narrow)
					if match := f.Bind(s.Runs[0]); !match.Run() {
						t.Errorf("%s, %q: the filter %q lets nothing through", name, m.lines[i].text, to.Narrow)
					}
				}
				if p := to.Target.Process; to.Target.HasProcess && (p < 0 || p >= len(s.Runs[0].Processes)) {
					t.Errorf("%s, %q: process %d", name, m.lines[i].text, p)
				}
			}
		}
	}
}

// Texts name the keys that the user has.
func TestKeysOfTheUserAreNamed(t *testing.T) {
	keys := screen.Keys{"": {"7": "F7", "4": "ctrl+t", "5": "S", "3": "R3", "i": "^I", "0": "^L"}, screen.Trace: {"]": ">"}}
	for name, want := range map[string][]string{
		"slow": {"next   F7  Trace: rank 5", "ctrl+t  Topology", "S  Steps"},
		"hang": {"next   F7  Trace: rank 3, its last iteration; > for what came after", "R3  Ranks: rank 3"},
	} {
		d := uitest.Data(t, cases(t)[name], "")
		d.Keys = keys
		m := New(plain())
		m.SetSize(120, 38)
		uitest.Give(t, m, d)
		wants(t, m, want...)
		lacks(t, m, "   7  Trace", "   4  Topology", "; ] for")
	}
	d := uitest.Data(t, withNotices(cases(t)["steady"], 40), "")
	d.Keys = keys
	m := New(plain())
	m.SetSize(120, 24)
	uitest.Give(t, m, d)
	if got := m.CopyText(); strings.Contains(got, ": i Ingest") {
		t.Errorf("a key that does nothing is named:\n%s", got)
	}
	wants(t, m, "more notices: ^I Ingest lists them")
}

// withNotices is a snapshot whose first run has so many notices.
func withNotices(s *store.Snapshot, n int) *store.Snapshot {
	r := *s.Runs[0]
	r.Notices = nil
	for i := range n {
		r.Notices = append(r.Notices, run.Notice{Code: fmt.Sprint("code-", i), Level: run.Warning, Text: fmt.Sprint("notice ", i), Run: r.ID})
	}
	o := *s
	o.Runs = []*store.Run{&r}
	return &o
}

// The plot holds every point that it shows between its ends, but those far beyond the
// usual, and leaves out what is in no step statistic.
func TestThePlotHoldsItsPoints(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		a := &answer{}
		n := 1 + dice.IntN(60)
		for i := range n {
			v := math.Exp(dice.NormFloat64())
			p := analysis.StepPoint{Iteration: int64(i), Median: v, Slowest: v * (1 + dice.Float64()/2), Rolling: 1}
			switch dice.IntN(8) {
			case 0:
				p.Excluded = "checkpoint"
			case 1:
				p.Median, p.Slowest = math.NaN(), math.NaN()
			}
			a.steps.Points = append(a.steps.Points, p)
		}
		plot := newPage(plain(), size{100, 30}, a, nil).plot(10)
		if plot.Y0 > plot.Y1 {
			t.Fatalf("from %v up to %v", plot.Y0, plot.Y1)
		}
		for _, c := range plot.Curves {
			for i, p := range c.Points {
				at := a.steps.Points[len(a.steps.Points)-len(c.Points)+i]
				switch {
				case at.Excluded != "" && !math.IsNaN(p.Y):
					t.Fatalf("what is left out is drawn: %+v", at)
				case math.IsNaN(p.Y):
				case p.Y < plot.Y0-1e-9:
					t.Fatalf("%v is below %v", p.Y, plot.Y0)
				case p.Y > plot.Y1+1e-9 && plot.Y1 < beyond*at.Rolling-1e-9:
					t.Fatalf("%v is above %v, and not far beyond the usual", p.Y, plot.Y1)
				}
			}
		}
	}
}

// The thresholds of the configuration are told among the notices, and from where a
// step counts as irregular.
func TestThresholdsAreTold(t *testing.T) {
	limits := run.Thresholds{IrregularRatio: 1.25, SpikeRatio: 1.2}
	o := *cases(t)["steady"]
	r := *o.Runs[0]
	r.Thresholds = limits
	o.Runs, o.Notices = []*store.Run{&r}, limits.Notices()
	m := open(t, &o, "")
	wants(t, m, "judged by own thresholds: spike-ratio 1.2 (default 1.1), irregular-ratio 1.25 (default 2)")
	for ratio, want := range map[float64]string{2: "twice the usual", 1.25: "1.25 times the usual"} {
		if got := irregularWord(ratio); got != want {
			t.Errorf("%v: %q", ratio, got)
		}
	}
	if m.seen.steps.IrregularRatio != 1.25 {
		t.Errorf("judged by %v", m.seen.steps.IrregularRatio)
	}
}

// Keys keep the focus on a line that leads somewhere, in sight, at every size.
func TestTheFocusIsAlwaysOnALineInSight(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 9))
	keys := []string{"j", "k", "n", "pgup", "pgdown", "g", "G", "down", "up"}
	for name, s := range cases(t) {
		m := open(t, s, "")
		if len(m.lines) == 0 {
			continue
		}
		for _, dim := range [][2]int{{40, 9}, {80, 22}, {120, 38}, {200, 60}} {
			m.SetSize(dim[0], dim[1])
			for range 40 {
				k := keys[dice.IntN(len(keys))]
				uitest.Press(m, k)
				at := m.focus()
				if at < 0 || m.lines[at].do == nil {
					t.Fatalf("%s at %v, after %q: on line %d", name, dim, k, at)
				}
				if m.top < 0 || m.top > max(0, len(m.lines)-1) {
					t.Fatalf("%s at %v, after %q: %d lines from %d", name, dim, k, len(m.lines), m.top)
				}
			}
		}
	}
}
