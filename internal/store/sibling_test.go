package store

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// lived is a process by its receive times and its spans' times.
func lived(first, last int64, start, end uint64) *Process {
	return &Process{First: first, Last: last, Start: start, End: end}
}

func TestOverlap(t *testing.T) {
	tests := []struct {
		name           string
		p, q           *Process
		overlap, after bool // after: p after q
	}{
		{"side by side", lived(10, 50, 100, 500), lived(20, 60, 150, 550), true, false},
		{"one after the other", lived(60, 90, 600, 900), lived(10, 50, 100, 500), false, true},
		{"before the other", lived(10, 50, 100, 500), lived(60, 90, 600, 900), false, false},
		{"received at once, spans apart", lived(10, 90, 600, 900), lived(10, 90, 100, 500), false, true},
		{"spans at once by clocks that differ, received apart", lived(60, 90, 300, 900), lived(10, 50, 100, 500), false, false},
		{"without spans, received at once", lived(10, 50, 0, 0), lived(20, 60, 0, 0), true, false},
		{"without spans, received apart", lived(60, 90, 0, 0), lived(10, 50, 0, 0), false, true},
		{"one without spans", lived(10, 50, 0, 0), lived(20, 60, 100, 200), true, false},
		{"touching", lived(50, 90, 500, 900), lived(10, 50, 100, 500), false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if overlap(tt.p, tt.q) != tt.overlap || overlap(tt.q, tt.p) != tt.overlap {
				t.Errorf("overlap = %v and %v, want %v", overlap(tt.p, tt.q), overlap(tt.q, tt.p), tt.overlap)
			}
			if got := after(tt.p, tt.q); got != tt.after {
				t.Errorf("after = %v, want %v", got, tt.after)
			}
		})
	}
}

func TestSameRole(t *testing.T) {
	of := func(role string, steps bool) *procWriter {
		return &procWriter{pub: &Process{ID: run.Identity{Role: role}}, hasSteps: steps}
	}
	tests := []struct {
		name string
		p, q *procWriter
		want bool
	}{
		{"the same", of("trainer", true), of("trainer", false), true},
		{"different", of("policy", true), of("generation", false), false},
		{"a helper without a role", of("trainer", true), of("", false), true},
		{"a trainer without a role beside another role", of("", true), of("generation", false), false},
		{"both without", of("", true), of("", false), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if sameRole(tt.p, tt.q) != tt.want || sameRole(tt.q, tt.p) != tt.want {
				t.Errorf("%v and %v, want %v", sameRole(tt.p, tt.q), sameRole(tt.q, tt.p), tt.want)
			}
		})
	}
}

func TestAttemptMatches(t *testing.T) {
	id := func(uuid string, restart int) run.Identity { return run.Identity{Attempt: uuid, Restart: restart} }
	tests := []struct {
		name string
		a    Attempt
		id   run.Identity
		want bool
	}{
		{"the same uuid", Attempt{UUID: "u", Restart: 0}, id("u", 1), true},
		{"another uuid", Attempt{UUID: "u", Restart: 0}, id("v", 0), false},
		{"the same count", Attempt{Restart: 1}, id("", 1), true},
		{"another count", Attempt{Restart: 1}, id("", 2), false},
		{"nothing said", Attempt{UUID: "u", Restart: 3}, id("", run.Unknown), true},
		{"nothing known yet", Attempt{Restart: run.Unknown}, id("u", 2), true},
	}
	for _, tt := range tests {
		if got := tt.a.matches(tt.id); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAnAttemptLearnsWhatLaterProcessesSay(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0, of("h", 1)...), sp(1, 0, "x", 0, second))
	f.send(rank(1, of("h", 2, str("nv.dl.run.uuid", "u"), num("slurm.restart_count", 0))...), sp(1, 0, "x", 0, second))
	f.send(rank(2, of("h", 3, str("nv.dl.run.uuid", "w"))...), sp(1, 0, "x", 0, second))
	r := f.only()
	if len(r.Attempts) != 2 || r.Attempts[0].UUID != "u" || r.Attempts[0].Restart != 0 || r.Attempts[1].UUID != "w" {
		t.Errorf("attempts = %+v", r.Attempts)
	}
	checkStanding(t, r, "rank 0 attempt 0 grid", "rank 1 attempt 0 grid", "rank 2 attempt 1 grid")
}

// TestARestartOfEveryRankIsOneAttempt restarts four ranks at different times, as
// told by time alone.
func TestARestartOfEveryRankIsOneAttempt(t *testing.T) {
	f := newFixture(t)
	for n := range 4 {
		f.steps(rank(n, of("a", n)...), 0, 2)
	}
	f.now += 600 * int64(second)
	for n := range 4 {
		f.steps2(rank(n, of("b", n)...), 2, 4, 700*second+uint64(n)*second)
	}
	r := f.only()
	if len(r.Attempts) != 2 {
		t.Fatalf("attempts = %+v", r.Attempts)
	}
	for _, p := range r.Processes {
		if want := p.Index / 4; p.Attempt != want || p.Sibling || !p.Grid {
			t.Errorf("process %d: attempt %d, sibling %v, grid %v", p.Index, p.Attempt, p.Sibling, p.Grid)
		}
	}
}

func TestSuccessorsWithoutStepsNeedSilence(t *testing.T) {
	for _, gap := range []int64{5, 60} {
		f := newFixture(t)
		f.send(rank(0, of("a", 1)...), sp(1, 0, "x", 0, second))
		f.now += gap * int64(second)
		f.send(rank(0, of("b", 2)...), sp(2, 0, "x", uint64(gap)*second, uint64(gap+1)*second))
		if got, want := len(f.only().Attempts), 1+int(gap/60); got != want {
			t.Errorf("after %d s: %d attempts, want %d", gap, got, want)
		}
	}
}
