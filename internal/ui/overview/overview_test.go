package overviewscreen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What the program asks a screen for: a method that is misspelled would be asked
// for in vain, without a word.
var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.Copier   = (*Model)(nil)
	_ screen.Releaser = (*Model)(nil)
)

func text(m *Model) string { return draw.ASCII(m.View()) }

func wants(t *testing.T, m *Model, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text(m), p) {
			t.Errorf("%q is missing in\n%s", p, text(m))
		}
	}
}

func TestAStragglerIsNamed(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	wants(t, m, "[! SLOW] rank 5 on gpu-0000: 1.50 x", "worst in 90 % of steps", "Trace: rank 5, iteration", "Topology, by compute: where rank 5 sits",
		"8 of 8 ranks seen", "s slowest rank", "left out: 1 checkpoint, 1 first", "blank dark", "pipeline bubble", "microbatch_backward", "loss")
	uitest.Press(m, "n")
	got := uitest.Press(m, "enter")
	if len(got) != 1 {
		t.Fatalf("%v", got)
	}
	to := got[0].(screen.OpenMsg)
	if to.Screen != screen.Trace || !to.Target.HasIteration || m.data.Snapshot.Runs[0].Processes[to.Target.Process].ID.Rank != 5 {
		t.Errorf("%+v", to)
	}
	uitest.Press(m, "n")
	if to := uitest.Press(m, "enter")[0].(screen.OpenMsg); to.Screen != screen.Topology || to.Target.Measure != "compute" {
		t.Errorf("%+v", to)
	}
}

func TestNobodyIsNamed(t *testing.T) {
	m := open(t, cases(t)["steady"], "")
	wants(t, m, "[ADVANCING]", "none of 8 ranks named slow", "next   6  Spans")
}

func TestAHangNamesTheSuspectAndWhatEachDidLast(t *testing.T) {
	m := open(t, cases(t)["hang"], "")
	wants(t, m, "[x STALLED]", "suspect rank 3 on gpu-0000", "last   rank 3: behind", "in iteration 13", "Trace: rank 3", "Ranks: rank 3", "limit 30 s")
	i := slices.IndexFunc(m.lines, func(l line) bool { return strings.HasPrefix(l.about, "place ranks 0") })
	if i < 0 {
		t.Fatalf("no line of the other ranks in\n%s", text(m))
	}
	m.at = m.lines[i].about
	got := uitest.Press(m, "enter")[0].(screen.OpenMsg)
	if got.Screen != screen.Ranks || got.Narrow != "rank=0..2 or rank=4..6" {
		t.Errorf("%+v", got)
	}
	uitest.Filter(t, got.Narrow)
}

func TestAFilterStaysInForce(t *testing.T) {
	m := open(t, cases(t)["hang"], "rank<8")
	wants(t, m, "of those in the filter")
	i := slices.IndexFunc(m.lines, func(l line) bool { return strings.HasPrefix(l.about, "place rank 3") })
	m.at = m.lines[i].about
	if got := uitest.Press(m, "enter")[0].(screen.OpenMsg); got.Narrow != "(rank<8) and (rank=3)" {
		t.Errorf("%+v", got)
	}
}

func TestMissingRanksAreSaid(t *testing.T) {
	wants(t, open(t, cases(t)["1024"], ""), "1,024 of 1,040 ranks seen", "never ranks 1024-1039", "never ranks")
}

func TestOneRankComparesNobody(t *testing.T) {
	m := open(t, cases(t)["1-rank"], "")
	wants(t, m, "cannot tell who is slow", "1 of 1 rank seen", "no loss, gradient norm")
}

func TestNothingArrived(t *testing.T) {
	m := open(t, cases(t)["none"], "")
	wants(t, m, "Nothing has arrived yet")
	if !strings.Contains(m.CopyText(), `eval "$(lensview env)"`) {
		t.Error(m.CopyText())
	}
}

func TestCopyIsThePageInWords(t *testing.T) {
	got := open(t, cases(t)["slow"], "").CopyText()
	for _, want := range []string{"[! SLOW] rank 5 on gpu-0000: 1.50 × the compute of its like\n", "why  worst in", "next  7  Trace", "ranks  8 of 8 ranks seen", "steps  m median"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// Every line comes into sight by the keys, and the focus is always in sight.
func TestEveryLineCanBeSeen(t *testing.T) {
	for name, s := range cases(t) {
		m := open(t, s, "")
		for _, size := range [][2]int{{40, 10}, {80, 22}, {80, 5}, {60, 3}} {
			m.SetSize(size[0], size[1])
			uitest.Press(m, "g")
			seen := map[int]bool{}
			for range 2 * len(m.lines) {
				for i := m.top; i < m.top+size[1]; i++ {
					seen[i] = true
				}
				if at := m.focus(); at >= 0 && (at < m.top || at >= m.top+size[1]) && !m.away {
					t.Fatalf("%s, %v: line %d, from %d on", name, size, at, m.top)
				}
				uitest.Press(m, "j")
				uitest.Inside(t, m.View(), size[0], size[1])
			}
			for i := range m.lines {
				if !seen[i] {
					t.Errorf("%s, %v: line %d of %d was never in sight", name, size, i, len(m.lines))
				}
			}
			for range 2 * len(m.lines) {
				uitest.Press(m, "k")
			}
			if len(m.lines) > 0 && m.top != 0 {
				t.Errorf("%s, %v: going up ends at line %d", name, size, m.top)
			}
		}
	}
}

func TestMouse(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	y := slices.IndexFunc(m.lines, func(l line) bool { return l.about == "steps" })
	m.Update(uitest.Click(10, y))
	if m.at != "steps" {
		t.Errorf("at %q", m.at)
	}
	if got := uitest.Settle(m, m.Update(uitest.Click(10, y))); len(got) != 1 || got[0].(screen.OpenMsg).Screen != screen.Steps {
		t.Errorf("%v", got)
	}
	m.SetSize(80, 8)
	m.Update(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	m.Update(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp})
	for _, at := range [][2]int{{0, 500}, {-1, -1}, {500, 0}} {
		m.Update(uitest.Click(at[0], at[1]))
	}
}

func TestHostileText(t *testing.T) {
	for _, text := range uitest.Hostile() {
		s := uitest.Snapshot(t, uitest.Training{Run: text, Ranks: 4, Steps: 6, Slow: 2})
		for _, r := range s.Runs {
			r.Service, r.User, r.Job = text, text, text
			r.Notices = append(r.Notices, run.Notice{Code: text, Level: run.Critical, Text: text})
			for _, p := range r.Processes {
				p.ID.Host = text
			}
		}
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(100, 20)
		uitest.Give(t, m, uitest.Data(t, s, ""))
		for _, k := range []string{"G", "n", "g"} {
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), 100, 20)
			uitest.Press(m, k)
		}
	}
}

func TestReleaseKeepsTheView(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	uitest.ReleaseKeepsTheView(t, m, func() *store.Snapshot { return m.data.Snapshot })
}

// What costs much is looked at anew every two seconds of a live run, later when it
// took long, and for every version of a file.
func TestHowLongTheSlowPartHolds(t *testing.T) {
	q := question{run: "r"}
	for _, test := range []struct {
		name string
		s    store.Snapshot
		took time.Duration
		want bool
	}{
		{"the same version", store.Snapshot{Version: 7, Now: 99e9}, 0, true},
		{"a second later", store.Snapshot{Version: 8, Now: 11e9, Live: true}, 0, true},
		{"two seconds later", store.Snapshot{Version: 8, Now: 12e9, Live: true}, 0, false},
		{"five seconds later, after one of work", store.Snapshot{Version: 8, Now: 15e9, Live: true}, time.Second, true},
		{"ten seconds later, after one of work", store.Snapshot{Version: 8, Now: 20e9, Live: true}, time.Second, false},
		{"a run that is over", store.Snapshot{Version: 8, Now: 11e9}, 0, false},
		{"a file", store.Snapshot{Version: 8, Now: 11e9, Live: true, Clock: store.SenderClock}, 0, false},
		{"a clock that went back", store.Snapshot{Version: 8, Now: 9e9, Live: true}, 0, false},
	} {
		k := slowKept{of: q, Aged: screen.Aged{Version: 7, Now: 10e9, Took: test.took}}
		if got := k.holds(&test.s, q); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if k.holds(&test.s, question{run: "other"}) || (&slowKept{of: q, Aged: screen.Aged{Version: 7}}).holds(&test.s, q) {
			t.Errorf("%s: of another question, or of none", test.name)
		}
	}
}

func TestEventsOfSteps(t *testing.T) {
	a := &answer{steps: analysis.StepSeries{Shifts: []analysis.Shift{{Iteration: 4, Change: 0.2}}}}
	a.steps.Points = []analysis.StepPoint{{Iteration: 1, Excluded: "first"}, {Iteration: 2, Spike: true}, {Iteration: 3, Spike: true, Irregular: true},
		{Iteration: 4, Spike: true}, {Iteration: 5, SlowestOddity: true}, {Iteration: 6}}
	p := newPage(plain(), size{80, 22}, a, nil)
	var got []event
	for i := range a.steps.Points {
		got = append(got, p.eventOf(&a.steps.Points[i]))
	}
	if want := []event{leftOut, spike, irregular, shifted, slowOdd, nothing}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAStepOfAHundredDoesNotFlattenTheOthers(t *testing.T) {
	a := &answer{}
	for i := range 30 {
		a.steps.Points = append(a.steps.Points, analysis.StepPoint{Iteration: int64(i), Median: 1, Slowest: 1, Rolling: 1})
	}
	a.steps.Points[12].Median, a.steps.Points[12].Slowest = 100, 100
	if p := newPage(plain(), size{80, 22}, a, nil).plot(8); p.Y1 != 3 || p.Y0 != 1 {
		t.Errorf("from %v to %v", p.Y0, p.Y1)
	}
	a.steps.Points = a.steps.Points[:1]
	a.steps.Points[0].Median, a.steps.Points[0].Slowest, a.steps.Points[0].Rolling = math.NaN(), math.NaN(), math.NaN()
	newPage(plain(), size{80, 22}, a, nil).all()
}

func TestListsOfRanks(t *testing.T) {
	for _, test := range []struct {
		ranks      []int
		text, rule string
	}{
		{[]int{5}, "rank 5", "rank=5"}, {[]int{0, 1, 2, 7}, "ranks 0–2, 7", "rank=0..2 or rank=7"},
		{[]int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}, "ranks 1, 3, 5, 7, 9, 11, 13, 15, …", "rank=1 or rank=3 or rank=5 or rank=7 or rank=9 or rank=11 or rank=13 or rank=15 or rank=17 or rank=19"},
	} {
		if got := listRanks(test.ranks); got != test.text {
			t.Errorf("%q, want %q", got, test.text)
		}
		if got := rankFilter(test.ranks); got != test.rule {
			t.Errorf("%q, want %q", got, test.rule)
		}
		uitest.Filter(t, rankFilter(test.ranks))
	}
}

func TestNoticesTheGravestFirst(t *testing.T) {
	a := &answer{checks: []run.Notice{{Code: "a", Text: "info"}, {Code: "b", Level: run.Warning, Text: "warning"}}}
	a.slow.health = []run.Notice{{Code: "c", Level: run.Critical, Text: "critical"}}
	var got []string
	for _, n := range a.notices() {
		got = append(got, n.Code)
	}
	if fmt.Sprint(got) != "[c b a]" {
		t.Error(got)
	}
}

func BenchmarkLook1024(b *testing.B) {
	d := uitest.Data(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 1024, Steps: 40, Slow: 7}), "")
	k, q := &kept{}, question{run: "r"}
	b.Run("slow part", func(b *testing.B) {
		for b.Loop() {
			(&kept{}).look(d, q, true)
		}
	})
	k.look(d, q, true)
	b.Run("between", func(b *testing.B) {
		for b.Loop() {
			k.look(d, q, true)
		}
	})
}

func BenchmarkCompose(b *testing.B) {
	m := open(b, cases(b)["slow"], "")
	for b.Loop() {
		m.compose()
		m.View()
	}
}
