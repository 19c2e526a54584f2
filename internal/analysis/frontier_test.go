package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// partOf sends spans of the step after the last, without the step itself.
func partOf(f *feed, c *toy, rank, step int, names ...string) {
	f.Helper()
	at := uint64(float64(step)*c.length) * ms
	root := f.mk("megatron.train_step", at, at+1)
	var spans []run.Span
	for i, name := range names {
		spans = append(spans, under(root, f.mk(name, at+uint64(i)*100*ms, at+uint64(i+1)*100*ms)))
	}
	f.spans(c.resource(rank), spans...)
}

// TestFourRanksOneHasNotFinishedItsBackward is the known answer: all finish step
// 10; in step 11 ranks 0, 1 and 3 end their forward_backward, rank 2 nothing.
func TestFourRanksOneHasNotFinishedItsBackward(t *testing.T) {
	f := newFeed(t)
	c := &toy{dp: 4, steps: 11}
	c.defaults()
	c.send(f)
	for _, rank := range []int{0, 1, 3} {
		partOf(f, c, rank, 11, "megatron.forward_backward")
	}
	if d := after(f, 5); len(d.Stall.Suspects) > 0 || d.Verdict.State != VerdictAdvancing {
		t.Errorf("within the limit: %+v", d.Stall.Suspects)
	}
	d := after(f, 40)
	if len(d.Stall.Suspects) != 1 {
		t.Fatalf("suspects %+v, %q", d.Stall.Suspects, d.Stall.NoSuspect)
	}
	s := d.Stall.Suspects[0]
	if s.Unit != UnitRank || !slices.Equal(s.Ranks, []int{2}) || !strings.Contains(s.Reason, "iteration 11") || !strings.Contains(s.Reason, "forward_backward") {
		t.Errorf("%+v", s)
	}
	if d.Verdict.State != VerdictStalled || d.Verdict.Scope != ScopeRank || !strings.Contains(d.Verdict.Summary, "rank 2") {
		t.Errorf("%+v", d.Verdict)
	}
}

// TestSuspects: who is suspected of a stall after ten steps, as unit and ranks.
func TestSuspects(t *testing.T) {
	fb, sync := "megatron.forward_backward", "megatron.grad_sync.finish"
	all := func(f *feed, c *toy, names ...string) {
		for rank := range c.world {
			partOf(f, c, rank, 10, names...)
		}
	}
	tests := []struct {
		name string
		run  toy
		then func(f *feed, c *toy)
		want string // "" for nobody
	}{
		{"one below all", toy{dp: 4, skip: func(r, s int) bool { return r == 1 && s > 7 }}, func(*feed, *toy) {}, "rank 1"},
		{"a worker below all", toy{tp: 2, dp: 4, skip: func(r, s int) bool { return r/2 == 1 && s > 7 }}, func(*feed, *toy) {}, "worker 2–3"},
		{"a lane inside the step", toy{pp: 2, dp: 4}, func(f *feed, c *toy) {
			for rank := range 8 {
				if rank%4 != 3 {
					partOf(f, c, rank, 10, fb)
				}
			}
		}, "lane 3, 7"},
		{"a host inside the step", toy{dp: 8, more: func(r int) []run.Attr { return []run.Attr{str("host.name", []string{"a", "b", "c", "d"}[r/2])} }}, func(f *feed, c *toy) {
			for rank := range 8 {
				if rank/2 != 1 {
					partOf(f, c, rank, 10, fb)
				}
			}
		}, "host 2–3"},
		{"the one that lacks most", toy{dp: 8}, func(f *feed, c *toy) {
			for rank := range 8 {
				partOf(f, c, rank, 10, []string{fb, sync}[:min(rank, 2)]...)
			}
		}, "rank 0"},
		{"all at the same span", toy{dp: 4}, func(f *feed, c *toy) { all(f, c, fb) }, ""},
		{"all but one are behind it", toy{dp: 8}, func(f *feed, c *toy) { partOf(f, c, 3, 10, fb) }, ""},
		{"of stages of different length, at the same place", toy{pp: 2, dp: 4, extra: func(r, _ int) []toySpan {
			if r < 4 {
				return []toySpan{{"megatron.dataloader.next", 0, 5}}
			}
			return nil
		}}, func(f *feed, c *toy) {
			for rank := range 8 {
				if rank < 4 {
					partOf(f, c, rank, 10, "megatron.dataloader.next", fb)
				} else {
					partOf(f, c, rank, 10, fb)
				}
			}
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			c := tt.run
			c.steps = 10
			c.defaults()
			c.send(f)
			tt.then(f, &c)
			d := after(f, 60)
			got := ""
			for _, s := range d.Stall.Suspects {
				got += string(s.Unit) + strings.TrimPrefix(list("", s.Ranks), "s")
			}
			if got != tt.want || !d.Stall.Stalled {
				t.Errorf("suspects %q, want %q; stalled %t (%s)", got, tt.want, d.Stall.Stalled, d.Stall.NoSuspect)
			}
			if tt.want == "" && d.Stall.NoSuspect == "" {
				t.Error("nobody is suspected, and no reason given")
			}
		})
	}
}

// TestShutDownAfterAStall: the odd one out of the spans that a shutdown closed.
func TestShutDownAfterAStall(t *testing.T) {
	shutdown := func(wait int64, stuck func(rank int) string) Diagnosis {
		f := newFeed(t)
		c := toyOf(4)
		c.send(f)
		f.now += wait * 1e9
		for rank := range 4 {
			root := f.mk("megatron.train_step", 10*sec, 10*sec+uint64(wait)*sec, truncated(), num("megatron.iteration", 10))
			inner := under(root, f.mk(stuck(rank), 10*sec+100*ms, 10*sec+uint64(wait)*sec, truncated()))
			f.spans(c.resource(rank), inner, root)
		}
		return after(f, 1)
	}
	odd := func(rank int) string {
		if rank == 2 {
			return "megatron.forward_backward"
		}
		return "megatron.grad_sync.finish"
	}
	d := shutdown(120, odd)
	if d.Verdict.State != VerdictEnded || d.Stall.Stalled {
		t.Fatalf("%+v", d.Verdict)
	}
	if len(d.Stall.Suspects) != 1 || !slices.Equal(d.Stall.Suspects[0].Ranks, []int{2}) || !strings.Contains(d.Stall.Suspects[0].Reason, "forward_backward") {
		t.Errorf("suspects %+v", d.Stall.Suspects)
	}
	if d := shutdown(2, odd); len(d.Stall.Suspects) > 0 {
		t.Errorf("a run that was shut down while it moved: %+v", d.Stall.Suspects)
	}
	same := shutdown(120, func(int) string { return "megatron.grad_sync.finish" })
	if len(same.Stall.Suspects) > 0 || same.Stall.NoSuspect == "" {
		t.Errorf("all in the same span: %+v", same.Stall)
	}
}

func TestARankThatEndedAloneIsSuspect(t *testing.T) {
	f := newFeed(t)
	c := toyOf(4)
	c.send(f)
	f.spans(c.resource(1), f.mk("megatron.train_step", 10*sec, 10*sec+500*ms, truncated(), num("megatron.iteration", 10)))
	for range 4 {
		f.now += 10e9
		for _, rank := range []int{0, 2, 3} {
			f.gauge(c.resource(rank), "gpu.power", 300)
		}
	}
	d := after(f, 1)
	if d.Verdict.State != VerdictStalled || len(d.Stall.Suspects) != 1 || !slices.Equal(d.Stall.Suspects[0].Ranks, []int{1}) {
		t.Errorf("%+v, suspects %+v", d.Verdict, d.Stall.Suspects)
	}
}

// TestAOneLanePipeline: without a second lane it counts what a rank did last.
func TestAOneLanePipeline(t *testing.T) {
	forward, backward, receive, sync := "megatron.microbatch.forward", "megatron.microbatch.backward", "megatron.p2p.recv_backward", "megatron.grad_sync.finish"
	for _, tt := range []struct {
		name string
		last []string // by stage
		want []int
	}{
		{"one has received", []string{forward, receive, backward, backward}, []int{1}},
		{"the last stage goes on without receiving", []string{backward, backward, backward, forward}, []int{3}},
		{"one is within its passes", []string{sync, backward, sync, sync}, []int{1}},
		{"all alike", []string{sync, sync, sync, sync}, nil},
		{"nobody can be told", []string{forward, backward, backward, backward}, nil},
	} {
		f := newFeed(t)
		c := &toy{pp: 4, steps: 10, micro: 8}
		c.defaults()
		c.send(f)
		for rank, name := range tt.last {
			partOf(f, c, rank, 10, forward, name)
		}
		d := after(f, 60)
		var got []int
		for _, s := range d.Stall.Suspects {
			got = append(got, s.Ranks...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: suspects %v, want %v", tt.name, got, tt.want)
		}
	}
}
