package simulate

import (
	"testing"
	"time"

	resource "go.opentelemetry.io/proto/otlp/resource/v1"
)

// text is a resource attribute of a rank.
func text(r *resource.Resource, key string) string {
	for _, a := range r.GetAttributes() {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// After a restart the processes are others: what came after the checkpoint is
// repeated, one host is left out, and what had not been sent is lost.
func TestRestartIsASecondLife(t *testing.T) {
	c := small(Restart{Rank: 9, Iteration: 4, Back: 2, Down: 7 * time.Second})
	c.ExportEvery, c.RanksPerHost, c.Iterations = time.Second, 4, 8
	got := collect(t, stream(t, c))
	times := map[[2]int]int{}
	ids := map[string]bool{}
	for _, s := range got.named(stepName) {
		times[[2]int{s.rank, number(s.Attributes, "nv.dl.training.step")}]++
		ids[string(s.SpanId)] = true
	}
	if len(ids) != len(got.named(stepName)) {
		t.Error("span ids repeat")
	}
	for rank := range 16 {
		for step := 1; step <= 8; step++ {
			n, want := times[[2]int{rank, step}], 1
			if step == 3 || step == 4 {
				want = 2
			}
			if n != want && (n != want-1 || step != 4) { // of the last one before the crash some were not sent
				t.Errorf("rank %d sent step %d %d times, want %d", rank, step, n, want)
			}
		}
	}
	for rank, want := range map[int]string{0: "gpu-0000", 8: "gpu-0004", 11: "gpu-0004", 12: "gpu-0003"} {
		if host := text(got.resources[rank], "host.name"); host != want {
			t.Errorf("rank %d ends on %s, want %s", rank, host, want)
		}
	}
	if number(got.resources[3].GetAttributes(), "slurm.restart_count") != 1 || text(got.resources[3], "service.instance.id") != "sim-7-rank3-r1" {
		t.Errorf("resource %v", got.resources[3])
	}
	silence(t, got, 7*time.Second)
}

// silence finds a time in which nobody sends.
func silence(t *testing.T, got *sent, long time.Duration) {
	t.Helper()
	var last, most time.Duration
	for _, s := range got.spans {
		most, last = max(most, s.at-last), s.at
	}
	if most < long {
		t.Errorf("the longest silence is %s, want %s", most, long)
	}
}

func TestSeededRanksShareTheirIDs(t *testing.T) {
	owners := map[string]map[int]bool{}
	for _, s := range collect(t, stream(t, small(SeededIDs{}))).spans {
		key := string(s.TraceId) + string(s.SpanId)
		if owners[key] == nil {
			owners[key] = map[int]bool{}
		}
		owners[key][s.rank] = true
	}
	for _, ranks := range owners {
		for r := range ranks {
			if len(ranks) != 4 || !ranks[r^2] { // dp 4, tp 2: ranks 2 apart share
				t.Fatalf("ranks %v share an id", ranks)
			}
		}
	}
}

func TestSilentAndSampledRanks(t *testing.T) {
	c := small(Silent{Rank: 4, From: 3}, Silent{Rank: 8}, Sampled{Every: 4})
	c.ExportEvery = time.Second
	steps := perRank(collect(t, stream(t, c)).named(stepName))
	if len(steps) != 3 || steps[0] != 6 || steps[12] != 6 || steps[4] < 1 || steps[4] > 3 {
		t.Errorf("steps by rank: %v", steps)
	}
}

// A slow link lengthens transfers of one lane and no compute.
func TestSlowLinkIsWaiting(t *testing.T) {
	got := collect(t, stream(t, small(SlowLink{Lane: 1, Delay: 40 * time.Millisecond})))
	send := spent(got, "nv.mcore.p2p.send_forward", "nv.mcore.p2p.send_backward")
	compute := spent(got, "nv.mcore.microbatch.forward", "nv.mcore.microbatch.backward")
	for r := range 16 {
		if slow := r/2%4 == 1; slow != (send[r] > 20*40*time.Millisecond) {
			t.Errorf("rank %d sends for %s", r, send[r])
		}
		if f := float64(compute[r]) / float64(compute[0]); f < .93 || f > 1.07 {
			t.Errorf("rank %d computes %.2f times rank 0", r, f)
		}
	}
}

// Each iteration another lane is slow, in both of its stages.
func TestRotatingLanes(t *testing.T) {
	c := small(Rotating{Factor: 2, From: 1})
	c.Iterations = 40
	m, err := newModel(c)
	if err != nil {
		t.Fatal(err)
	}
	turns := map[int]int{}
	for i := 1; i < 40; i++ {
		n := 0
		for dp := range 4 {
			if m.load(i, 0, dp) > 1.5*m.load(0, 0, dp)/warmupFactor {
				turns[dp]++
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d lanes are slow in iteration %d", n, i)
		}
	}
	for dp := range 4 {
		if turns[dp] < 3 || turns[dp] > 20 {
			t.Errorf("turns %v", turns)
		}
	}
}

func TestTruncatedExitClosesWhatIsOpen(t *testing.T) {
	got := collect(t, stream(t, small(Truncated{Iteration: 3})))
	open := map[int]int{}
	for _, s := range got.spans {
		if truncated(s) && s.Name == stepName {
			open[s.rank]++
		}
	}
	if n := perRank(got.named(stepName)); len(open) != 16 || n[0] != 3 {
		t.Errorf("%d ranks cut a step, rank 0 finished %d", len(open), n[0])
	}
}

func TestFreezeStopsAllAtTheSamePlace(t *testing.T) {
	got := collect(t, stream(t, small(Freeze{Iteration: 3, Alive: true})))
	for r, n := range later(got, "nv.mcore.grad_sync.finish") {
		if n != 1 {
			t.Errorf("rank %d ended %d gradient syncs", r, n)
		}
	}
	if n := later(got, "nv.dl.training.iteration.clip_grad"); len(n) != 0 {
		t.Errorf("ranks %v passed the gradient norm", n)
	}
}

func TestClaimedSizesAreSent(t *testing.T) {
	r := collect(t, stream(t, small(Topology{TP: 3}))).resources[5].GetAttributes()
	if number(r, "nv.dl.topology.size.tp") != 3 || number(r, "nv.dl.topology.size.dp") != 4 {
		t.Errorf("resource %v", r)
	}
}

func TestSkewIsOfHosts(t *testing.T) {
	m, err := newModel(Config{DP: 32, Faults: []Fault{Skew{By: time.Minute}}})
	if err != nil {
		t.Fatal(err)
	}
	if m.clock(0) != m.clock(7) || m.clock(0) == m.clock(8) {
		t.Errorf("clocks of ranks 0, 7, 8: %d, %d, %d", m.clock(0), m.clock(7), m.clock(8))
	}
}
