package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// ofRun is the resource of a process of some run.
func ofRun(id string) []run.Attr { return []run.Attr{str("service.name", "s"), str("nemo.run.id", id)} }

// TestMetricsAndLogsAreFairBetweenRuns has a run send far more than its share
// while another one sends little.
func TestMetricsAndLogsAreFairBetweenRuns(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 8 << 20 })
	send := func(id string, i int) {
		f.put(run.Logs, id, linesOf(ofRun(id), t0+uint64(i)*second, 50, strings.Repeat("x", 400)))
		f.put(run.Metrics, id, gaugeOf(ofRun(id), "m", t0+uint64(i)*second, "k", "a", "b", fmt.Sprint("v", i)))
	}
	send("small", 0)
	for i := range 1500 {
		send("big", i)
	}
	send("small", 1)
	s := f.Snapshot()
	checkBalanced(t, s)
	for _, sig := range []run.Signal{run.Metrics, run.Logs} {
		if a := s.Run("small").Accounts[sig]; a.Evicted != 0 || a.Kept == 0 {
			t.Errorf("%s: the small run paid for the big one: %+v", sig, a)
		}
		if a := s.Run("big").Accounts[sig]; a.Evicted == 0 || a.Kept == 0 {
			t.Errorf("%s: the big run: %+v", sig, a)
		}
		for _, snd := range s.Senders {
			if a := snd.Accounts[sig]; (snd.Name == "big") != (a.Evicted > 0) {
				t.Errorf("%s of %s: %+v", sig, snd.Name, a)
			}
		}
	}
	if m := s.Memory; m.Used > m.Data {
		t.Errorf("memory = %+v", m)
	}
}

// TestRollUpsOfPointsOutliveThem sends more points of a series than are kept.
func TestRollUpsOfPointsOutliveThem(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 8 << 20 })
	const n = 5000
	for i := range uint64(n) {
		f.put(run.Metrics, "h", gaugeOf(ofRun("r"), "m", t0+i*second, "k", "only")) // 0 each
		f.put(run.Metrics, "h", gaugeOf(ofRun("r"), "n", t0+i*second, "k", "a", "b"))
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	for _, m := range s.Runs[0].Metrics {
		want := uint64(n)
		if m.Name == "n" {
			want = 2 * n
		}
		kept := 0
		for _, sr := range m.Series {
			kept += len(sr.Points)
			if sr.Points[len(sr.Points)-1].Time != t0+(n-1)*second {
				t.Errorf("the newest point of %s is not kept", m.Name)
			}
		}
		if m.Roll.Points != want || uint64(kept) >= want || kept == 0 {
			t.Errorf("%s: %d points are kept, the roll-up covers %d of %d", m.Name, kept, m.Roll.Points, want)
		}
	}
}

// TestStatisticsOutliveTheirSpans evicts all spans of the first half of a run,
// sealed ones among them.
func TestStatisticsOutliveTheirSpans(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 4 << 20 })
	f.sealAnyway(t)
	const n = 150_000
	f.fillHard("r", "a", 0, n)
	r := f.only()
	a := r.Accounts[run.Traces]
	st, stage := total(r, "op"), stageOf(t, r, "op")
	var sum run.Sum
	for range n {
		sum.Add(500)
	}
	want := NameStat{Name: st.Name, Count: n, Sum: sum, Min: 500, Max: 500}
	if a.Evicted < n/4 || f.runs[0].coldChunks == 0 || st != want || stage.NameStat != want {
		t.Errorf("%d evicted; process %+v, stage %+v, want %+v", a.Evicted, st, stage.NameStat, want)
	}
	if p := r.Processes[0]; p.Start != t0+1000 || p.End != t0+n*1000+500 {
		t.Errorf("the process's time is %d … %d", p.Start-t0, p.End-t0)
	}
	if ns, _ := stage.Quantile(.5); ns != 500 {
		t.Errorf("p50 = %d", ns)
	}
}
