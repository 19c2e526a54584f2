package run_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// attrs makes resource attributes of key, value, key, value …: Go ints become
// Ints, everything else is said with a run.Value or a string.
func attrs(pairs ...any) []run.Attr {
	var out []run.Attr
	for i := 0; i < len(pairs); i += 2 {
		a := run.Attr{Key: pairs[i].(string)}
		switch v := pairs[i+1].(type) {
		case int:
			a.Value = run.IntValue(int64(v))
		case string:
			a.Value = run.StringValue(v)
		case run.Value:
			a.Value = v
		}
		out = append(out, a)
	}
	return out
}

// nobody is the identity of a resource without attributes.
func nobody() run.Identity {
	return run.Identity{
		Run: "unknown service", RunBy: run.ByHostAndPID, Service: run.UnknownService,
		Restart: run.Unknown, Rank: run.Unknown, WorldSize: run.Unknown, LocalRank: run.Unknown,
		Sizes: run.UnknownSizes(), Coord: run.UnknownCoord(),
	}
}

func TestIdentifyWhole(t *testing.T) {
	newest := attrs("service.name", "megatron-lm", "nemo.run.id", "ar-4x4x4", "service.instance.id", "ar-4x4x4-rank0",
		"nv.dl.rank", 17, "nv.dl.world_size", 64, "nv.dl.local_rank", 1, "host.name", "gpu-002", "process.pid", 4000,
		"nv.dl.topology.size.tp", 4, "nv.dl.topology.size.pp", 2, "nv.dl.topology.size.dp", 8,
		"nv.dl.role", "trainer", "nv.dl.run.uuid", "u-1", "slurm.restart_count", 1, "nemo.user.id", "ada", "slurm.job.id", "77_3")
	want := run.Identity{
		Run: "ar-4x4x4", RunBy: run.ByRunID, Attempt: "u-1", Restart: 1, Service: "megatron-lm", Role: "trainer",
		Instance: "ar-4x4x4-rank0", Host: "gpu-002", PID: 4000, User: "ada", Job: "77_3", Rank: 17, WorldSize: 64, LocalRank: 1,
		Sizes: run.Sizes{TP: 4, CP: run.Unknown, EP: run.Unknown, DP: 8, PP: 2}, Coord: run.UnknownCoord(),
	}
	if diff := cmp.Diff(want, run.Identify(newest)); diff != "" {
		t.Errorf("newest spelling (-want +got):\n%s", diff)
	}
	older := attrs("service.name", "megatron-lm", "nemo.run.id", "ar-4x4x4", "service.instance.id", "ar-4x4x4-rank0",
		"dl.rank", "17", "dl.world_size", " 64", "dl.local_rank", "+1", "host.name", "gpu-002", "process.pid", "4000",
		"dl.tensor_parallel.size", 4, "dl.pipeline_parallel.size", "2", "dl.data_parallel.size", 8,
		"rl.worker_group", "trainer", "nemo.lens.run_uuid", "u-1", "slurm.restart_count", "1", "slurm.job.user", "ada", "slurm.job.id", "77_3")
	if diff := cmp.Diff(want, run.Identify(older)); diff != "" {
		t.Errorf("older spelling (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(nobody(), run.Identify(nil)); diff != "" {
		t.Errorf("no attributes (-want +got):\n%s", diff)
	}
}

func TestIdentifyRun(t *testing.T) {
	slurm := []any{"slurm.cluster.name", "eos", "slurm.job.id.raw", "125", "slurm.job.id", "123_4"}
	uuids := []any{"nv.dl.job.uuid", "job-u", "nv.dl.run.uuid", "run-u"}
	tests := []struct {
		name    string
		in      []any
		run, by string
	}{
		{"its own id before all", append(append([]any{"nemo.run.id", "mine"}, slurm...), uuids...), "mine", run.ByRunID},
		{"an id that is a number", []any{"nemo.run.id", 12345}, "12345", run.ByRunID},
		{"an empty id is none", append([]any{"nemo.run.id", " "}, uuids...), "job-u", run.ByJobUUID},
		{"Slurm before uuids", append(append([]any{}, slurm...), uuids...), "eos/125", run.BySlurmJob},
		{"another array task", []any{"slurm.cluster.name", "eos", "slurm.job.id.raw", 126, "slurm.job.id", "123_5"}, "eos/126", run.BySlurmJob},
		{"the retired cluster key", []any{"slurm.cluster", "eos", "slurm.job.id.raw", "125"}, "eos/125", run.BySlurmJob},
		{"an older producer without the raw id", []any{"slurm.cluster.name", "eos", "slurm.job.id", "125"}, "eos/125", run.BySlurmJob},
		{"no cluster: the job's uuid is better", append([]any{"slurm.job.id.raw", "125"}, uuids...), "job-u", run.ByJobUUID},
		{"no cluster: the job is better than an attempt", []any{"slurm.job.id.raw", "125", "nv.dl.run.uuid", "run-u"}, "125", run.BySlurmJob},
		{"older job uuid", []any{"nemo.lens.job_uuid", "job-u", "nemo.lens.run_uuid", "run-u"}, "job-u", run.ByJobUUID},
		{"an attempt only", []any{"nv.dl.run.uuid", "run-u", "service.name", "s", "host.name", "h"}, "run-u", run.ByRunUUID},
		{"a process only", []any{"service.name", "s", "host.name", "h", "process.pid", 12}, "s/h/12", run.ByHostAndPID},
		{"a service only", []any{"service.name", "s"}, "s", run.ByHostAndPID},
		{"a host only", []any{"host.name", "h"}, "unknown service/h", run.ByHostAndPID},
		{"a value that names nothing", []any{"nemo.run.id", run.BoolValue(true)}, "unknown service", run.ByHostAndPID},
	}
	for _, tt := range tests {
		id := run.Identify(attrs(tt.in...))
		if id.Run != tt.run || id.RunBy != tt.by {
			t.Errorf("%s: %q by %q, want %q by %q", tt.name, id.Run, id.RunBy, tt.run, tt.by)
		}
	}
}

func TestIdentifyRank(t *testing.T) {
	tests := []struct {
		name string
		in   []any
		want int
	}{
		{"newest wins", []any{"dl.rank", 3, "nv.dl.rank", 5}, 5},
		{"also before", []any{"nv.dl.rank", 5, "dl.rank", 3}, 5},
		{"an empty newest is ignored", []any{"nv.dl.rank", "", "dl.rank", 3}, 3},
		{"an invalid newest is ignored", []any{"nv.dl.rank", "three", "dl.rank", 3}, 3},
		{"a negative one is none", []any{"nv.dl.rank", -1, "dl.rank", 3}, 3},
		{"rank 0", []any{"nv.dl.rank", "0"}, 0},
		{"the last of two counts", []any{"nv.dl.rank", 1, "nv.dl.rank", 2}, 2},
		{"a float is no rank", []any{"nv.dl.rank", run.DoubleValue(3)}, run.Unknown},
		{"a bool is no rank", []any{"nv.dl.rank", run.BoolValue(true)}, run.Unknown},
		{"nor is what no cluster has", []any{"nv.dl.rank", 1 << 40}, run.Unknown},
		{"nothing sent", nil, run.Unknown},
	}
	for _, tt := range tests {
		if got := run.Identify(attrs(tt.in...)).Rank; got != tt.want {
			t.Errorf("%s: rank %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestIdentifySizesAndCoordinates(t *testing.T) {
	id := run.Identify(attrs("nv.dl.topology.size.tp", 0, "dl.tensor_parallel.size", 2,
		"dl.tensor_parallel.rank", 1, "dl.pipeline_parallel.rank", "3", "dl.data_parallel.rank", 0, "nv.dl.world_size", 0))
	if want := (run.Sizes{TP: 2, CP: -1, EP: -1, DP: -1, PP: -1}); id.Sizes != want {
		t.Errorf("sizes %+v, want %+v", id.Sizes, want)
	}
	if want := (run.Coord{TP: 1, CP: -1, EP: -1, DP: 0, PP: 3}); id.Coord != want {
		t.Errorf("coordinates %+v, want %+v", id.Coord, want)
	}
	if id.WorldSize != run.Unknown {
		t.Errorf("a world of %d ranks", id.WorldSize)
	}
}

func TestIdentifyGym(t *testing.T) {
	tests := []struct {
		name string
		in   []any
		want bool
	}{
		{"its server's name", []any{"gym.server.name", "math"}, true},
		{"NeMo-Gym's own spelling", []any{"nemo.gym.server.type", "responses_api_models"}, true},
		{"its service", []any{"service.name", "nemo-gym"}, true},
		{"a suffixed service", []any{"service.name", "nemo-gym/policy_model"}, true},
		{"the actor that drives it", []any{"rl.worker_group", "nemo_gym", "nv.dl.rank", 0, "nv.dl.world_size", 1}, true},
		{"a policy worker", []any{"rl.worker_group", "lm_policy", "nv.dl.rank", 0, "nv.dl.world_size", 1}, false},
		{"another service", []any{"service.name", "nemo-gymnastics"}, false},
	}
	for _, tt := range tests {
		if got := run.Identify(attrs(tt.in...)).Gym; got != tt.want {
			t.Errorf("%s: gym %t, want %t", tt.name, got, tt.want)
		}
	}
}

func TestIdentifyRestart(t *testing.T) {
	tests := []struct {
		in   []any
		want int
	}{
		{[]any{"slurm.restart_count", 2, "slurm.torchelastic.restart_count", 5}, 2},
		{[]any{"slurm.torchelastic.restart_count", "5"}, 5},
		{[]any{"slurm.restart_count", 0}, 0},
		{[]any{"slurm.restart_count", "x"}, run.Unknown},
	}
	for _, tt := range tests {
		if got := run.Identify(attrs(tt.in...)).Restart; got != tt.want {
			t.Errorf("%v: restart %d, want %d", tt.in, got, tt.want)
		}
	}
}

// FuzzIdentify feeds one hostile text to every fact.
func FuzzIdentify(f *testing.F) {
	for _, s := range []string{"", "0", "-1", "999999999999", "\x00", "nemo-gym/", "16777216"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var all []run.Attr
		for _, short := range append(run.ShortKeys(), "world_size", "tp.size", "pp.size", "dp.size") {
			for _, key := range run.Aliases(short).Keys {
				all = append(all, run.Attr{Key: key, Value: run.StringValue(s)})
			}
		}
		id := run.Identify(all)
		if id.Run == "" || id.RunBy == "" || id.Service == "" {
			t.Errorf("%q leaves a process without a name: %+v", s, id)
		}
		for _, n := range []int{id.Rank, id.WorldSize, id.Sizes.TP, id.Sizes.PP, id.Sizes.DP, id.Coord.TP} {
			if n < run.Unknown || n > 1<<24 {
				t.Errorf("%q is read as %d", s, n)
			}
		}
	})
}
