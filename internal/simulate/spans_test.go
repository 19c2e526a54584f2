package simulate

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// rich is a run that sends every kind of span.
func rich() Config {
	c := small()
	c.CheckpointEvery, c.EvalEvery, c.GCEvery = 2, 3, 2
	return c
}

// perName counts finished spans of a rank by name.
func perName(got *sent, rank int) map[string]int {
	n := map[string]int{}
	for _, s := range got.spans {
		if s.rank == rank && !truncated(s) {
			n[s.Name]++
		}
	}
	return n
}

func TestSpanNames(t *testing.T) {
	c := rich()
	if d := cmp.Diff(map[string]int{
		"nv.dl.job.model_init": 1, "nv.dl.training.iteration": 6, "nv.mcore.forward_backward": 6 + 2*evaluateSteps,
		"nv.mcore.microbatch.forward": 24, "nv.mcore.microbatch.backward": 24,
		"nv.mcore.p2p.send_forward": 24, "nv.mcore.p2p.recv_backward": 24, "nv.mcore.dataloader.next": 6,
		"nv.mcore.grad_sync.start": 6, "nv.mcore.grad_sync.finish": 6, "nv.mcore.gc_collect": 3,
		"nv.mcore.layernorm_grads_all_reduce": 6, "nv.mcore.embedding_grads_all_reduce": 6,
		"nv.dl.training.iteration.clip_grad": 6, "nv.dl.training.iteration.optimizer_step": 6,
		"nv.mcore.checkpoint.save": 3, "nv.mcore.checkpoint.write": 3, "nv.dl.training.evaluate": 2,
	}, perName(collect(t, stream(t, c)), 0)); d != "" {
		t.Errorf("newest names (-want +got):\n%s", d)
	}
	c.Naming, c.Detail = Older, ForwardBackward
	if d := cmp.Diff(map[string]int{
		"megatron.model_init": 1, "megatron.train.iteration": 6, "megatron.forward_backward": 6 + 2*evaluateSteps,
		"megatron.dataloader.next": 6, "megatron.grad_sync.finish": 6, "megatron.train.iteration.clip_grad": 6,
		"megatron.train.iteration.optimizer": 6, "megatron.checkpoint.save": 3, "megatron.checkpoint.write": 3, "megatron.evaluate": 2,
	}, perName(collect(t, stream(t, c)), 15)); d != "" {
		t.Errorf("older names (-want +got):\n%s", d)
	}
	c.Naming, c.Detail = Newest, StepOnly
	if d := cmp.Diff(map[string]int{
		"nv.dl.job.model_init": 1, "nv.dl.training.iteration": 6, "nv.mcore.checkpoint.save": 3, "nv.dl.training.evaluate": 2,
	}, perName(collect(t, stream(t, c)), 7)); d != "" {
		t.Errorf("steps only (-want +got):\n%s", d)
	}
}

// The viewer must know what each name means.
func TestSpanNamesHaveTheirPhases(t *testing.T) {
	phases := run.DefaultPhases()
	want := [kindCount]run.Class{
		kStep: run.Step, kForwardBackward: run.Compute, kForward: run.Compute, kBackward: run.Compute,
		kRecvForward: run.Wait, kSendForward: run.Wait, kRecvBackward: run.Wait, kSendBackward: run.Wait,
		kData: run.IO, kSyncStart: run.Wait, kLayernorm: run.Wait, kEmbedding: run.Wait, kSyncFinish: run.Wait,
		kClip: run.Wait, kOptimizer: run.Wait, kCheckpoint: run.IO, kCheckpointWrite: run.IO,
		kEvaluateForward: run.Compute,
	}
	for _, n := range []*names{newestNames(), olderNames()} {
		for k, name := range n.span {
			got := phases.Of(name)
			if got.Class != want[k] || got.Name == "" && kind(k) != kJob {
				t.Errorf("%s is %+v, want class %s", name, got, want[k])
			}
		}
	}
}

func TestSpanAttributes(t *testing.T) {
	for naming, want := range map[Naming]struct {
		step, key string
		first     int
	}{
		Newest: {"nv.dl.training.iteration", semconv.NVDLTrainingStep, 1},
		Older:  {"megatron.train.iteration", semconv.MegatronIteration, 0},
	} {
		c := rich()
		c.Naming = naming
		got := collect(t, stream(t, c))
		var seen []int
		for _, s := range got.named(want.step) {
			if s.rank == 3 {
				seen = append(seen, number(s.Attributes, want.key)-want.first)
				if n := number(s.Attributes, microbatchesKey); n != 4 {
					t.Errorf("%s: %d microbatches, want 4", s.Name, n)
				}
			}
		}
		if !slices.Equal(seen, []int{0, 1, 2, 3, 4, 5}) {
			t.Errorf("%s numbers its iterations %v from %d", naming, seen, want.first)
		}
	}
}

func TestMicrobatchIds(t *testing.T) {
	n := map[int]int{}
	for _, s := range collect(t, stream(t, small())).named("nv.mcore.microbatch.backward") {
		n[number(s.Attributes, semconv.DLMicrobatchID)]++
	}
	if d := cmp.Diff(map[int]int{0: 96, 1: 96, 2: 96, 3: 96}, n); d != "" {
		t.Errorf("backwards by microbatch (-want +got):\n%s", d)
	}
}

// The job span stays open until the shutdown, which closes it by force.
func TestRootsAreTruncatedAtTheEnd(t *testing.T) {
	got := collect(t, stream(t, small()))
	last := map[int]sentSpan{}
	for _, s := range got.spans {
		last[s.rank] = s
	}
	for r, s := range last {
		if s.Name != "nv.dl.job" || !truncated(s) || len(s.ParentSpanId) != 0 {
			t.Errorf("the last span of rank %d is %s", r, s.Name)
		}
		if len(s.Events) != 1 || s.Events[0].Name != semconv.NemoSpanTruncated || s.Events[0].TimeUnixNano != s.EndTimeUnixNano {
			t.Errorf("events of rank %d's job: %v", r, s.Events)
		}
	}
	if n := len(got.spans) - len(last); n != len(got.spans)-16 {
		t.Errorf("%d ranks ended with their job, want 16", len(last))
	}
	for _, s := range got.spans {
		if truncated(s) && s.Name != "nv.dl.job" || s.Kind != trace.Span_SPAN_KIND_INTERNAL || s.Flags != spanFlags {
			t.Fatalf("span %v", s)
		}
	}
}

func TestOneTraceARank(t *testing.T) {
	c := rich()
	c.OneTrace = true
	traces, roots := map[string]bool{}, 0
	for _, s := range collect(t, stream(t, c)).spans {
		traces[string(s.TraceId)] = true
		if len(s.ParentSpanId) == 0 {
			roots++
		}
	}
	if len(traces) != 16 || roots != 16 {
		t.Errorf("%d traces with %d roots, want 16 of each", len(traces), roots)
	}
}

func TestHostSkewMovesClocksNotDurations(t *testing.T) {
	c := Config{TP: 8, DP: 4, Iterations: 1}
	plain := collect(t, stream(t, c)).named("nv.dl.training.iteration")
	c.HostSkew = 50 * time.Millisecond
	moved := map[int]int64{}
	for i, s := range collect(t, stream(t, c)).named("nv.dl.training.iteration") {
		if duration(s) != duration(plain[i]) {
			t.Errorf("rank %d: duration %s, was %s", s.rank, duration(s), duration(plain[i]))
		}
		off := int64(s.StartTimeUnixNano - plain[i].StartTimeUnixNano)
		if host, ok := moved[s.rank/8]; ok && host != off {
			t.Errorf("rank %d is %d ns off, its host %d", s.rank, off, host)
		}
		if moved[s.rank/8] = off; off == 0 || max(off, -off) > int64(c.HostSkew) {
			t.Errorf("rank %d is %d ns off", s.rank, off)
		}
	}
	if len(moved) != 4 {
		t.Errorf("%d hosts, want 4", len(moved))
	}
}

// The product's own decoder must find nothing to reject or repair, and no span
// without a sane duration.
func TestOurDecoderTakesEverything(t *testing.T) {
	c := rich()
	c.Faults, c.NaNEvery = []Fault{Explosion{}, Hang{Rank: 3, Iteration: 4, Alive: true}}, 2
	s := stream(t, c)
	var b otlp.Batch
	for r, ok := s.Next(); ok; r, ok = s.Next() {
		b.Reset()
		if err := b.Decode(r.Signal, r.Body); err != nil {
			t.Fatal(err)
		}
		if b.Items() != r.Items || len(b.Rejected) != 0 || b.Repaired != 0 {
			t.Fatalf("%s of rank %d: %d of %d items, rejected %v, repaired %d", r.Signal, r.Rank, b.Items(), r.Items, b.Rejected, b.Repaired)
		}
		for _, sp := range b.Spans {
			if m := run.Sane(sp.Start, sp.End); m != 0 {
				t.Fatalf("span of rank %d has marks %b", r.Rank, m)
			}
		}
	}
}
