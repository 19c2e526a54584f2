package stepsscreen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What the program asks a screen for: a method that is misspelled would be asked
// for in vain, without a word.
var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.Copier   = (*Model)(nil)
	_ screen.Exporter = (*Model)(nil)
	_ screen.Targeter = (*Model)(nil)
	_ screen.Releaser = (*Model)(nil)
)

// Every value against what a plain loop over the store's cells says.
func TestValuesAreThoseOfAPlainLoop(t *testing.T) {
	s := cases(t)["slow"]
	for measure := range measureCount {
		m := open(t, s, "")
		for range int(measure) {
			uitest.Press(m, "m")
		}
		if len(m.seen.cols) != len(m.seen.in.Columns) || len(m.seen.rows) != 8 {
			t.Fatalf("%d columns of %d, %d rows", len(m.seen.cols), len(m.seen.in.Columns), len(m.seen.rows))
		}
		for i, c := range m.seen.in.Columns {
			for k := range m.seen.rows {
				want := plainValue(m, c, k, m.seen.points[i].Excluded != "")
				got := m.seen.cols[i].values[k]
				if m.seen.cols[i].states[k] != measured {
					got = float32(math.NaN())
				}
				if isNaN(got) != isNaN(want) || math.Abs(float64(got-want)) > 1e-5 {
					t.Fatalf("%s, iteration %d, rank %d: %v, want %v", measure, c.Iteration, k, got, want)
				}
			}
		}
	}
}

func plainValue(m *Model, c *store.Column, k int, excluded bool) float32 {
	of := func(k int) float64 {
		cell, _ := c.Cell(m.seen.rows[k].processes[0])
		v := []float32{cell.Compute, cell.Step, cell.Compute, cell.Wait, cell.IO, cell.Other}[m.measure]
		if v == 0 {
			return math.NaN()
		}
		return float64(v)
	}
	if excluded {
		return float32(math.NaN())
	}
	if m.measure != slowdown {
		return float32(of(k))
	}
	var v []float64
	for j := range m.seen.rows {
		if m.seen.rows[j].stage == m.seen.rows[k].stage {
			v = append(v, of(j))
		}
	}
	slices.Sort(v)
	return float32(of(k) / ((v[1] + v[2]) / 2)) // four ranks a stage
}

// training is two ranks of which one does not send what holes says.
func training(t testing.TB, ranks, steps int, hole func(rank, step int) bool, more ...run.Attr) *store.Snapshot {
	t.Helper()
	now := int64(uitest.Start)
	s := store.New(store.Config{Clock: func() int64 { return now }})
	for rank := range ranks {
		b := otlp.NewBuilder(run.Traces)
		b.Resource(append([]run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", ranks),
			uitest.Text("service.instance.id", fmt.Sprint(rank))}, more...), 0, "")
		b.Scope(run.Scope{})
		for step := 1; step <= steps; step++ {
			if hole != nil && hole(rank, step) {
				continue
			}
			at := uitest.Start + uint64(step)*1e9
			id := uint64(rank+1)<<32 | uint64(step)
			b.Span(&run.Span{TraceID: uitest.TraceID(id), ID: uitest.SpanID(id), Name: "megatron.train.iteration", Start: at, End: at + 9e8,
				Attrs: []run.Attr{uitest.Int("megatron.iteration", step)}})
			b.Span(&run.Span{TraceID: uitest.TraceID(id), ID: uitest.SpanID(id | 1<<40), Parent: uitest.SpanID(id), Name: "megatron.forward_backward",
				Start: at, End: at + uint64(5+rank)*1e8})
		}
		uitest.Put(t, s, b, run.Receipt{At: now})
	}
	return s.Snapshot()
}

func TestWhatIsMissingIsNeitherZeroNorLeftOut(t *testing.T) {
	s := training(t, 3, 10, func(rank, step int) bool { return rank == 1 && (step == 5 || step > 8) })
	m := open(t, s, "")
	want := map[int]state{1: leftOut, 4: measured, 5: missing, 6: measured, 9: notYet, 10: notYet}
	for step, state := range want {
		if got := m.seen.stateOf(1, step-1); got != state {
			t.Errorf("iteration %d: %d, want %d", step, got, state)
		}
	}
	uitest.Press(m, "j", "h", "h", "h", "h", "h")
	if got := m.CopyText(); !strings.HasPrefix(got, "rank 1  iteration 5  missing") {
		t.Error(got)
	}
	if msgs := uitest.Press(m, "enter"); len(msgs) != 1 || !strings.Contains(msgs[0].(screen.NoticeMsg).Text, "no trace") {
		t.Errorf("%v", msgs)
	}
	uitest.Golden(t, "missing", m.View())
}

func TestEnterOpensTheIterationOfTheRank(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	uitest.Press(m, "w")
	k, i := m.focus()
	if m.seen.rows[k].rank != 5 {
		t.Errorf("the worst is of rank %d", m.seen.rows[k].rank)
	}
	got := uitest.Press(m, "enter")
	want := screen.OpenMsg{Screen: screen.Trace, Target: screen.Target{Run: "llama-70b", Process: m.seen.rows[k].processes[0], HasProcess: true,
		Iteration: m.seen.points[i].Iteration, HasIteration: true}}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A line of many ranks shows its worst, and z goes to that rank.
func TestZoom(t *testing.T) {
	m := open(t, cases(t)["1024"], "")
	m.SetSize(80, 22)
	if m.window.bucket < 2 {
		t.Fatalf("bucket %d", m.window.bucket)
	}
	uitest.Press(m, "w")
	if !strings.Contains(m.CopyText(), "rank 77  iteration") || !strings.Contains(m.CopyText(), "1.50 ×") {
		t.Error(m.CopyText())
	}
	uitest.Press(m, "z")
	if m.window.bucket != 1 || m.rank != 77 {
		t.Errorf("a line is of %d ranks, at %d", m.window.bucket, m.rank)
	}
	uitest.Press(m, "j", "z")
	if from, to := m.bucketOf(m.rank / m.window.bucket); 78 < from || 78 >= to {
		t.Errorf("rank 78 is not in %d–%d", from, to)
	}
}

func TestTheCursorIsAlwaysInSight(t *testing.T) {
	m := open(t, cases(t)["1024"], "")
	for _, size := range [][2]int{{40, 10}, {80, 22}, {13, 38}, {200, 60}, {80, 6}} {
		m.SetSize(size[0], size[1])
		for _, k := range []string{"G", "end", "h", "k", "z", "pgup", "home", "H", "L", "w", "w", "g", "pgdown", "l", "m", "z", "end", "M", "G"} {
			uitest.Press(m, k)
			w, i := m.window, m.seen.find(m.at)
			if line := m.rank / w.bucket; w.lines > 0 && (line < w.top || line >= w.top+w.lines) || i < w.left || i >= w.left+w.cols {
				t.Fatalf("%v, after %s: rank %d, iteration %d is outside of %+v", size, k, m.rank, i, w)
			}
			uitest.Inside(t, m.View(), size[0], size[1])
		}
	}
}

// Newer data leave the focus on its iteration, or at the newest where it was there.
func TestNewerData(t *testing.T) {
	m := open(t, training(t, 3, 10, nil), "")
	uitest.Press(m, "j")
	uitest.Give(t, m, uitest.Data(t, training(t, 3, 14, nil), ""))
	if m.at.iteration != 14 || m.seen.rows[m.rank].rank != 1 {
		t.Errorf("at %v, rank %d", m.at, m.rank)
	}
	uitest.Press(m, "h", "h", "j")
	uitest.Give(t, m, uitest.Data(t, training(t, 3, 20, nil), ""))
	if m.at.iteration != 12 || m.seen.rows[m.rank].rank != 2 {
		t.Errorf("at %v, rank %d", m.at, m.rank)
	}
}

func TestMouse(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	label := m.room().label
	m.Update(uitest.Click(label+m.window.cell*4, linesAbove+5))
	if m.seen.rows[m.rank].rank != 5 || m.seen.find(m.at) != m.window.left+4 {
		t.Errorf("rank %d, iteration %v", m.rank, m.at)
	}
	if got := uitest.Settle(m, m.Update(uitest.Click(label+m.window.cell*4, linesAbove+5))); len(got) != 1 || got[0].(screen.OpenMsg).Screen != screen.Trace {
		t.Errorf("%v", got)
	}
	m.Update(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp})
	if m.rank != 2 {
		t.Errorf("the wheel went to rank %d", m.rank)
	}
	for _, at := range [][2]int{{0, 0}, {500, 3}, {label, 500}, {-1, -1}} {
		m.Update(uitest.Click(at[0], at[1]))
	}
}

func TestTargets(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	uitest.Settle(m, m.SetTarget(screen.Target{Run: "llama-70b", Process: m.seen.rows[3].processes[0], HasProcess: true, Iteration: 9, HasIteration: true}))
	if m.rank != 3 || m.at.iteration != 9 {
		t.Errorf("rank %d, %v", m.rank, m.at)
	}
}

func TestFilterNarrowsTheRows(t *testing.T) {
	m := open(t, cases(t)["slow"], "rank=4..6")
	if len(m.seen.rows) != 3 || m.seen.rows[0].rank != 4 {
		t.Errorf("%+v", m.seen.rows)
	}
	if m := open(t, cases(t)["slow"], "rank=99"); !strings.Contains(m.View(), "filter lets no rank") {
		t.Error(m.View())
	}
}

func TestExport(t *testing.T) {
	m := open(t, training(t, 2, 3, nil), "")
	got := m.Export()
	if got.Ext != "csv" || strings.Count(got.Text, "\n") != 7 || !strings.Contains(got.Text, "1,1,3,,0.9,0.6,,,") && !strings.Contains(got.Text, "1,1,3,,0.9,0.6,0,0,0,1.090909") {
		t.Errorf("%+v", got)
	}
}

func TestHostileText(t *testing.T) {
	for _, text := range uitest.Hostile() {
		s := training(t, 2, 4, nil, uitest.Text("host.name", text), uitest.Text("nv.dl.role", text))
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(100, 20)
		uitest.Give(t, m, uitest.Data(t, s, ""))
		for _, k := range []string{"m", "z", "w", "h"} {
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), 100, 20)
			uitest.Press(m, k)
		}
	}
}

func TestRelease(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	uitest.ReleaseKeepsTheView(t, m, func() *store.Snapshot { return m.data.Snapshot })
	if m.seen.in.Chunks != nil {
		t.Error("spans are kept by the answer")
	}
}

// Columns that did not change are not read again.
func TestKnownColumnsAreKept(t *testing.T) {
	d := uitest.Data(t, cases(t)["slow"], "")
	r, q := newReader(), question{run: d.Run}
	a := r.read(d, q, spot{attempt: 9}, 80)
	b := r.read(d, q, spot{attempt: 9}, 80)
	if !slices.Equal(a.cols, b.cols) {
		t.Error("read again")
	}
	q.measure = waitTime
	if c := r.read(d, q, spot{attempt: 9}, 80); c.cols[5] == a.cols[5] {
		t.Error("another measure has the same columns")
	}
}
