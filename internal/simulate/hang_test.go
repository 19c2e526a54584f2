package simulate

import (
	"testing"
	"time"
)

const (
	fbName   = "nv.mcore.forward_backward"
	stepName = "nv.dl.training.iteration"
)

// hung runs small() with a hang in its fourth iteration and rank 6 (pp 0, dp 3,
// tp 0).
func hung(t *testing.T, h Hang) *sent {
	t.Helper()
	h.Rank, h.Iteration = 6, 3
	c := small(h)
	c.ExportEvery = time.Second
	return collect(t, stream(t, c))
}

// later are the finished spans of a name that started after the last step of
// the rank that goes on longest.
func later(got *sent, name string) map[int]int {
	var last uint64
	for _, s := range got.named(stepName) {
		last = max(last, s.EndTimeUnixNano)
	}
	var list []sentSpan
	for _, s := range got.named(name) {
		if s.StartTimeUnixNano >= last {
			list = append(list, s)
		}
	}
	return perRank(list)
}

func TestHangOnTheHostSilencesOneRank(t *testing.T) {
	got := hung(t, Hang{})
	for r, n := range perRank(got.named(stepName)) {
		if r != 6 && n != 3 {
			t.Errorf("rank %d finished %d steps, want 3", r, n)
		}
	}
	fb := later(got, fbName)
	for r := range 16 {
		if want := map[bool]int{true: 0, false: 1}[r == 6]; fb[r] != want {
			t.Errorf("rank %d ended %d forward_backward of the hung step, want %d", r, fb[r], want)
		}
	}
	sync, clip := later(got, "nv.mcore.grad_sync.finish"), later(got, "nv.dl.training.iteration.clip_grad")
	for r := range 8 {
		if sync[r] != 0 {
			t.Errorf("rank %d of the hung stage passed the gradient sync", r)
		}
	}
	if len(clip) != 0 {
		t.Errorf("ranks %v passed the gradient norm", clip)
	}
}

// A frozen process sends nothing any more, and what it had not yet sent is lost.
func TestFrozenProcessIsSilent(t *testing.T) {
	got := hung(t, Hang{})
	var last, others time.Duration
	for _, s := range got.spans {
		if s.rank == 6 {
			last = max(last, s.at)
			if truncated(s) {
				t.Errorf("the frozen rank closed %s", s.Name)
			}
		}
	}
	for _, p := range got.points {
		if p.rank == 6 {
			last = max(last, p.at)
		} else {
			others = max(others, p.at)
		}
	}
	if others-last < time.Minute-2*time.Second {
		t.Errorf("rank 6 was last heard at %s, others at %s: want a minute of silence", last, others)
	}
}

// A rank that only hangs in its training thread goes on sending metrics, and at
// the shutdown its open spans say where it is.
func TestAliveHangKeepsSending(t *testing.T) {
	got := hung(t, Hang{Alive: true})
	open := map[int][]string{}
	for _, s := range got.spans {
		if truncated(s) {
			open[s.rank] = append(open[s.rank], s.Name)
		}
	}
	for r, want := range map[int]string{
		6:  "nv.mcore.microbatch.backward",        // the rank itself
		7:  "nv.mcore.layernorm_grads_all_reduce", // its tensor peer
		15: "nv.mcore.embedding_grads_all_reduce", // the last stage of its lane
		0:  "nv.mcore.grad_sync.finish",           // its stage in another lane
	} {
		if len(open[r]) == 0 || open[r][0] != want {
			t.Errorf("rank %d was stuck in %v, want first %s", r, open[r], want)
		}
		if n := len(open[r]); n == 0 || open[r][n-1] != "nv.dl.job" {
			t.Errorf("rank %d closed %v, want the job last", r, open[r])
		}
	}
	if n := perRank(got.named(fbName)); n[6] != 3 || n[7] != 4 {
		t.Errorf("forward_backward ended: rank 6 %d, rank 7 %d, want 3 and 4", n[6], n[7])
	}
}

// Inside a microbatch the tensor peers hang too, and the lane waits for them.
func TestHangWithinAMicrobatch(t *testing.T) {
	got := hung(t, Hang{Within: 2, Alive: true})
	fb := later(got, fbName)
	for r := range 16 {
		inLane := r == 6 || r == 7 || r == 14 || r == 15
		switch {
		case r/2 == 3 && fb[r] != 0: // the worker
			t.Errorf("rank %d ended its forward_backward", r)
		case !inLane && fb[r] != 1:
			t.Errorf("rank %d of another lane ended %d forward_backward", r, fb[r])
		}
	}
	back := later(got, "nv.mcore.microbatch.backward")
	if back[6] != 1 || back[7] != 1 || back[0] != 4 {
		t.Errorf("backwards ended: rank 6 %d, rank 7 %d, rank 0 %d, want 1, 1, 4", back[6], back[7], back[0])
	}
}

func TestWatchdogReportsAHang(t *testing.T) {
	got := hung(t, Hang{})
	n := map[int]int{}
	for _, l := range got.logs {
		if l.SeverityNumber == logError {
			n[l.rank]++
			if len(l.TraceId) != 16 || len(l.SpanId) != 8 {
				t.Errorf("error of rank %d has no trace", l.rank)
			}
		}
	}
	if len(n) != 15 || n[6] != 0 {
		t.Errorf("errors by rank %v, want one of each but rank 6", n)
	}
}

func TestHangEndsTheRun(t *testing.T) {
	for _, h := range []Hang{{}, {Within: 1}, {Within: 4, Alive: true}} {
		h.Rank, h.Iteration = 1, 0
		for _, c := range []Config{{DP: 4}, {PP: 4}, {TP: 4}, {TP: 2, PP: 2, DP: 2}} {
			c.Iterations, c.Linger, c.Faults = 3, 5*time.Second, []Fault{h}
			got := collect(t, stream(t, c))
			if n := len(got.named(stepName)); n != 0 {
				t.Errorf("%+v: %d steps ended after a hang in the first", c, n)
			}
			for _, s := range got.spans {
				if duration(s) > time.Hour {
					t.Fatalf("%+v: %s lasts %s", c, s.Name, duration(s))
				}
			}
		}
	}
}

// An endless run with a hang goes on sending metrics.
func TestEndlessHang(t *testing.T) {
	s := stream(t, Config{DP: 4, Faults: []Fault{Hang{Rank: 1, Iteration: 2}}})
	var last Request
	for range 500 {
		r, ok := s.Next()
		if !ok {
			t.Fatal("the run ended")
		}
		last = r
	}
	if last.At < time.Minute {
		t.Errorf("500 requests took only %s", last.At)
	}
	s.Stop()
	for r, ok := s.Next(); ok; r, ok = s.Next() {
		if r.Rank == 1 {
			t.Error("the frozen rank flushed")
		}
	}
}
