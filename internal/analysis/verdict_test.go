package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func contains(lines []string, part string) bool {
	return slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, part) })
}

// TestVerdicts: one row is one run; what is expected is the state, the scope, and
// words of the summary, the evidence and what cannot be told.
func TestVerdicts(t *testing.T) {
	rotating := func(r, s int) float64 {
		if r == s%8 {
			return 900
		}
		return 600
	}
	closed := func(ranks int) func(*feed, *toy) {
		return func(f *feed, c *toy) {
			for rank := range ranks {
				f.spans(c.resource(rank), f.mk("nv.dl.job", 0, 60*sec))
			}
		}
	}
	tests := []struct {
		name                      string
		run                       toy
		then                      func(f *feed, c *toy)
		seconds                   float64
		state                     VerdictState
		scope                     VerdictScope
		summary, evidence, cannot string
	}{
		{"healthy", toy{dp: 8, steps: 25}, nil, 1, VerdictAdvancing, ScopeNone, "at iteration 24, one every 1.0 s; no straggler", "8 of 8 ranks", ""},
		{"healthy so far", toy{dp: 8, steps: 8}, nil, 1, VerdictAdvancing, ScopeNone, "no straggler so far", "7 clean steps, from forward_backward (early)", ""},
		{"a slow rank", toy{dp: 8, steps: 25, compute: one(900, 2)}, nil, 1, VerdictSlow, ScopeRank, "rank 2 on node0: 1.50 × the compute of its like", "worst in 100 % of steps, z 67", ""},
		{"a slow worker", toy{tp: 4, dp: 4, steps: 25, compute: one(900, 0, 1, 2, 3)}, nil, 1, VerdictSlow, ScopeGroup, "worker pp 0, dp 0, ranks 0–3", "16 of 16", ""},
		{"a slow host", toy{dp: 8, steps: 25, compute: one(900, 4, 5, 6, 7)}, nil, 1, VerdictSlow, ScopeGroup, "host node1, ranks 4–7", "", ""},
		{"a last stage too long", toy{pp: 4, dp: 4, micro: 4, steps: 25, length: 2000, dark: true, compute: one(900, 12, 13, 14, 15)}, nil, 1, VerdictSlow, ScopeStage, "the last stage", "by the last stage", ""},
		{"another rank each step", toy{dp: 8, steps: 25, compute: rotating}, nil, 1, VerdictSlow, ScopeGlobal, "another worker is the longest each step", "", ""},
		{"no inner spans", toy{dp: 8, steps: 25, micro: -1, dark: true}, nil, 1, VerdictAdvancing, ScopeNone, "at iteration 24", "", "turn the step's inner spans on"},
		{"one rank of eight", toy{dp: 8, steps: 25, skip: func(r, _ int) bool { return r != 2 }}, nil, 1, VerdictPartial, ScopeNone, "8 expected, 1 seen, 7 never seen", "1 of 8 ranks seen, never ranks 0–1, 3–7", "only rank 2 of 8 sends data"},
		{"ranks missing, and one slow", toy{dp: 8, steps: 25, compute: one(900, 2), skip: func(r, _ int) bool { return r > 5 }}, nil, 1, VerdictSlow, ScopeRank, "rank 2", "6 of 8 ranks seen, never ranks 6–7", ""},
		{"one tp rank of each worker", toy{tp: 4, dp: 4, steps: 25, compute: one(900, 4), skip: func(r, _ int) bool { return r%4 > 0 }}, nil, 1, VerdictSlow, ScopeGroup, "worker pp 0, dp 1, ranks 4–7", "only tp 0 of each worker sends data", ""},
		{"silent", toy{dp: 4, steps: 25}, nil, 40, VerdictStalled, ScopeGlobal, "no iteration for 40 s, since iteration 24", "limit 30 s", "no rank singled out"},
		{"the job is closed", toy{dp: 4, steps: 25}, func(f *feed, c *toy) {
			for rank := range 4 {
				f.spans(c.resource(rank), f.mk("nv.dl.job", 0, 26*sec))
			}
		}, 1, VerdictEnded, ScopeNone, "ended after iteration 24", "", ""},
		{"the job is closed, one was slow", toy{dp: 4, steps: 25, compute: one(900, 3)}, func(f *feed, c *toy) {
			for rank := range 4 {
				f.spans(c.resource(rank), f.mk("nv.dl.job", 0, 26*sec))
			}
		}, 1, VerdictEnded, ScopeNone, "ended after iteration 24", "was slow: rank 3", ""},
		{"the job is closed, its last stage was too long", toy{pp: 4, dp: 4, micro: 4, steps: 25, length: 2000, dark: true, compute: one(900, 12, 13, 14, 15)}, closed(16), 1,
			VerdictEnded, ScopeNone, "ended after iteration 24", "was slow: the last stage computes longer than the others: steps take 1.14 times as long", ""},
		{"the job is closed, it was uneven", toy{dp: 8, steps: 25, compute: rotating}, closed(8), 1, VerdictEnded, ScopeNone, "ended after", "was slow: another worker is the longest each step", ""},
		{"silent, one was slow", toy{dp: 4, steps: 25, compute: one(900, 3)}, nil, 40, VerdictStalled, ScopeGlobal, "no iteration for 40 s", "was slow: rank 3", "no rank singled out"},
		{"cut off", toy{dp: 4, steps: 25}, func(f *feed, c *toy) {
			for rank := range 4 {
				f.spans(c.resource(rank), f.mk("megatron.pretrain", 0, 26*sec, truncated()))
			}
		}, 1, VerdictEnded, ScopeNone, "ended after iteration 24", "", ""},
		{"one rank of four has ended", toy{dp: 4, steps: 25}, func(f *feed, c *toy) { f.spans(c.resource(1), f.mk("megatron.pretrain", 0, 26*sec, truncated())) }, 1,
			VerdictAdvancing, ScopeNone, "at iteration 24", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			c := tt.run
			c.defaults()
			c.send(f)
			if tt.then != nil {
				tt.then(f, &c)
			}
			v := after(f, tt.seconds).Verdict
			if v.State != tt.state || v.Scope != tt.scope || !strings.Contains(v.Summary, tt.summary) {
				t.Errorf("%s (%s): %q, want %s (%s): %q", v.State, v.Scope, v.Summary, tt.state, tt.scope, tt.summary)
			}
			if !contains(v.Evidence, tt.evidence) || tt.cannot != "" && !contains(v.CannotTell, tt.cannot) {
				t.Errorf("evidence %q, cannot tell %q", v.Evidence, v.CannotTell)
			}
		})
	}
}

func TestNoTraining(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("GET /health", 0, ms))
	if v := after(f, 1).Verdict; v.State != VerdictUnknown || v.Summary != "no training steps were received" {
		t.Errorf("%+v", v)
	}
	f = newFeed(t)
	f.spans([]run.Attr{str("service.name", "gateway"), str("nemo.run.id", "g")}, f.mk("GET /health", 0, ms))
	d := after(f, 3600)
	if d.Verdict.State != VerdictUnknown || d.Coverage.Seen != 0 || len(d.Stall.Processes) != 0 || d.Stragglers.Found != nil {
		t.Errorf("a service without ranks: %+v", d)
	}
}

func TestAFileHasNoPresent(t *testing.T) {
	f := newFeed(t)
	f.Store = store.New(store.Config{Files: true})
	c := toy{dp: 4, steps: 25, file: true}
	c.send(f)
	s, r := f.look()
	v := Diagnose(s, r, DiagnoseOptions{}).Verdict
	if v.State != VerdictAdvancing || !contains(v.CannotTell, "a file without receive times has no present") {
		t.Errorf("%+v", v)
	}
}

// TestAFilterNarrowsTheComparison to some processes.
func TestAFilterNarrowsTheComparison(t *testing.T) {
	c := toy{dp: 8, steps: 25, compute: one(900, 2)}
	d := c.diagnose(t, DiagnoseOptions{Filter: only(func(p int) bool { return p != 2 })})
	if got := unitsOf(d.Stragglers.Found); len(got) > 0 || got == nil || len(d.Stragglers.Workers) != 7 {
		t.Errorf("without rank 2: %v of %d", got, len(d.Stragglers.Workers))
	}
	d = c.diagnose(t, DiagnoseOptions{Filter: only(func(p int) bool { return p == 2 })})
	if d.Stragglers.Found != nil {
		t.Errorf("rank 2 alone: %+v", d.Stragglers)
	}
}

// only is a filter of processes.
type only func(p int) bool

func (o only) Process(p int) bool               { return o(p) }
func (o only) Pair(p, _ int) (match, sure bool) { return o(p), true }
func (only) Span(*store.Chunk, int) bool        { return true }

func TestRolesAreComparedApart(t *testing.T) {
	f := newFeed(t)
	toy{dp: 4, steps: 25}.send(f)
	toy{dp: 3, steps: 25, compute: one(900, 1), more: func(r int) []run.Attr {
		return []run.Attr{str("nv.dl.role", "generation"), num("process.pid", int64(900+r))}
	}}.send(f)
	s, r := f.look()
	if d := Diagnose(s, r, DiagnoseOptions{}); d.Coverage.Role != "trainer" || len(d.Stragglers.Found) > 0 {
		t.Errorf("%+v: %+v", d.Coverage, d.Stragglers.Found)
	}
	d := Diagnose(s, r, DiagnoseOptions{Role: "generation"})
	if got := unitsOf(d.Stragglers.Found); !slices.Equal(got, []string{"rank 1"}) || d.Coverage.String() != "3 of 3 ranks" {
		t.Errorf("%s: %v", d.Coverage, got)
	}
}
