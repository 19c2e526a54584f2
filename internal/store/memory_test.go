package store

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestLimitsFollowTheBudget(t *testing.T) {
	small, usual := limitsOf(1<<20), limitsOf(DefaultBudget)
	if usual.processes < 3*16384 {
		t.Errorf("processes = %d: 16,384 ranks could not be requeued twice", usual.processes)
	}
	if usual.pairs < 16384*20 || usual.columns != DefaultBudget/4 {
		t.Errorf("limits = %+v", usual)
	}
	if usual.pending*int(perPending) > 52<<20 {
		t.Errorf("pending spans may take %d bytes", usual.pending*int(perPending))
	}
	if small.processes < 1024 || small.pairs < 1<<12 || small.slots < firstSlots || small.pending < 1<<12 {
		t.Errorf("a small budget leaves too little: %+v", small)
	}
}

func TestPowersOfTwo(t *testing.T) {
	for n, want := range map[int]int{0: firstSlots, 255: firstSlots, 256: 256, 511: 256, 512: 512, 1000000: 524288} {
		if got := powerOfTwo(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

func TestSharesOfTheBudget(t *testing.T) {
	s := New(Config{Budget: 64 << 20})
	s.measure()
	whole := s.data()
	if whole > 48<<20 || whole < 40<<20 {
		t.Errorf("data = %d of 64 MiB", whole)
	}
	if got := s.spanShare(); got != whole {
		t.Errorf("spans may use %d, want all of %d while nothing else is there", got, whole)
	}
	s.othersUsed = 10 << 20
	if got := s.spanShare(); got != whole-10<<20 {
		t.Errorf("spans may use %d beside 10 MiB of others", got)
	}
	s.pinnedNow = 60 << 20
	if got := s.spanShare(); got != whole/2 {
		t.Errorf("spans may use %d, want half of the data at least", got)
	}
	s.fixedNow = 200 << 20
	if got := s.data(); got != 8<<20 {
		t.Errorf("data = %d, want an eighth of the budget at least", got)
	}
}

func TestRunsShareTheTables(t *testing.T) {
	f := newFixture(t)
	for i := range 64 {
		f.send([]run.Attr{str("service.name", fmt.Sprint("s", i))}, sp(1, 0, "x", 0, 1))
	}
	var metrics, logs uint64
	slots := 0
	for _, w := range f.runs {
		if w.metrics.lim.bytes == 0 || w.logs.share == 0 || w.seen.limit < firstSlots {
			t.Fatalf("a run has no share: %d, %d, %d", w.metrics.lim.bytes, w.logs.share, w.seen.limit)
		}
		metrics, logs, slots = metrics+w.metrics.lim.bytes, logs+w.logs.share, slots+w.seen.limit
	}
	if data := f.data(); metrics > data/metricsPart*3/2 || logs > data/logsPart*3/2 || slots > f.limits.slots*3/2 {
		t.Errorf("shares of %d, %d, %d add up to too much", metrics, logs, slots)
	}
}

func TestReceiversThatShowTheSame(t *testing.T) {
	base := run.Receiver{Requests: 1, Bytes: 2, Repaired: 3, Conns: 4, Refused: []run.Refusal{{Code: "x", Count: 1}}, Listeners: []run.Listener{{}}}
	tests := []struct {
		name   string
		change func(*run.Receiver)
		same   bool
	}{
		{"nothing", func(*run.Receiver) {}, true},
		{"requests", func(r *run.Receiver) { r.Requests++ }, false},
		{"bytes", func(r *run.Receiver) { r.Bytes++ }, false},
		{"repaired", func(r *run.Receiver) { r.Repaired++ }, false},
		{"connections", func(r *run.Receiver) { r.Conns-- }, false},
		{"a listener", func(r *run.Receiver) { r.Listeners = nil }, false},
		{"a refusal more", func(r *run.Receiver) { r.Refused = append(r.Refused, run.Refusal{}) }, false},
		{"the same refusal again", func(r *run.Receiver) { r.Refused = []run.Refusal{{Code: "x", Count: 2}} }, false},
	}
	for _, tt := range tests {
		other := base
		tt.change(&other)
		if got := sameReceiver(&base, &other); got != tt.same {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.same)
		}
	}
}
