package stepsscreen

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What of a rank's iterations came is told from what did not, and that which may
// still come from that which will not: every place of the map against the holes that
// were made, at random.
func TestEveryPlaceHasItsState(t *testing.T) {
	const ranks, steps = 6, 14
	for seed := range uint64(12) {
		dice := rand.New(rand.NewPCG(seed, 1))
		var hole [ranks][steps + 1]bool
		for rank := range ranks {
			for step := 1; step <= steps; step++ {
				hole[rank][step] = rank > 0 && step > 1 && dice.IntN(4) == 0 // all columns are there, and all have the same first one
			}
		}
		m := open(t, training(t, ranks, steps, func(rank, step int) bool { return hole[rank][step] }), "")
		for k := range m.seen.rows {
			rank := m.seen.rows[k].rank
			last := 0
			for step := 1; step <= steps; step++ {
				if !hole[rank][step] {
					last = step
				}
			}
			for step := 1; step <= steps; step++ {
				want := measured
				switch {
				case hole[rank][step] && step < last:
					want = missing
				case hole[rank][step]:
					want = notYet
				case step == 1:
					want = leftOut
				}
				if got := m.seen.stateOf(k, step-1); got != want {
					t.Errorf("seed %d, rank %d, iteration %d: %d, want %d", seed, rank, step, got, want)
				}
			}
		}
	}
}

// w goes from the largest value in sight to the next largest, through all of them,
// and begins again.
func TestWorstGoesDownTheValues(t *testing.T) {
	for _, keys := range [][]string{nil, {"m"}, {"m", "m"}} {
		m := open(t, cases(t)["slow"], "")
		uitest.Press(m, keys...)
		value := func() float64 {
			k, i := m.focus()
			return float64(m.seen.cols[i].values[k])
		}
		places := 0
		for y := range m.grid {
			for x := range m.grid[y] {
				if m.grid[y][x].state == measured {
					places++
				}
			}
		}
		if places < 20 {
			t.Fatalf("%v: %d places", keys, places)
		}
		last := math.Inf(1)
		for i := range places {
			uitest.Press(m, "w")
			v := value()
			if v > last+1e-9 {
				t.Fatalf("%v: the %d. is %v, after %v", keys, i+1, v, last)
			}
			last = v
		}
		uitest.Press(m, "w")
		if v := value(); v < last {
			t.Errorf("%v: it does not begin again: %v", keys, v)
		}
	}
}

// What is exported is what was read, cell by cell; what is left out says why.
func TestExportIsWhatWasRead(t *testing.T) {
	for _, name := range []string{"slow", "steady", "hang"} {
		for _, keys := range [][]string{nil, {"m"}, {"m", "m", "m"}} {
			m := open(t, cases(t)[name], "")
			uitest.Press(m, keys...)
			rows, err := csv.NewReader(strings.NewReader(m.Export().Text)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := rows[0][len(rows[0])-1], m.seen.measure.String(); got != want {
				t.Errorf("%s: the last column is %q, want %q", name, got, want)
			}
			cells := 0
			for i, c := range m.seen.cols {
				for k := range m.seen.rows {
					if _, _, ok := m.seen.rows[k].cell(m.seen.in.Columns[i]); ok && c != nil {
						cells++
					}
				}
			}
			if len(rows)-1 != cells {
				t.Errorf("%s: %d rows of %d cells", name, len(rows)-1, cells)
			}
			for _, r := range rows[1:] {
				checkExported(t, m, r)
			}
		}
	}
}

func checkExported(t *testing.T, m *Model, r []string) {
	t.Helper()
	rank, attempt, iteration := atoi(t, r[0]), atoi(t, r[1]), atoi(t, r[2])
	for i := range m.seen.points {
		p := &m.seen.points[i]
		if p.Attempt+1 != attempt || int(p.Iteration) != iteration {
			continue
		}
		for k := range m.seen.rows {
			if m.seen.rows[k].rank != rank {
				continue
			}
			cell, _, _ := m.seen.rows[k].cell(m.seen.in.Columns[i])
			for at, want := range map[int]float32{4: cell.Step, 5: cell.Compute, 6: cell.Wait, 9: m.seen.cols[i].values[k]} {
				if got, err := strconv.ParseFloat(r[at], 64); (err != nil) != isNaN(want) || err == nil && math.Abs(got-float64(want)) > 1e-5*math.Abs(float64(want)) {
					t.Errorf("rank %d, iteration %d, column %d: %q, want %v", rank, iteration, at, r[at], want)
				}
			}
			if r[3] != p.Excluded {
				t.Errorf("iteration %d is left out for %q, want %q", iteration, r[3], p.Excluded)
			}
			return
		}
	}
	t.Errorf("there is no cell of %v", r)
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What y copies of every place says which rank and iteration, and how long it took
// or why there is nothing.
func TestEveryPlaceIsReadInWords(t *testing.T) {
	m := open(t, training(t, 4, 8, func(rank, step int) bool { return rank == 2 && (step == 4 || step == 8) }), "")
	for k := range m.seen.rows {
		for i := range m.seen.points {
			m.rank, m.at, m.newest = k, spotOf(&m.seen.points[i]), false
			m.arrange()
			got := m.CopyText()
			if want := fmt.Sprintf("rank %d  iteration %d  ", k, i+1); !strings.HasPrefix(got, want) {
				t.Fatalf("%q, want %q", got, want)
			}
			want := "compute " + []string{"500ms", "600ms", "700ms", "800ms"}[k]
			switch {
			case k == 2 && i == 3:
				want = "missing: later iterations came, this one did not"
			case k == 2 && i == 7:
				want = "not finished yet"
			case i == 0:
				want = "left out: the first of its attempt"
			}
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	}
}

// The slowdown is against the median of the stage: of four ranks that compute 5, 6, 7
// and 8 tenths of a second it is 6.5 tenths.
func TestSlowdownInWords(t *testing.T) {
	m := open(t, training(t, 4, 8, nil), "")
	for k, want := range []string{"0.77 ×", "0.92 ×", "1.08 ×", "1.23 ×"} {
		m.rank, m.at, m.newest = k, spotOf(&m.seen.points[5]), false
		m.arrange()
		if got := m.CopyText(); !strings.Contains(got, want+"  the median compute 650ms of 4 ranks") {
			t.Errorf("rank %d: %q, want %q", k, got, want)
		}
	}
}

// However one moves, zooms and resizes, the focus keeps its rank and iteration when
// the data grow.
func TestFocusStaysWhenDataGrow(t *testing.T) {
	dice := rand.New(rand.NewPCG(4, 4))
	keys := []string{"h", "l", "j", "k", "H", "L", "g", "G", "z", "m", "w", "pgup", "pgdown"}
	for range 6 {
		m := open(t, training(t, 5, 12, nil), "")
		for range 15 {
			uitest.Press(m, keys[dice.IntN(len(keys))])
		}
		if m.newest {
			uitest.Press(m, "h")
		}
		k, i := m.focus()
		rank, iteration := m.seen.rows[k].rank, m.seen.points[i].Iteration
		uitest.Give(t, m, uitest.Data(t, training(t, 5, 20, nil), ""))
		k, i = m.focus()
		if m.seen.rows[k].rank != rank || m.seen.points[i].Iteration != iteration {
			t.Errorf("on rank %d, iteration %d; was on %d, %d", m.seen.rows[k].rank, m.seen.points[i].Iteration, rank, iteration)
		}
	}
}

// Without anything to show y copies what a job needs, and e nothing.
func TestEmptyScreen(t *testing.T) {
	m := New(plain())
	m.SetSize(80, 22)
	if m.CopyText() != "" || m.Export() != (screen.Export{}) || m.open() != nil {
		t.Errorf("%q, %+v", m.CopyText(), m.Export())
	}
	uitest.Give(t, m, screen.Data{Snapshot: &store.Snapshot{Receiver: run.Receiver{Listeners: []run.Listener{{Protocol: "gRPC", Addr: "127.0.0.1:4317"}}}}})
	if !strings.Contains(m.CopyText(), "lensview env") {
		t.Errorf("%q", m.CopyText())
	}
}
