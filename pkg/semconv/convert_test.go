package semconv_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestConvertInteger(t *testing.T) {
	type small int8
	tests := []struct {
		in   any
		want int64
	}{
		{7, 7}, {int8(-7), -7}, {int64(math.MinInt64), math.MinInt64}, {uint16(7), 7}, {small(3), 3},
		{uint64(math.MaxInt64), math.MaxInt64},
		{"7", 7}, {" +007 ", 7}, {"\t-12\n", -12}, {"0", 0}, {"-0", 0},
		{"9007199254740993", 9007199254740993}, {int64(9007199254740993), 9007199254740993},
		{"9223372036854775807", math.MaxInt64}, {"-9223372036854775808", math.MinInt64},
	}
	for _, tt := range tests {
		got, err := semconv.Convert(semconv.NVDLRank, tt.in, semconv.ResourceTypes())
		if err != nil || got != any(tt.want) {
			t.Errorf("Convert(%T %v) = %T %v, %v; want int64 %d", tt.in, tt.in, got, got, err, tt.want)
		}
	}
}

func TestConvertRefusesInteger(t *testing.T) {
	refused := []any{
		"3.5", "1e3", "1_000", "0x10", "--1", "+-1", "true", "", " ", "+", "1 2", "٣", "７", "1\x00", "9223372036854775808",
		"-9223372036854775809", true, false, 3.0, float32(2), uint64(math.MaxUint64), nil, []int{1}, []byte("7"), struct{}{},
	}
	for _, in := range refused {
		got, err := semconv.Convert(semconv.SlurmNNodes, in, semconv.SlurmTypes())
		if err == nil {
			t.Errorf("%T %v is taken for the integer %v", in, in, got)
			continue
		}
		if diff := cmp.Diff(in, got); diff != "" {
			t.Errorf("a refused value changed (-want +got):\n%s", diff)
		}
		if !strings.Contains(err.Error(), "slurm.nnodes") || !strings.Contains(err.Error(), "not an integer") {
			t.Errorf("the error does not name the key: %v", err)
		}
	}
}

func TestConvertOtherTypes(t *testing.T) {
	types := semconv.Types{"f": semconv.FloatType, "b": semconv.BoolType, "s": semconv.StringType}
	tests := []struct {
		key  string
		in   any
		want any // nil: refused
	}{
		{"f", 2.5, 2.5}, {"f", float32(2.5), 2.5}, {"f", 3, 3.0}, {"f", uint8(3), 3.0}, {"f", " 2.5e1 ", 25.0},
		{"f", "nan", nil}, {"f", "0x1p3", nil}, {"f", "1_0", nil}, {"f", "", nil}, {"f", "1e999", nil}, {"f", true, nil}, {"f", nil, nil},
		{"b", true, true}, {"b", "false", false}, {"b", " true ", true}, {"b", "yes", nil}, {"b", 1, nil}, {"b", nil, nil},
		{"s", "007", "007"}, {"s", "", ""}, {"s", 7, nil}, {"s", nil, nil},
	}
	for _, tt := range tests {
		got, err := semconv.Convert(tt.key, tt.in, types)
		if (err == nil) != (tt.want != nil) || err == nil && got != tt.want {
			t.Errorf("Convert(%s, %T %v) = %T %v, %v; want %v", tt.key, tt.in, tt.in, got, got, err, tt.want)
		}
	}
}

func TestConvertInfersNothing(t *testing.T) {
	for _, in := range []any{"007", 7, 2.5, true, nil} {
		for _, key := range []string{"example.id", semconv.SlurmJobID, semconv.DLRank, semconv.SlurmArrayTaskID} {
			got, err := semconv.Convert(key, in, semconv.ResourceTypes())
			if err != nil || got != in {
				t.Errorf("%s: %T %v became %T %v, %v", key, in, in, got, got, err)
			}
		}
	}
}

func TestConvertErrorIsShort(t *testing.T) {
	_, err := semconv.Convert(semconv.NVDLRank, strings.Repeat("x\x1b[2J", 10_000), semconv.DLTypes())
	if err == nil || len(err.Error()) > 300 || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("a huge hostile value gives the error %.400q", err)
	}
}

func TestTypes(t *testing.T) {
	ints := func(keys ...string) semconv.Types {
		types := semconv.Types{}
		for _, k := range keys {
			types[k] = semconv.IntType
		}
		return types
	}
	dl := ints("nv.dl.rank", "nv.dl.world_size", "nv.dl.local_rank",
		"nv.dl.topology.size.tp", "nv.dl.topology.size.pp", "nv.dl.topology.size.dp",
		"nv.dl.training.config.global_batch_size", "nv.dl.training.config.micro_batch_size", "nv.dl.training.config.sequence_length",
		"nv.dl.training.target.train_iters", "nv.dl.training.target.train_samples", "nv.dl.training.target.train_tokens")
	gpu := ints("nv.gpu.index", "nv.gpu.memory_total")
	slurm := ints("slurm.array.count", "slurm.nnodes", "slurm.ntasks", "slurm.restart_count")
	for name, tt := range map[string]struct{ got, want semconv.Types }{
		"dl": {semconv.DLTypes(), dl}, "gpu": {semconv.GPUTypes(), gpu}, "slurm": {semconv.SlurmTypes(), slurm},
		"resource": {semconv.ResourceTypes(), semconv.Compose(dl, gpu, slurm)},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	delete(semconv.ResourceTypes(), "nv.dl.rank")
	if _, ok := semconv.ResourceTypes()["nv.dl.rank"]; !ok {
		t.Error("one caller's table is another's")
	}
}

func FuzzConvert(f *testing.F) {
	for _, s := range []string{"7", " +007 ", "3.5", "0x10", "9007199254740993", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := semconv.Convert(semconv.NVDLRank, s, semconv.DLTypes())
		if n, ok := semconv.ParseInt(s); ok != (err == nil) || ok && got != any(n) || !ok && got != any(s) {
			t.Errorf("%q became %T %v, %v", s, got, got, err)
		}
	})
}
