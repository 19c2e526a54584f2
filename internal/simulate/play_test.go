package simulate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/report"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

type carry func(context.Context, *simulate.Stream, simulate.Target, simulate.Rate, simulate.Clock) (simulate.Result, error)

// direct is Send with the signature of the others.
func direct(ctx context.Context, s *simulate.Stream, to simulate.Target, r simulate.Rate, c simulate.Clock) (simulate.Result, error) {
	return simulate.Send(ctx, s, to, r, c)
}

// undated is a store that goes by the clocks of the senders, as for a file: when what
// came differs from way to way.
type undated struct{ *store.Store }

func (u undated) Put(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
	r.At = 0
	return u.Store.Put(ctx, b, r)
}

// received is a store, and what is sent to it, for a run that was carried to a real
// receiver as quickly as it is taken.
func received(t *testing.T, c simulate.Config, protocol simulate.Protocol, by carry) (*store.Snapshot, simulate.Result) {
	t.Helper()
	st := store.New(store.Config{Files: true})
	srv, err := ingest.Start(t.Context(), ingest.Config{GRPC: "127.0.0.1:0", HTTP: "127.0.0.1:0", Wait: time.Minute}, undated{st})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = srv.Stop(context.Background()) }()
	to := simulate.Target{Protocol: protocol}
	for _, l := range srv.Addrs() {
		if (l.Protocol == "gRPC") == (protocol == simulate.GRPC) {
			to.Endpoint = l.Addr
		}
	}
	stream, err := simulate.New(c)
	if err != nil {
		t.Fatal(err)
	}
	res, err := by(t.Context(), stream, to, simulate.Rate{}, simulate.WallClock{})
	if err != nil {
		t.Fatal(err)
	}
	for signal, n := range res.Signals {
		if n.Sent != n.Accepted || n.Sent == 0 {
			t.Errorf("%s: %+v %v", run.Signal(signal), n, res.Reasons)
		}
	}
	return st.Snapshot(), res
}

func reportOf(t *testing.T, s *store.Snapshot) map[string]any {
	t.Helper()
	r, err := report.Build(t.Context(), s, report.Options{Processes: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, one := range all["runs"].([]any) {
		slices.SortFunc(one.(map[string]any)["metrics"].([]any), func(a, b any) int { // they are in the order of arrival
			return strings.Compare(fmt.Sprint(a.(map[string]any)["name"]), fmt.Sprint(b.(map[string]any)["name"]))
		})
	}
	return all
}

// faulty is a run of 16 ranks with all that can go wrong, and all that happens at
// times.
func faulty() simulate.Config {
	return simulate.Config{
		Seed: 7, User: "ada", TP: 2, PP: 2, DP: 4, Microbatches: 4, Iterations: 14, Linger: 20 * time.Second,
		CheckpointEvery: 5, EvalEvery: 7, GCEvery: 4, NaNEvery: 6, LogEvery: 2, MetricEvery: 3 * time.Second,
		Faults: []simulate.Fault{
			simulate.Straggler{Rank: 5, Factor: 1.6, From: 3}, simulate.Hang{Rank: 10, Iteration: 12}, simulate.Explosion{PerSecond: 60},
		},
	}
}

// same compares reports but for what the two ways cannot share: the SDK speaks for
// itself, estimates and examples of many values depend on their order, the point that
// came last of many at one moment is any, and coupled ranks differ by microseconds in
// what is cut short at one moment.
func same() cmp.Options {
	sketched := func(p cmp.Path) bool { return slices.Contains(keys(p), "distinct") }
	return cmp.Options{
		cmp.FilterPath(func(p cmp.Path) bool {
			in := keys(p)
			last := in[len(in)-1]
			return strings.HasPrefix(last, "telemetry.sdk.") || last == "examples" ||
				last == "text" && slices.Contains(in, "notices") || last == "last" && slices.Contains(in, "metrics")
		}, cmp.Ignore()),
		cmp.FilterPath(sketched, near(0.05, math.Inf(1))),
		cmp.FilterPath(func(p cmp.Path) bool { return !sketched(p) }, near(1e-6, 1e-5)),
	}
}

// keys is the keys on the way to a value, "" before the first.
func keys(p cmp.Path) []string {
	all := []string{""}
	for _, step := range p {
		if key, ok := step.(cmp.MapIndex); ok {
			all = append(all, key.Key().String())
		}
	}
	return all
}

// near allows a part of a number, and not more than a bound.
func near(part, bound float64) cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= min(part*math.Abs(a), bound) })
}

// TestPlayIsSend: the run that its processes send through pkg/telemetry is the run that
// is encoded here.
func TestPlayIsSend(t *testing.T) {
	plain, skewed, alive := faulty(), faulty(), faulty()
	skewed.HostSkew, skewed.RanksPerHost, skewed.OneTrace, skewed.NewestOnly = 3*time.Second, 4, true, true
	alive.Faults[1] = simulate.Hang{Rank: 10, Iteration: 12, Within: 2, Alive: true}
	alive.Detail = simulate.ForwardBackward
	for name, c := range map[string]simulate.Config{"plain": plain, "skewed": skewed, "alive": alive} {
		t.Run(name, func(t *testing.T) {
			straight, _ := received(t, c, simulate.GRPC, direct)
			protocol := simulate.GRPC
			if name == "alive" {
				protocol = simulate.HTTP
			}
			played, res := received(t, c, protocol, simulate.Play)
			if res.Processes != 17 {
				t.Errorf("%d processes", res.Processes)
			}
			if diff := cmp.Diff(reportOf(t, straight), reportOf(t, played), same()...); diff != "" {
				t.Errorf("the reports differ (-sent +played): %s", diff)
			}
		})
	}
}
