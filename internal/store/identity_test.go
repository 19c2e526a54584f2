package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// steps sends steps from … to-1 of a rank, a second each, one request a step.
func (f *fixture) steps(res []run.Attr, from, to int) {
	f.t.Helper()
	for i := from; i < to; i++ {
		at := uint64(i) * second
		id := uint64(f.now)
		f.send(res,
			sp(id+1, id, "megatron.forward_backward", at+100*ms, at+700*ms),
			sp(id, 0, "megatron.train_step", at, at+second, num("dl.iteration", int64(i))))
	}
}

func of(host string, pid int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{str("host.name", host), num("process.pid", int64(pid)), str("service.instance.id", fmt.Sprint(host, "-", pid))}, more...)
}

// standing is what tells the processes of a run apart, by index.
func standing(r *Run) (out []string) {
	for _, p := range r.Processes {
		s := fmt.Sprintf("rank %d attempt %d", p.ID.Rank, p.Attempt)
		if p.Grid {
			s += " grid"
		}
		if p.Sibling {
			s += " sibling"
		}
		out = append(out, s)
	}
	return out
}

func checkStanding(t *testing.T, r *Run, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, standing(r)); d != "" {
		t.Errorf("processes differ (-want +got):\n%s", d)
	}
}

func TestCheckpointWorkerIsASibling(t *testing.T) {
	for _, role := range []string{"", "trainer"} {
		t.Run("worker's role "+role, func(t *testing.T) {
			f := newFixture(t)
			trainer := rank(3, of("gpu-0", 100, str("nv.dl.role", "trainer"))...)
			worker := rank(3, of("gpu-0", 200, str("nv.dl.role", role))...)
			f.steps(trainer, 0, 3)
			f.send(worker, sp(9000, 0, "nvrx.checkpoint.write", 2500*ms, 4*second))
			f.steps(trainer, 3, 6)
			f.send(worker, sp(9001, 0, "nvrx.checkpoint.write", 5*second, 6*second))
			f.steps(trainer, 6, 8)
			r := f.only()
			checkStanding(t, r, "rank 3 attempt 0 grid sibling", "rank 3 attempt 0 sibling")
			if len(r.Attempts) != 1 || r.Seen.Seen != 8 {
				t.Errorf("attempts %d, iterations %+v", len(r.Attempts), r.Seen)
			}
		})
	}
}

func TestWorkerThatComesFirstDoesNotTakeTheGrid(t *testing.T) {
	f := newFixture(t)
	trainer, worker := rank(3, of("gpu-0", 100)...), rank(3, of("gpu-0", 200)...)
	f.send(worker, sp(9000, 0, "nvrx.checkpoint.load", 0, 10*ms))
	f.steps(trainer, 1, 3)
	f.send(worker, sp(9001, 0, "nvrx.checkpoint.write", 2*second, 4*second))
	f.steps(trainer, 3, 4)
	checkStanding(t, f.only(), "rank 3 attempt 0 sibling", "rank 3 attempt 0 grid sibling")
}

func TestRequeuedRun(t *testing.T) {
	tests := []struct {
		name         string
		first, again []run.Attr
		want         []Attempt
	}{
		{"told by its uuid", []run.Attr{str("nv.dl.run.uuid", "u0")}, []run.Attr{str("nv.dl.run.uuid", "u1")},
			[]Attempt{{UUID: "u0", Restart: run.Unknown}, {UUID: "u1", Restart: run.Unknown}}},
		{"told by the restart count", []run.Attr{num("slurm.restart_count", 0)}, []run.Attr{num("slurm.restart_count", 1)},
			[]Attempt{{Restart: 0}, {Restart: 1}}},
		{"told by time alone", nil, nil, []Attempt{{Restart: run.Unknown}, {Restart: run.Unknown}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			for n := range 2 {
				f.steps(rank(n, of("gpu-0", 100+n, tt.first...)...), 0, 4)
			}
			f.now += 120 * int64(second)
			for n := range 2 {
				f.steps2(rank(n, of("gpu-1", 200+n, tt.again...)...), 2, 6, 200*second)
			}
			r := f.only()
			checkStanding(t, r, "rank 0 attempt 0 grid", "rank 1 attempt 0 grid", "rank 0 attempt 1 grid", "rank 1 attempt 1 grid")
			for i := range r.Attempts {
				r.Attempts[i].First = 0
			}
			if d := cmp.Diff(tt.want, r.Attempts); d != "" {
				t.Errorf("attempts differ (-want +got):\n%s", d)
			}
			checkRepeated(t, r)
		})
	}
}

// steps2 is steps at another time.
func (f *fixture) steps2(res []run.Attr, from, to int, later uint64) {
	f.t.Helper()
	for i := from; i < to; i++ {
		at := uint64(i)*second + later
		id := uint64(f.now)
		f.send(res, sp(id, 0, "megatron.train_step", at, at+second, num("dl.iteration", int64(i))))
	}
}

// checkRepeated expects iterations 0–3 of the first attempt and 2–5 of the second.
func checkRepeated(t *testing.T, r *Run) {
	t.Helper()
	var got []string
	for _, c := range r.Columns {
		got = append(got, fmt.Sprintf("%d/%d:%d", c.Attempt, c.Iteration, c.Seen))
	}
	want := "0/0:2 0/1:2 0/2:2 0/3:2 1/2:2 1/3:2 1/4:2 1/5:2"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("columns = %s, want %s", s, want)
	}
	if want := (Iterations{Seen: 8, First: 0, Last: 5}); r.Seen != want {
		t.Errorf("seen = %+v, want %+v", r.Seen, want)
	}
}

func TestSameInstanceAndPIDAfterARequeue(t *testing.T) {
	f := newFixture(t)
	f.steps(rank(0, of("gpu-0", 100, num("slurm.restart_count", 0))...), 0, 2)
	f.steps(rank(0, of("gpu-0", 100, num("slurm.restart_count", 1))...), 2, 4)
	checkStanding(t, f.only(), "rank 0 attempt 0 grid", "rank 0 attempt 1 grid")
}

func TestProcessesThatAllClaimRankZeroAreNoAttempts(t *testing.T) {
	f := newFixture(t)
	for i := range 6 {
		for k := range 4 {
			at := uint64(i)*second + uint64(k)*ms
			f.send(rank(0, of("gpu-0", 100+k)...), sp(uint64(10*i+k+1), 0, "train_step", at, at+second, num("iteration", int64(i))))
		}
	}
	r := f.only()
	if len(r.Attempts) != 1 || len(r.Processes) != 4 {
		t.Errorf("attempts %d, processes %d, want 1 and 4", len(r.Attempts), len(r.Processes))
	}
	for _, p := range r.Processes {
		if !p.Sibling || !p.Grid {
			t.Errorf("process %d: grid %v, sibling %v, want both", p.Index, p.Grid, p.Sibling)
		}
	}
}

func TestArrayTasksAreTwoRuns(t *testing.T) {
	task := func(raw string, n int) []run.Attr {
		return []run.Attr{str("service.name", "megatron-lm"), str("slurm.cluster.name", "c"), str("slurm.job.id.raw", raw),
			str("slurm.job.id", "70_"+raw), num("nv.dl.rank", int64(n))}
	}
	f := newFixture(t)
	for _, raw := range []string{"71", "72"} {
		for n := range 2 {
			f.send(task(raw, n), sp(uint64(n+1), 0, "x", 0, second))
		}
	}
	s := f.Snapshot()
	if len(s.Runs) != 2 || s.Run("c/71") == nil || s.Run("c/72") == nil {
		t.Fatalf("runs = %d", len(s.Runs))
	}
	for _, r := range s.Runs {
		if len(r.Processes) != 2 || r.Accounts[run.Traces].Kept != 2 || r.IDBy != run.BySlurmJob {
			t.Errorf("run %s: %d processes, %+v", r.ID, len(r.Processes), r.Accounts[run.Traces])
		}
	}
	if len(s.Notices) != 0 {
		t.Errorf("notices = %+v, want none: the runs are told apart", s.Notices)
	}
}

func TestRunsThatLookLikeOne(t *testing.T) {
	lone := func(n, world int) []run.Attr {
		return []run.Attr{str("service.name", "train"), str("host.name", fmt.Sprint("h", n)), num("process.pid", 1), num("dl.rank", int64(n)), num("dl.world_size", int64(world))}
	}
	f := newFixture(t)
	for n := range 4 {
		f.send(lone(n, 4), sp(1, 0, "x", 0, second))
	}
	if ns := f.Snapshot().Notices; !hasNotice(ns, "runs-alike", "4 runs of train with 4 of 4 ranks look like one: set NEMO_LENS_RUN_ID") {
		t.Errorf("notices = %+v", ns)
	}
	g := newFixture(t)
	g.send(lone(0, 2), sp(1, 0, "x", 0, second))
	g.now += 2 * alikeWithin
	g.send(lone(1, 2), sp(1, 0, "x", 0, second))
	if ns := g.Snapshot().Notices; hasNotice(ns, "runs-alike", "") {
		t.Errorf("notices = %+v, want none for runs two minutes apart", ns)
	}
}

func TestGymServersStandOnNoGrid(t *testing.T) {
	f := newFixture(t)
	f.steps(rank(0, of("gpu-0", 1)...), 0, 2)
	f.send(rank(0, of("gpu-1", 2, str("gym.server.name", "math"))...), sp(5, 0, "verify", 0, second))
	checkStanding(t, f.only(), "rank 0 attempt 0 grid", "rank 0 attempt 0")
}

func TestRolesNumberTheirRanksSeparately(t *testing.T) {
	f := newFixture(t)
	f.steps(rank(0, of("gpu-0", 1, str("rl.worker_group", "policy"))...), 0, 2)
	f.send(rank(0, of("gpu-1", 2, str("rl.worker_group", "generation"))...), sp(5, 0, "generation", 0, 3*second))
	f.steps(rank(0, of("gpu-0", 1, str("rl.worker_group", "policy"))...), 2, 3)
	checkStanding(t, f.only(), "rank 0 attempt 0 grid", "rank 0 attempt 0 grid")
}

func TestCoordinates(t *testing.T) {
	sizes := []run.Attr{num("dl.world_size", 16), num("dl.tensor_parallel.size", 2), num("dl.pipeline_parallel.size", 4), num("dl.data_parallel.size", 2)}
	f := newFixture(t)
	f.send(rank(6, sizes...), sp(1, 0, "x", 0, second))
	f.send(rank(9, num("dl.world_size", 16)), sp(2, 0, "x", 0, second))
	f.send(rank(3, append(sizes, num("dl.pipeline_parallel.rank", 2))...), sp(3, 0, "x", 0, second))
	f.send([]run.Attr{str("nemo.run.id", "r"), str("service.name", "driver")}, sp(4, 0, "x", 0, second))
	r := f.only()
	want := []run.Coord{
		{TP: 0, CP: 0, EP: 0, DP: 1, PP: 1, Derived: true},
		{TP: 1, CP: 0, EP: 0, DP: 0, PP: 2, Derived: true},
		{TP: 1, CP: 0, EP: 0, DP: 1, PP: 2, Derived: true},
		run.UnknownCoord(),
	}
	for i, p := range r.Processes {
		if p.Coord != want[i] {
			t.Errorf("rank %d is at %+v, want %+v", p.ID.Rank, p.Coord, want[i])
		}
	}
	var stages []int
	for _, s := range r.Stages {
		stages = append(stages, s.Stage)
	}
	if d := cmp.Diff([]int{run.Unknown, 1, 2}, stages); d != "" {
		t.Errorf("stages differ (-want +got):\n%s", d)
	}
}

func TestSizesThatWereGivenOverride(t *testing.T) {
	order, err := run.ParseOrder("tp-cp-ep-pp-dp")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(c *Config) { c.Order, c.Sizes = order, run.Sizes{CP: 2} })
	f.send(rank(4, num("dl.world_size", 16), num("dl.tensor_parallel.size", 2), num("dl.pipeline_parallel.size", 2), num("dl.data_parallel.size", 2)), sp(1, 0, "x", 0, second))
	if c := f.only().Processes[0].Coord; c.PP != 1 || c.CP != 0 || c.DP != 0 {
		t.Errorf("rank 4 is at %+v, want pp 1", c)
	}
}

func TestSizesThatDisagree(t *testing.T) {
	f := newFixture(t)
	for n := range 2 {
		f.send(rank(n, num("dl.world_size", 8), num("dl.tensor_parallel.size", int64(2+2*n)), num("dl.pipeline_parallel.size", 1), num("dl.data_parallel.size", 4)), sp(1, 0, "x", 0, second))
	}
	if ns := f.only().Notices; !hasNotice(ns, "sizes-differ", "rank 1 sent tp 4") || !hasNotice(ns, "topology", "do not multiply") {
		t.Errorf("notices = %+v", ns)
	}
}

func TestTooManyProcessesAreRejected(t *testing.T) {
	f := newFixture(t)
	f.limits.processes = 3
	var last run.Outcome
	for n := range 5 {
		last = f.send(rank(n), sp(1, 0, "x", 0, second), sp(2, 1, "y", 0, second))
	}
	if last.Rejected != 2 || !strings.Contains(last.Reason, "more than 3 processes") {
		t.Errorf("outcome = %+v", last)
	}
	if a := f.Snapshot().Accounts[run.Traces]; a.Rejected != 4 || a.Kept != 6 {
		t.Errorf("account = %+v", a)
	}
	checkBalanced(t, f.Snapshot())
}

func TestASenderThatLeftIsTold(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f.Put(ctx, decode(t, run.Traces, request(rank(0), sp(1, 0, "x", 0, 1))), run.Receipt{})
	if err == nil || !strings.Contains(err.Error(), run.ErrBusy.Error()) {
		t.Errorf("error = %v, want busy", err)
	}
	if a := f.Snapshot().Accounts[run.Traces]; a != (run.Account{}) {
		t.Errorf("account = %+v, want nothing", a)
	}
}

// The service of a run is that of its ranks, whoever came first.
func TestServiceOfARunIsThatOfItsRanks(t *testing.T) {
	gateway := []run.Attr{str("service.name", "gateway"), str("nemo.run.id", "r"), num("process.pid", 7)}
	trainer := []run.Attr{str("service.name", "megatron-lm"), str("nemo.run.id", "r"), num("dl.rank", 0), num("dl.world_size", 1)}
	for _, order := range [][][]run.Attr{{gateway, trainer}, {trainer, gateway}} {
		f := newFixture(t)
		for i, res := range order {
			f.send(res, sp(uint64(10+i), 0, "work", 0, 10*ms))
		}
		if got := f.only().Service; got != "megatron-lm" {
			t.Errorf("service = %q", got)
		}
	}
}

// A span without a name has a name of its own: the empty one.
func TestEmptySpanName(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), sp(1, 0, "first", 0, 10*ms), sp(2, 0, "", 0, 20*ms), sp(3, 0, "", 0, 30*ms))
	r := f.only()
	id, ok := r.NameID("")
	if !ok {
		t.Fatal("the empty name is unknown")
	}
	if s, _ := r.Processes[0].Stat(id); s.Count != 2 {
		t.Errorf("the empty name counts %d spans, want 2", s.Count)
	}
}

// Coordinates that were sent are not derived, whatever is filled in along
// dimensions of size 1.
func TestSentCoordinatesAreNotDerived(t *testing.T) {
	sizes := []run.Attr{str("nemo.run.id", "r"), num("dl.rank", 3), num("dl.world_size", 8),
		num("dl.tensor_parallel.size", 2), num("dl.pipeline_parallel.size", 2), num("dl.data_parallel.size", 2)}
	sent := append(sizes[:len(sizes):len(sizes)], num("dl.tensor_parallel.rank", 1), num("dl.pipeline_parallel.rank", 0), num("dl.data_parallel.rank", 1))
	for _, tt := range []struct {
		res     []run.Attr
		derived bool
	}{{sizes, true}, {sent, false}} {
		f := newFixture(t)
		f.send(tt.res, sp(1, 0, "work", 0, 10*ms))
		c := f.only().Processes[0].Coord
		if c.TP != 1 || c.PP != 0 || c.DP != 1 || c.CP != 0 || c.Derived != tt.derived {
			t.Errorf("coordinates %+v, want derived %v", c, tt.derived)
		}
	}
}
