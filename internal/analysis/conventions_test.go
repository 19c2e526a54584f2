package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
)

func codes(bs []Broken) (out []string) {
	for _, b := range bs {
		out = append(out, b.Code+" "+b.Level.String()+" "+b.Name)
	}
	return out
}

func TestUnknownKeys(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1, num("dl.rnak", 3), str("slurm.cluster", "a"), str("slurm.nodelist", "n1"), num("slurm.torchelastic.restart_count", 0),
		str("host.arch", "x"), str("my.rnak", "y"), str("nv.dl.topology.size.cp", "2")),
		f.mk("m.forward_backward", 0, ms, num("dl.iteratoin", 1), num("nv.dl.training.step", 1), str("nemo.custom", "z")))
	f.counter(trainer(0, 1), "requests", []run.Attr{str("gen_ai.request.modle", "m"), str("rl.algoritm", "ppo")})
	_, r := f.look()
	got := Conventions(r)
	want := []string{"unknown-key warning dl.iteratoin", "unknown-key warning dl.rnak", "unknown-key warning rl.algoritm"}
	if d := cmp.Diff(want, codes(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, b := range got {
		if b.Name == "dl.rnak" && !strings.Contains(b.Text(), "did you mean dl.rank?") {
			t.Errorf("advice: %s", b.Text())
		}
	}
}

// A double with more than 50 values on one span name is a metric; what Megatron
// sends of itself is a note, and few or whole numbers are none.
func TestVaryingDoubles(t *testing.T) {
	f := newFeed(t)
	for i := range 60 {
		v := float64(i) / 7
		f.spans(trainer(0, 1), f.mk("step", 0, ms, dbl("loss", v), dbl("megatron.loss", v), dbl("few", float64(i%50)), num("whole", int64(i))),
			f.mk(fmt.Sprintf("op%c", 'a'+i%20), 0, ms, dbl("spread", v)))
	}
	_, r := f.look()
	got := Conventions(r)
	if d := cmp.Diff([]string{"varying-attribute warning loss", "varying-attribute info megatron.loss"}, codes(got)); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
	if text := got[0].Text(); !strings.Contains(text, "loss is a number that varies on span step") || !strings.HasSuffix(text, "record it as a metric") || got[0].On != "step" {
		t.Errorf("%s", text)
	}
}

func TestIDsInNames(t *testing.T) {
	names := func(n int, format string) func(*feed) {
		return func(f *feed) {
			for i := range n {
				f.spans(trainer(0, 1), f.mk(fmt.Sprintf(format, i), 0, ms))
			}
		}
	}
	tests := []struct {
		name string
		send func(*feed)
		want string
	}{
		{"uuids", names(3, "request 3f2a9c4e-0000-4aaa-8bbb-%012x"), "request #"},
		{"two uuids", names(2, "request 3f2a9c4e-0000-4aaa-8bbb-%012x"), ""},
		{"hex", names(5, "fetch/ab%08x"), "fetch/#"},
		{"numbers", names(20, "session %d00042"), "session #"},
		{"layers", names(96, "nv.mcore.layer.%d.forward"), ""},
		{"very many layers", names(201, "layer%d"), "layer#"},
		{"words", func(f *feed) { f.spans(trainer(0, 1), f.mk("deadbeef", 0, ms), f.mk("forward_backward", 0, ms)) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			tt.send(f)
			_, r := f.look()
			got := ""
			for _, b := range Conventions(r) {
				got += b.Name
				if !strings.Contains(b.Text(), "names should be low-cardinality") || len(b.Examples) != 3 {
					t.Errorf("%s %v", b.Text(), b.Examples)
				}
			}
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// A healthy run breaks nothing, in either generation of names.
func TestHealthyRunsBreakNothing(t *testing.T) {
	for _, naming := range []simulate.Naming{simulate.Older, simulate.Newest} {
		s := simulated(t, simulate.Config{Seed: 5, TP: 2, PP: 2, DP: 2, Iterations: 80, Naming: naming, CheckpointEvery: 20, EvalEvery: 30, GCEvery: 10, Gateway: true, User: "ada"})
		for _, r := range s.Runs {
			for _, b := range Conventions(r) {
				t.Errorf("%v: %s", naming, b.Text())
			}
		}
	}
	for _, file := range []string{"slow-worker.otlp.jsonl.gz", "stage-imbalance.otlp.jsonl.gz"} {
		for _, b := range Conventions(load(t, file).Runs[0]) {
			t.Errorf("%s: %s", file, b.Text())
		}
	}
}

func TestConventionNoticesAreFew(t *testing.T) {
	f := newFeed(t)
	for i := range 60 {
		var attrs []run.Attr
		for k := range 30 {
			attrs = append(attrs, dbl(fmt.Sprintf("v%02d", k), float64(i)))
		}
		f.spans(trainer(0, 1), f.mk("step", 0, ms, attrs...))
	}
	_, r := f.look()
	ns := ConventionNotices(r)
	if len(ns) != mostNotices+1 || !strings.HasPrefix(ns[mostNotices].Text, "10 more") {
		t.Errorf("%d notices, the last %v", len(ns), ns[len(ns)-1])
	}
}
