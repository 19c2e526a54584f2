package simulate

import (
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// gateRequests are the requests of the gateway in a run's first minute.
func gateRequests(t *testing.T, perSecond float64) []Request {
	t.Helper()
	s := stream(t, Config{Faults: []Fault{Explosion{PerSecond: perSecond}}})
	var l []Request
	for r, ok := s.Next(); ok && r.At <= time.Minute; r, ok = s.Next() {
		if r.Rank == run.Unknown {
			l = append(l, r)
		}
	}
	return l
}

// A storm of sessions is split, so that no request grows without bound.
func TestStormIsSplit(t *testing.T) {
	items, most := 0, 0
	for _, r := range gateRequests(t, 3000) {
		items += r.Items
		most = max(most, r.Items)
	}
	if want := 60*3000 + 6*5; items != want || most != maxPoints {
		t.Errorf("%d points, at most %d a request, want %d and %d", items, most, want, maxPoints)
	}
}

// Slow growth sends what there is: nothing new in some intervals.
func TestTrickle(t *testing.T) {
	items := map[int]int{}
	for _, r := range gateRequests(t, 0.05) {
		items[r.Items]++
	}
	if items[5] != 3 || items[6] != 3 {
		t.Errorf("requests by points %v, want 3 of 5 and, every 20 s, 3 of 6", items)
	}
}

func TestSessionsOfSeedsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(20) {
		m, err := newModel(Config{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		w := newGateWriter(m, newResources(&m.Config), nil)
		for n := range uint64(500) {
			seen[w.sessionID(n)] = true
		}
	}
	if len(seen) != 20*500 {
		t.Errorf("%d different sessions of %d", len(seen), 20*500)
	}
}
