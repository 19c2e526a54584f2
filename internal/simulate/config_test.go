package simulate

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConfigDefaults(t *testing.T) {
	got := stream(t, Config{Seed: 42}).Config()
	want := Config{
		Seed: 42, RunID: "sim-42", Service: "megatron-lm", Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		TP: 1, CP: 1, PP: 1, DP: 1, RanksPerHost: 8, Microbatches: 8,
		Step: time.Second, Startup: 2 * time.Second, Linger: time.Minute,
		ExportEvery: 5 * time.Second, MetricEvery: 10 * time.Second, LogEvery: 10,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("defaults (-want +got):\n%s", d)
	}
}

func TestConfigKeepsWhatIsGiven(t *testing.T) {
	in := Config{
		RunID: "r", Service: "s", User: "u", Start: time.Unix(1e9, 0), TP: 2, CP: 3, PP: 4, DP: 5, RanksPerHost: 4,
		Microbatches: 9, Step: time.Minute, Startup: time.Hour, Iterations: 3, Linger: time.Second, Naming: Older,
		Detail: StepOnly, OneTrace: true, HostSkew: time.Millisecond, ExportEvery: time.Second, MetricEvery: time.Minute,
		LogEvery: 1, CheckpointEvery: 2, EvalEvery: 3, GCEvery: 4, NaNEvery: 5, Gateway: true,
	}
	if d := cmp.Diff(in, stream(t, in).Config()); d != "" {
		t.Errorf("given values changed (-want +got):\n%s", d)
	}
	if n := in.Ranks(); n != 120 {
		t.Errorf("Ranks() = %d, want 120", n)
	}
}

func TestConfigRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		c    Config
		want string // in the error
	}{
		"negative size":        {Config{TP: -1}, "tensor parallel size is -1"},
		"too many ranks":       {Config{TP: 8, DP: 4096}, "32768, must be 1 to 16384"},
		"negative step":        {Config{Step: -time.Second}, "step time is -1s"},
		"tiny interval":        {Config{ExportEvery: 1}, "span export interval is 1ns"},
		"negative iterations":  {Config{Iterations: -3}, "iterations is -3"},
		"too many microbatch":  {Config{Microbatches: 5000}, "microbatches is 5000"},
		"skew":                 {Config{HostSkew: 2 * time.Hour}, "host clock skew is 2h0m0s"},
		"nil fault":            {Config{Faults: []Fault{nil}}, "fault 1 is nil"},
		"no such rank":         {Config{DP: 4, Faults: []Fault{Straggler{Rank: 4, Factor: 2}}}, "rank 4: the run has ranks 0 to 3"},
		"no such iteration":    {Config{Iterations: 5, Faults: []Fault{Hang{Iteration: 5}}}, "iteration 5: the run has iterations 0 to 4"},
		"factor":               {Config{Faults: []Fault{Straggler{Factor: 1}}}, "fault 1 (straggler): compute factor is 1"},
		"factor not a number":  {Config{Faults: []Fault{Straggler{Factor: math.NaN()}}}, "compute factor is NaN"},
		"no such microbatch":   {Config{Microbatches: 2, Faults: []Fault{Hang{Within: 3}}}, "microbatch 3: the step has 2"},
		"two hangs":            {Config{Faults: []Fault{Hang{}, Hang{}}}, "2 hangs, freezes and truncated exits"},
		"sessions":             {Config{Faults: []Fault{Explosion{PerSecond: -1}}}, "-1 new sessions a second"},
		"second fault is told": {Config{Faults: []Fault{Explosion{}, Straggler{}}}, "fault 2 (straggler)"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := New(tc.c)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("New = %v, %v, want an error with %q", s, err, tc.want)
			}
		})
	}
}

func TestChoices(t *testing.T) {
	for _, n := range []Naming{Newest, Older} {
		if got, err := ParseNaming(n.String()); got != n || err != nil {
			t.Errorf("ParseNaming(%q) = %v, %v", n, got, err)
		}
	}
	for _, d := range []Detail{Microbatch, ForwardBackward, StepOnly} {
		if got, err := ParseDetail(d.String()); got != d || err != nil {
			t.Errorf("ParseDetail(%q) = %v, %v", d, got, err)
		}
	}
	for _, p := range []Protocol{ByEndpoint, GRPC, HTTP} {
		if got, err := ParseProtocol(p.String()); got != p || err != nil {
			t.Errorf("ParseProtocol(%q) = %v, %v", p, got, err)
		}
	}
	if _, err := ParseDetail("steps"); err == nil || !strings.Contains(err.Error(), `"forward_backward"`) {
		t.Errorf("ParseDetail of a wrong word: %v, want the words", err)
	}
	if s := Detail(9).String(); s != "unknown" {
		t.Errorf("String of no detail = %q", s)
	}
}
