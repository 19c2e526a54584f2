package analysis

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// loadReal reads a recording of the real nemo-lens in testdata: 8 ranks, 60 steps,
// tp 2 without any coupling between the peers.
func loadReal(t testing.TB, name string) *store.Snapshot {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	st := store.New(store.Config{Files: true})
	for line := range bytes.Lines(all) {
		putJSON(t, st, line)
	}
	return st.Snapshot()
}

func TestTheSlowRankOfARealJob(t *testing.T) {
	s := loadReal(t, "nemo-lens-slow-rank-5.otlp.jsonl.gz")
	d := Diagnose(s, s.Runs[0], DiagnoseOptions{})
	if len(d.Stragglers.Found) != 1 {
		t.Fatalf("found %+v", d.Stragglers.Found)
	}
	x := d.Stragglers.Found[0]
	if x.Unit != UnitRank || !slices.Equal(x.Ranks, []int{5}) || !near(x.BusyRatio, 1.5, .05) || x.WorstIn != 1 || x.WaitGap <= 0 {
		t.Errorf("%+v", x)
	}
	if want := []Signal{Magnitude, Persistence, Arrival}; !slices.Equal(x.Signals, want) {
		t.Errorf("signals %v, want %v", x.Signals, want)
	}
	if v := d.Verdict; v.State != VerdictSlow || v.Scope != ScopeRank {
		t.Errorf("verdict %+v", v)
	}
	if d.Coverage.String() != "8 of 8 ranks" || d.Stragglers.Source != FromForwardBackward {
		t.Errorf("%s from %s", d.Coverage, d.Stragglers.Source)
	}
}

func TestARealJobWithoutASlowRank(t *testing.T) {
	s := loadReal(t, "nemo-lens-healthy.otlp.jsonl.gz")
	for _, steps := range []int{0, 5, 10, 50} {
		d := Diagnose(s, s.Runs[0], DiagnoseOptions{Steps: steps})
		if d.Stragglers.Found == nil || len(d.Stragglers.Found) > 0 || d.Verdict.State != VerdictAdvancing {
			t.Errorf("%d steps: found %+v, verdict %+v", steps, d.Stragglers.Found, d.Verdict)
		}
	}
}

// TestEveryWindowOfARealJob: whatever 20 steps are looked at, the answer is the
// same.
func TestEveryWindowOfARealJob(t *testing.T) {
	for _, tt := range []struct {
		name string
		want []int
	}{{"nemo-lens-slow-rank-5.otlp.jsonl.gz", []int{5}}, {"nemo-lens-healthy.otlp.jsonl.gz", nil}} {
		s := loadReal(t, tt.name)
		for first := int64(1); first <= 40; first++ {
			d := Diagnose(s, s.Runs[0], DiagnoseOptions{First: first, Last: first + 19})
			var got []int
			for _, x := range d.Stragglers.Found {
				got = append(got, x.Ranks...)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, iterations %d to %d: ranks %v, want %v", tt.name, first, first+19, got, tt.want)
			}
		}
	}
}

func TestCoordinatesOfOtherSizes(t *testing.T) {
	s := loadReal(t, "nemo-lens-slow-rank-5.otlp.jsonl.gz")
	d := Diagnose(s, s.Runs[0], DiagnoseOptions{Sizes: run.Sizes{TP: 1, PP: 1, DP: 8}})
	if d.Coverage.Workers != 8 || len(d.Stragglers.Found) != 1 || d.Stragglers.Found[0].Coord.DP != 5 {
		t.Errorf("%+v, found %+v", d.Coverage, d.Stragglers.Found)
	}
}
