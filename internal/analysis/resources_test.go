package analysis

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// runOf is a run of processes with these resources, a rank each.
func runOf(resources ...[]run.Attr) *store.Run {
	r := &store.Run{Attempts: []store.Attempt{{}}}
	for i, attrs := range resources {
		id := run.Identity{Rank: i, Host: fmt.Sprint("node", i/2)}
		r.Processes = append(r.Processes, &store.Process{Index: i, ID: id, Resource: attrs})
	}
	return r
}

// words is differences as text, for a table.
func words(list []ResourceDifference) []string {
	var out []string
	for _, d := range list {
		text := fmt.Sprintf("%s %d values, %d without, each %v:", d.Key, d.Distinct, d.Missing, d.Each)
		for _, v := range d.Values {
			text += fmt.Sprintf(" %s %q on %d (%s)", v.Value.Type, v.Value.String(), v.Count, v.Who)
		}
		out = append(out, text)
	}
	return out
}

func TestCompareResources(t *testing.T) {
	of := func(rank int, nccl string, more ...run.Attr) []run.Attr {
		return append([]run.Attr{str("service.name", "megatron"), num("dl.world_size", 4), num("dl.rank", int64(rank)), str("nccl", nccl)}, more...)
	}
	r := runOf(of(0, "2.20"), of(1, "2.20"), of(2, "2.19", str("debug", "1")), of(3, "2.20"))
	got := CompareResources(Scope{Run: r})
	if d := cmp.Diff([]run.Attr{num("dl.world_size", 4), str("service.name", "megatron")}, got.Shared); d != "" {
		t.Errorf("shared (-want +got):\n%s", d)
	}
	want := []string{
		`nccl 2 values, 0 without, each false: string "2.20" on 3 (ranks 0–1, 3) string "2.19" on 1 (rank 2)`,
		`dl.rank 4 values, 0 without, each true: int "0" on 1 (rank 0) int "1" on 1 (rank 1) int "2" on 1 (rank 2) int "3" on 1 (rank 3)`,
		`debug 1 values, 3 without, each false: string "1" on 1 (rank 2)`,
	}
	if d := cmp.Diff(want, words(got.Differing)); d != "" {
		t.Errorf("differing (-want +got):\n%s", d)
	}
	if got.Processes != 4 || got.Earlier != 0 {
		t.Errorf("%+v", got)
	}
}

// A number is another value than a text that looks like it.
func TestResourcesOfOtherTypes(t *testing.T) {
	r := runOf([]run.Attr{num("tp", 2)}, []run.Attr{str("tp", "2")}, []run.Attr{str("tp", "2")})
	want := []string{`tp 2 values, 0 without, each false: string "2" on 2 (ranks 1–2) int "2" on 1 (rank 0)`}
	if d := cmp.Diff(want, words(CompareResources(Scope{Run: r}).Differing)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestResourcesOfTheLatestAttempt(t *testing.T) {
	r := runOf([]run.Attr{str("v", "old")}, []run.Attr{str("v", "new")}, []run.Attr{str("v", "new")})
	r.Attempts = append(r.Attempts, store.Attempt{})
	r.Processes[1].Attempt, r.Processes[2].Attempt = 1, 1
	got := CompareResources(Scope{Run: r})
	if got.Processes != 2 || got.Earlier != 1 || len(got.Shared) != 1 || len(got.Differing) != 0 {
		t.Errorf("%+v", got)
	}
	got = CompareResources(Scope{r, fakeFilter{process: func(p int) bool { return p == 2 }}})
	if got.Processes != 1 || got.Earlier != 0 {
		t.Errorf("filtered: %+v", got)
	}
}

func TestResourcesWithoutRanks(t *testing.T) {
	var all [][]run.Attr
	for i := range 12 {
		all = append(all, []run.Attr{num("port", int64(i))})
	}
	r := runOf(all...)
	for _, p := range r.Processes {
		p.ID.Rank = run.Unknown
	}
	d := CompareResources(Scope{Run: r}).Differing[0]
	if d.Distinct != 12 || len(d.Values) != MostHeld || !d.Each || d.Values[7].Who != "node3" {
		t.Errorf("%+v", d)
	}
	if got := places(r.Processes); got != "node0, node1, node2, node3, …" {
		t.Errorf("many places: %q", got)
	}
	r.Processes[0].ID = run.Identity{Rank: run.Unknown, Service: "gateway"}
	if got := places(r.Processes[:1]); got != "gateway" {
		t.Errorf("a service without a host: %q", got)
	}
}

func TestLastOfEachKey(t *testing.T) {
	in := []run.Attr{str("b", "1"), str("a", "x"), str("b", "2"), num("c", 1), str("b", "3")}
	want := []run.Attr{str("a", "x"), str("b", "3"), num("c", 1)}
	if d := cmp.Diff(want, LastOfEachKey(in)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(in) != 5 || in[0].Key != "b" || LastOfEachKey(nil) != nil {
		t.Error("what was given is changed")
	}
}

func TestResourcesOfNobody(t *testing.T) {
	if d := cmp.Diff(Resources{}, CompareResources(Scope{Run: &store.Run{}})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func BenchmarkCompareResources(b *testing.B) {
	var all [][]run.Attr
	for rank := range 1024 {
		attrs := []run.Attr{num("dl.rank", int64(rank))}
		for k := range 40 {
			attrs = append(attrs, str(fmt.Sprint("key", k), "value"))
		}
		all = append(all, attrs)
	}
	r := runOf(all...)
	for b.Loop() {
		CompareResources(Scope{Run: r})
	}
}
