package store

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestProgressInsideTheUnfinishedStep(t *testing.T) {
	f := newFixture(t)
	inside := func(want Inside, why string) {
		t.Helper()
		if got := f.only().Processes[0].Inside; got != want {
			t.Errorf("%s: %+v, want %+v", why, got, want)
		}
	}
	f.send(rank(0), child(0, 1, "x.forward_backward", 0, 600))
	inside(Inside{Ended: 1}, "before the first step ended")
	f.send(rank(0), stepSpan(0))
	inside(Inside{Usual: 1}, "the first step ended")
	f.send(rank(0), fullStep(1)...)
	inside(Inside{Usual: 6}, "a usual step")
	next := fullStep(2)
	f.send(rank(0), next[:1]...)
	inside(Inside{Ended: 1, Usual: 6}, "one span of the next")
	f.send(rank(0), next[:1]...)
	inside(Inside{Ended: 1, Usual: 6}, "the same again")
	f.send(rank(0), child(1, 8, "x.late", 100, 200))
	inside(Inside{Ended: 1, Usual: 7}, "a late span of the step before")
	f.send(rank(0), next[1:3]...)
	inside(Inside{Ended: 3, Usual: 7}, "two more")
	f.send(rank(0), next[3:]...)
	inside(Inside{Usual: 6}, "it ended")
	f.send(rank(0), append(fullStep(3), child(4, 1, "x.forward_backward", 0, 100))...)
	inside(Inside{Ended: 1, Usual: 6}, "a step and the first span of the next in one request")
}

func TestProgressBySpansThatSayTheirIteration(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	f.send(rank(0), stepSpan(1))
	early := sp(901, 0, "x.forward_backward", 1500*ms, 1600*ms, num("megatron.iteration", 2)) // by its time of step 1
	old := sp(902, 0, "x.forward_backward", 5000*ms, 5100*ms, num("megatron.iteration", 0))
	f.send(rank(0), early, old)
	if got := f.only().Processes[0].Inside; got.Ended != 1 {
		t.Errorf("%d spans of iteration 2, want 1", got.Ended)
	}
}

func TestTheDeepestTruncatedSpan(t *testing.T) {
	cut := truth("nemo.span.truncated", true)
	job := sp(1, 0, "job", 0, 9000*ms, cut)
	step := sp(2, 1, "megatron.train_step", 3000*ms, 9000*ms, cut, num("megatron.iteration", 3))
	inner := sp(3, 2, "megatron.forward_backward", 3100*ms, 9000*ms, cut)
	for name, order := range map[string][]run.Span{"inner first": {inner, step, job}, "outer first": {job, step, inner}} {
		f := newFixture(t)
		f.send(rank(0), stepSpan(0), stepSpan(1), stepSpan(2))
		if f.only().Processes[0].Stuck.Start != 0 {
			t.Errorf("%s: stuck before anything was truncated", name)
		}
		f.send(rank(0), order...)
		r := f.only()
		s := r.Processes[0].Stuck
		if r.Names[s.Name].Text != "megatron.forward_backward" || s.Depth != 2 || s.Start != inner.Start {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestTheJobsSpanClosesAProcess(t *testing.T) {
	job := func(from, to uint64) run.Span { return sp(5, 0, "megatron.pretrain", from*ms, to*ms) }
	tests := []struct {
		name string
		send func(f *fixture)
		want bool
	}{
		{"around all steps", func(f *fixture) { f.send(rank(0), stepSpan(0), stepSpan(1), stepSpan(2), job(0, 4000)) }, true},
		{"before its steps came", func(f *fixture) { f.send(rank(0), job(0, 4000), stepSpan(0), stepSpan(1)) }, true},
		{"a step followed", func(f *fixture) {
			f.send(rank(0), stepSpan(0), stepSpan(1), job(0, 2000))
			f.send(rank(0), stepSpan(5))
		}, false},
		{"began too late", func(f *fixture) { f.send(rank(0), stepSpan(1), stepSpan(2), job(2500, 9000)) }, false},
		{"a root around each step", func(f *fixture) { f.send(rank(0), stepSpan(1), job(900, 2100)) }, false},
		{"truncated", func(f *fixture) {
			j := job(0, 9000)
			j.Attrs = []run.Attr{truth("nemo.span.truncated", true)}
			f.send(rank(0), stepSpan(0), stepSpan(1), j)
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			tt.send(f)
			if got := f.only().Processes[0].Closed != 0; got != tt.want {
				t.Errorf("closed %t, want %t", got, tt.want)
			}
		})
	}
}

func TestTheUsualTimeBetweenPoints(t *testing.T) {
	var p Process
	for i, tt := range []struct{ at, want int64 }{
		{10e9, 0}, {10e9 + 1e6, 0}, {20e9, 10e9 - 1e6}, {20e9 + 1e6, 10e9 - 1e6}, {30e9, (3*(10e9-1e6) + 10e9 - 1e6) / 4},
		{25e9, (3*(10e9-1e6) + 10e9 - 1e6) / 4}, // late by the clock: nothing
	} {
		if p.notePoints(tt.at); p.PointEvery != tt.want {
			t.Errorf("receipt %d: %d, want %d", i, p.PointEvery, tt.want)
		}
	}
	if p.LastPoint != 30e9 {
		t.Errorf("last %d", p.LastPoint)
	}
}
