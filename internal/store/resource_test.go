package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestResourcesAreFoundByTheirBytes(t *testing.T) {
	tab := newResources()
	a, b := &procWriter{}, &procWriter{}
	_, h := tab.find([]byte("a"))
	tab.add(h, []byte("a"), a, 10, 100)
	tab.add(h, []byte("b"), b, 10, 100) // as if it had the same hash
	if p, _ := tab.find([]byte("a")); p != a {
		t.Error("a resource was not found beside another one of the same hash")
	}
	if r := tab.known[h]; r.proc != b || r.next.proc != a {
		t.Error("one resource displaced another")
	}
	if p, _ := tab.find([]byte("c")); p != nil {
		t.Error("a resource was found that never came")
	}
}

func TestResourcesAreBounded(t *testing.T) {
	tab := newResources()
	for i := range 1000 {
		raw := []byte(fmt.Sprint(i))
		_, h := tab.find(raw)
		tab.add(h, raw, &procWriter{}, 64, 1<<20)
	}
	if tab.count > 64 || len(tab.known) > 64 {
		t.Errorf("%d resources in %d places", tab.count, len(tab.known))
	}
}

func TestAForgottenResourceIsFoundByItsAttributes(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), sp(1, 0, "x", 0, 1))
	f.resources = newResources()
	f.send(rank(0), sp(2, 0, "x", 0, 1))
	if r := f.only(); len(r.Processes) != 1 || r.Processes[0].Spans != 2 {
		t.Errorf("processes = %d", len(r.Processes))
	}
}

// TestOneProcessMaySendSeveralResources: the providers of a process's signals
// may differ in what they say; who it is stays the same.
func TestOneProcessMaySendSeveralResources(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0, of("h", 1)...), sp(1, 0, "x", 0, 1))
	f.send(rank(0, append(of("h", 1), str("telemetry.sdk.name", "opentelemetry"))...), sp(2, 0, "x", 0, 1))
	f.send(rank(0, of("h", 1)...), sp(3, 0, "x", 0, 1))
	r := f.only()
	if len(r.Processes) != 1 || r.Processes[0].Spans != 3 {
		t.Fatalf("processes = %d", len(r.Processes))
	}
	if v, ok := lastOf(r.Processes[0].Resource, "telemetry.sdk.name"); !ok || v.Str() != "opentelemetry" {
		t.Errorf("resource = %v, want the one that says most", r.Processes[0].Resource)
	}
}

func TestWhatARunSaysOfItself(t *testing.T) {
	f := newFixture(t)
	f.send([]run.Attr{str("nemo.run.id", "r")}, sp(1, 0, "x", 0, 1))
	f.send(rank(0, num("dl.world_size", 4), str("nemo.user.id", "ada"), str("slurm.job.id", "77")), sp(2, 0, "x", 0, 1))
	f.send(rank(1, num("dl.world_size", 8), str("nemo.user.id", "bob")), sp(3, 0, "x", 0, 1))
	f.send(rank(0, num("dl.world_size", 4096), str("gym.server.name", "g"), of("h", 9)[0]), sp(4, 0, "x", 0, 1))
	r := f.only()
	got := []any{r.ID, r.IDBy, r.Service, r.User, r.Job, r.WorldSize}
	if d := cmp.Diff([]any{"r", run.ByRunID, "megatron-lm", "ada", "77", 8}, got); d != "" {
		t.Errorf("run differs (-want +got):\n%s", d)
	}
}

func TestKeysOfProcesses(t *testing.T) {
	base := run.Identity{Run: "r", Service: "s", Role: "trainer", Instance: "i", Host: "h", PID: 1, Rank: 2, Restart: run.Unknown}
	change := map[string]func(*run.Identity){
		"service": func(id *run.Identity) { id.Service = "t" }, "role": func(id *run.Identity) { id.Role = "x" },
		"instance": func(id *run.Identity) { id.Instance = "j" }, "host": func(id *run.Identity) { id.Host = "g" },
		"pid": func(id *run.Identity) { id.PID = 2 }, "rank": func(id *run.Identity) { id.Rank = 3 },
		"attempt": func(id *run.Identity) { id.Attempt = "u" }, "restart": func(id *run.Identity) { id.Restart = 1 },
	}
	for what, ch := range change {
		other := base
		ch(&other)
		if keyOf(other) == keyOf(base) {
			t.Errorf("another %s is the same process", what)
		}
	}
	same := base
	same.WorldSize, same.User, same.LocalRank = 8, "u", 1
	if keyOf(same) != keyOf(base) {
		t.Error("what says nothing about who it is makes another process")
	}
}

func TestOverridingSizes(t *testing.T) {
	sent := run.Sizes{TP: 2, PP: 4, DP: 8, CP: run.Unknown, EP: run.Unknown}
	tests := []struct {
		given, want run.Sizes
	}{
		{run.Sizes{}, sent},
		{run.UnknownSizes(), sent},
		{run.Sizes{CP: 2}, run.Sizes{TP: 2, PP: 4, DP: 8, CP: 2, EP: run.Unknown}},
		{run.Sizes{TP: 1, PP: 1, DP: 1, CP: 1, EP: 1}, run.Sizes{TP: 1, PP: 1, DP: 1, CP: 1, EP: 1}},
	}
	for _, tt := range tests {
		if got := override(sent, tt.given); got != tt.want {
			t.Errorf("given %+v: %+v, want %+v", tt.given, got, tt.want)
		}
	}
}
