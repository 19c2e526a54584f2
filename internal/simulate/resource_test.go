package simulate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	common "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestIdentityOfATrainer(t *testing.T) {
	for _, naming := range []Naming{Newest, Older} {
		c := stream(t, Config{Seed: 5, User: "ada", TP: 2, CP: 2, PP: 4, DP: 3, RanksPerHost: 4, Naming: naming}).Config()
		got := run.Identify(newResources(&c).trainer(29))
		want := run.Identity{
			Run: "sim-5", RunBy: run.ByRunID, Attempt: got.Attempt, Service: "megatron-lm", Role: "trainer",
			Instance: "sim-5-rank29", Host: "gpu-0007", PID: 20_029, User: "ada", Job: "100005",
			Rank: 29, WorldSize: 48, LocalRank: 1,
			Sizes: run.Sizes{TP: 2, CP: run.Unknown, EP: run.Unknown, DP: 3, PP: 4}, Coord: run.UnknownCoord(),
		}
		if naming == Older {
			want.Role = ""
		}
		if d := cmp.Diff(want, got); d != "" || len(got.Attempt) != 36 {
			t.Errorf("%s (-want +got):\n%s", naming, d)
		}
	}
}

func TestIdentityOfTheGateway(t *testing.T) {
	c := stream(t, small()).Config()
	got := run.Identify(newResources(&c).beside())
	if got.Run != "sim-7" || got.Rank != run.Unknown || got.WorldSize != run.Unknown || got.Role != "gateway" {
		t.Errorf("the gateway is %+v", got)
	}
}

// Both spellings of rank, world size and local rank by default; one on request.
func TestSpellings(t *testing.T) {
	older := []string{semconv.DLRank, semconv.DLWorldSize, semconv.DLLocalRank}
	newest := []string{semconv.NVDLRank, semconv.NVDLWorldSize, semconv.NVDLLocalRank}
	for _, tc := range []struct {
		c             Config
		older, newest bool
	}{
		{Config{}, true, true}, {Config{NewestOnly: true}, false, true}, {Config{Naming: Older}, true, false},
	} {
		c := stream(t, tc.c).Config()
		keys := map[string]int{}
		for _, a := range newResources(&c).trainer(0) {
			keys[a.Key]++
		}
		for key, n := range keys {
			if n != 1 {
				t.Errorf("%+v: %s is there %d times", tc.c.Naming, key, n)
			}
		}
		for i := range older {
			if (keys[older[i]] == 1) != tc.older || (keys[newest[i]] == 1) != tc.newest {
				t.Errorf("%s only=%v: %s %d, %s %d", tc.c.Naming, tc.c.NewestOnly, older[i], keys[older[i]], newest[i], keys[newest[i]])
			}
		}
	}
}

// Each attribute of the table has the table's type, and every rank its own GPU.
func TestResourceTypes(t *testing.T) {
	c := small()
	c.User = "ada"
	uuids := map[string]bool{}
	for rank, res := range collect(t, stream(t, c)).resources {
		for _, kv := range res.Attributes {
			if want, ok := semconv.Lookup(kv.Key); ok && want.Type.String() != typeOf(kv.Value) {
				t.Errorf("%s is %s, want %s", kv.Key, typeOf(kv.Value), want.Type)
			}
		}
		if v, ok := attr(res.Attributes, semconv.NVGPUUUID); ok {
			uuids[v.GetStringValue()] = true
		} else if rank >= 0 {
			t.Errorf("rank %d has no GPU", rank)
		}
	}
	if len(uuids) != 16 {
		t.Errorf("%d GPUs for 16 ranks", len(uuids))
	}
}

func typeOf(v *common.AnyValue) string {
	switch v.Value.(type) {
	case *common.AnyValue_IntValue:
		return "int"
	case *common.AnyValue_StringValue:
		return "string"
	}
	return fmt.Sprintf("%T", v.Value)
}
