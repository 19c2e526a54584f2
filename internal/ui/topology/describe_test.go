package topologyscreen

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestRanksText(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		want  string
	}{
		{[]int{3}, "rank 3"}, {[]int{4, 5, 6, 7}, "ranks 4–7"}, {[]int{1, 3}, "ranks 1, 3"}, {[]int{0, 8, 16, 24}, "ranks 0, 8, 16, 24"},
		{[]int{0, 8, 16, 24, 32}, "ranks 0, 8, 16, …"}, {[]int{run.Unknown, 5}, "rank 5"}, {[]int{run.Unknown}, "ranks unknown"}, {nil, "ranks unknown"},
	} {
		m := New(plain())
		w := &analysis.GridGroup{}
		for i, r := range c.ranks {
			m.seen.grid.Cells = append(m.seen.grid.Cells, analysis.GridCell{Rank: r})
			w.Cells = append(w.Cells, i)
		}
		if got := m.ranksText(w); got != c.want {
			t.Errorf("%v: %q, want %q", c.ranks, got, c.want)
		}
	}
	if got := rankWord(&analysis.GridCell{Rank: run.Unknown}); got != "this rank" {
		t.Errorf("a rank without a number is %q", got)
	}
}

func TestHostsText(t *testing.T) {
	for _, c := range []struct {
		hosts []string
		want  string
	}{
		{[]string{"a"}, "host a"}, {[]string{"a", "a"}, "host a"}, {[]string{"a", "b", "a", "c"}, "host a and 2 more"}, {[]string{""}, "host –"},
	} {
		m := New(plain())
		m.seen.in = &store.Run{}
		w := &analysis.GridGroup{}
		for i, h := range c.hosts {
			m.seen.in.Processes = append(m.seen.in.Processes, &store.Process{ID: run.Identity{Host: h}})
			m.seen.grid.Cells = append(m.seen.grid.Cells, analysis.GridCell{Process: i})
			w.Cells = append(w.Cells, i)
		}
		m.seen.grid.Cells = append(m.seen.grid.Cells, analysis.GridCell{Process: -1})
		w.Cells = append(w.Cells, len(c.hosts))
		if got := m.hostsText(w); got != c.want {
			t.Errorf("%q: %q, want %q", c.hosts, got, c.want)
		}
	}
}

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		iteration int64
		has       bool
		age       float64
		want      string
	}{
		{1234, true, 3, "iteration 1234|3s ago"}, {0, true, 0.2, "iteration 0|just now"}, {0, false, 600, "10m ago"}, {0, false, math.NaN(), ""},
		{7, true, math.NaN(), "iteration 7"},
	} {
		if got := strings.Join(progress(c.iteration, c.has, c.age), "|"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestFocusLinesLoseNothingAtWidth(t *testing.T) {
	m := open(t, training(t), "")
	full := strings.Join(m.describe(), " ")
	for width := 60; width < 200; width++ {
		m.SetSize(width, 30)
		lines := m.focusLines(2)
		var got []string
		for i, l := range lines {
			if draw.Width(l) != width {
				t.Fatalf("%d cells: line %d is %d", width, i, draw.Width(l))
			}
			got = append(got, strings.Fields(strings.TrimPrefix(draw.ASCII(l), ">"))...)
		}
		if want := strings.Fields(draw.ASCII(full)); !slices.Equal(got, want) {
			t.Fatalf("%d cells: %q, want %q", width, got, want)
		}
	}
	m.SetSize(16, 30)
	if got := m.focusLines(1); !strings.Contains(got[0], "worker pp 0") {
		t.Errorf("16 cells: %q", got)
	}
}

func TestScaleText(t *testing.T) {
	s := newScale(0.5, 1.5)
	if s.text(1.25) != "1.250s" || s.number(1.25) != "1.250" || s.width != 5 {
		t.Errorf("%q %q in %d cells", s.text(1.25), s.number(1.25), s.width)
	}
	for level := range theme.Levels {
		if got, ok := s.level(s.bound(level) + 1e-9); got != level || !ok {
			t.Errorf("the bound of shade %d has shade %d", level, got)
		}
	}
	if _, ok := s.level(math.NaN()); ok {
		t.Error("no value has a shade")
	}
}

func TestSeenText(t *testing.T) {
	for want, g := range map[string]analysis.Grid{"1 rank seen": {Seen: 1, World: run.Unknown}, "3 of 4 ranks": {Seen: 3, World: 4}, "1,024 of 1,024 ranks": {Seen: 1024, World: 1024}} {
		if got := seenText(&g); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if roleWord("") != "no role" || roleWord("trainer") != "trainer" {
		t.Error("words for roles")
	}
}

// Every number that the legend gives is where a shade begins.
func TestLegendNamesTheShades(t *testing.T) {
	m := open(t, training(t), "")
	uitest.Press(m, "m")
	for width := 40; width < 200; width += 7 {
		m.SetSize(width, 22)
		legend := draw.ASCII(m.legend())
		named := 0
		for level := range theme.Levels {
			if strings.Contains(legend, m.theme.Shade(level).Glyph+" "+m.seen.scale.number(m.seen.scale.bound(level))) {
				named++
			}
		}
		if named < 3 || strings.Contains(legend, "~") {
			t.Errorf("%d cells: %d shades named in %q", width, named, legend)
		}
	}
}

func TestMarksAreNoShades(t *testing.T) {
	for _, o := range []theme.Options{{ASCII: true}, {}, {Profile: theme.TrueColor}, {Profile: theme.ANSI16, Dark: true}} {
		m := New(theme.New(o))
		seen := map[string]bool{}
		for level := range theme.Levels {
			seen[m.theme.Shade(level).Glyph] = true
		}
		for _, s := range []state{neverSeen, noValue, filtered} {
			glyph, _ := m.mark(s)
			if seen[glyph] {
				t.Errorf("%+v: %q stands for two things", o, glyph)
			}
			seen[glyph] = true
		}
	}
}

func TestNarrowBlocksShowTheMedianAsAShade(t *testing.T) {
	w := world{tp: 1, cp: 1, pp: 3, dp: 2, ms: []int{100, 100, 500, 500, 0, 0}}
	m := open(t, w.snapshot(t), "")
	m.SetSize(24, 20)
	if m.board.form.cell > 2 {
		t.Fatalf("24 cells show numbers: %+v", m.board.form)
	}
	if got := strings.Fields(draw.ASCII(m.medians())); len(got) != 2 && len(got) != 3 || !strings.Contains(got[1], ".") || !strings.Contains(strings.Join(got[1:], ""), "@") {
		t.Errorf("medians %q, want the least and the greatest shade", got)
	}
}

func TestWorkersWithMissingRanks(t *testing.T) {
	w := world{tp: 2, cp: 1, pp: 2, dp: 2, ms: []int{100, 0, 200, 300, 0, 0, 400, 400}}
	m := open(t, w.snapshot(t), "")
	uitest.Press(m, "b")
	if got := m.CopyText(); !strings.HasPrefix(got, "worker pp 0 dp 0  step 100.0ms  ranks 0–1  1 never seen  iteration 2") {
		t.Errorf("a worker of which one rank is missing: %q", got)
	}
	if got := uitest.Press(m, "l"); len(got) != 0 || !strings.Contains(m.CopyText(), "never seen") {
		t.Errorf("a worker that never was: %q", m.CopyText())
	}
	if !slices.ContainsFunc(m.states, func(c counted) bool { return c.state == neverSeen && c.n == 1 }) {
		t.Errorf("states %+v, want one worker never seen", m.states)
	}
}
