package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// printer is an exporter that prints each span, for the examples.
type printer struct{}

func (printer) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	for _, s := range spans {
		fmt.Print("span ", s.Name())
		for _, kv := range s.Attributes() {
			fmt.Printf(" %s=%s", kv.Key, kv.Value.String())
		}
		if s.Status().Description != "" {
			fmt.Printf(" failed: %s", s.Status().Description)
		}
		fmt.Println()
	}
	return nil
}

func (printer) Shutdown(context.Context) error { return nil }

// exampleHandle is a set-up without globals that prints spans of all groups.
func exampleHandle(opts ...telemetry.Option) *telemetry.Handle {
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.MetricsEnabled, cfg.SpanGroups, cfg.RunID = true, false, "all", "run-1"
	h, err := telemetry.New(context.Background(), cfg, append([]telemetry.Option{telemetry.WithSpanExporter(printer{})}, opts...)...)
	if err != nil {
		fmt.Println(err)
	}
	return h
}

// The whole of a program: configuration from the environment, one set-up, a span, and
// a flush at the end.
func ExampleSetup() {
	ctx := context.Background()
	cfg, err := telemetry.ConfigFromEnv("MEGATRON_OTEL", "NEMO_LENS")
	if err != nil {
		fmt.Println(err) // it names the variable; the training goes on
	}
	handle, err := telemetry.Setup(ctx, cfg, telemetry.WithRankFromEnv())
	if err != nil {
		fmt.Println(err)
	}
	ctx, span := telemetry.Start(ctx, telemetry.Step, "train.step")
	span.Iteration(1)
	span.End()
	fmt.Println("enabled:", handle.Enabled())
	if err := handle.Shutdown(ctx); err != nil {
		fmt.Println(err) // it says how much was lost
	}
	// Output: enabled: false
}

// Without globals, and with a rank and attributes that the program knows.
func ExampleNew() {
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.RunID, cfg.ExportStrategy = true, "run-1", "all_ranks"
	h, err := telemetry.New(context.Background(), cfg,
		telemetry.WithRank(3, 8),
		telemetry.WithRole("trainer"),
		telemetry.WithResourceAttributes(
			attribute.Int("dl.tensor_parallel.size", 4),
			attribute.Int("dl.pipeline_parallel.size", 2),
			attribute.Int("dl.data_parallel.size", 1),
			attribute.Int("megatron.num_layers", 32),
			attribute.String("megatron.precision", "bf16")))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = h.Shutdown(context.Background()) }()
	for _, key := range []attribute.Key{"nv.dl.rank", "service.instance.id", "megatron.precision"} {
		v, _ := h.Resource().Set().Value(key)
		fmt.Println(key, v.String())
	}
	// Output:
	// nv.dl.rank 3
	// service.instance.id run-1-rank3
	// megatron.precision bf16
}

// What is wrong is said with the variable and the legal words.
func ExampleConfigFromLookup() {
	vars := map[string]string{"NEMO_LENS_ENABLED": "maybe", "NEMO_LENS_EXPORT_SAMPLE_RATE": "0,5"}
	lookup := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	_, err := telemetry.ConfigFromLookup(lookup, "NEMO_LENS")
	fmt.Println(err)
	// Output:
	// configuration of telemetry: NEMO_LENS_ENABLED="maybe": write 1, true, yes or on, or 0, false, no or off
	// NEMO_LENS_EXPORT_SAMPLE_RATE="0,5": write a number from 0 to 1, as 0.25
}

func ExampleHandle_Start() {
	h, ctx := exampleHandle(), context.Background()
	ctx, step := h.Start(ctx, telemetry.Step, "train.step")
	step.Iteration(12).Batch(64, 4096)
	_, inner := h.Start(ctx, telemetry.Optimizer, "train.optimizer")
	inner.Float("clip", 1.0).End()
	step.End()
	_ = h.Shutdown(ctx)
	// Output:
	// span train.optimizer clip=1
	// span train.step dl.iteration=12 dl.batch_size=64 dl.sequence_length=4096
}

// On is for call sites where even preparing a span costs something.
func ExampleHandle_On() {
	h := exampleHandle()
	defer func() { _ = h.Shutdown(context.Background()) }()
	if h.On(telemetry.Step) {
		fmt.Println("steps are recorded")
	}
	// Output: steps are recorded
}

func ExampleHandle_Do() {
	h := exampleHandle()
	err := h.Do(context.Background(), telemetry.Checkpoint, "train.checkpoint.save", func(context.Context) error {
		return errors.New("no space left on device")
	})
	fmt.Println(err)
	_ = h.Shutdown(context.Background())
	// Output:
	// no space left on device
	// span train.checkpoint.save failed: no space left on device
}

func ExampleCall() {
	n, err := telemetry.Call(context.Background(), telemetry.LoadCheckpoint, "load", func(context.Context) (int, error) {
		return 1200, nil
	})
	fmt.Println(n, err)
	// Output: 1200 <nil>
}

// Times from elsewhere, as from GPU events.
func ExampleHandle_EmitSpan() {
	h, ctx := exampleHandle(), context.Background()
	start := time.Unix(1760000000, 0)
	_, err := h.EmitSpan(ctx, telemetry.Step, "gpu.kernel", start, start.Add(3*time.Millisecond), attribute.String("stream", "7"))
	fmt.Println(err)
	_, err = h.EmitSpan(ctx, telemetry.Step, "gpu.kernel", start, start.Add(-time.Second))
	fmt.Println(err)
	_ = h.Shutdown(ctx)
	// Output:
	// <nil>
	// emit span gpu.kernel: it ends 1s before it starts, which is more than 30ms: take both times from one clock
	// span gpu.kernel stream=7
}

// Pipeline stages are linked: none is the parent of the other.
func ExampleHandle_StartLinked() {
	h, ctx := exampleHandle(), context.Background()
	sending, stage0 := h.Start(ctx, telemetry.ForwardBackward, "stage 0")
	message := telemetry.InjectBytes(sending) // travels beside the tensors
	stage0.End()

	from, err := telemetry.ExtractBytes(context.Background(), message)
	if err != nil {
		fmt.Println(err)
	}
	_, stage1 := h.StartLinked(ctx, telemetry.ForwardBackward, "stage 1", telemetry.IdentityIn(telemetry.Inject(from)))
	stage1.End()
	_ = h.Shutdown(ctx)
	// Output:
	// span stage 0
	// span stage 1
}

// Context crosses to another process in headers.
func ExampleInject() {
	h, ctx := exampleHandle(), context.Background()
	there, request := h.Start(ctx, telemetry.Job, "request")
	headers := telemetry.Inject(there)
	request.End()

	_, answer := h.Start(telemetry.Extract(context.Background(), headers), telemetry.Job, "answer")
	fmt.Println("one trace:", answer.Identity().TraceID() == request.Identity().TraceID())
	answer.End()
	_ = h.Shutdown(ctx)
	// Output:
	// one trace: true
	// span request
	// span answer
}

func ExampleWithSpanAttributes() {
	h := exampleHandle()
	ctx := telemetry.WithSpanAttributes(context.Background(), attribute.String("phase", "warm-up"))
	_, s := h.Start(ctx, telemetry.Step, "train.step")
	s.End()
	_ = h.Shutdown(ctx)
	// Output: span train.step phase=warm-up
}

// Values from elsewhere: secrets are redacted, and what can be no attribute is left
// out.
func ExampleSpan_Set() {
	h := exampleHandle()
	_, s := h.Start(context.Background(), telemetry.Step, "generate")
	s.SetAll(map[string]any{"prompt": "write a poem", "max_tokens": 512, "model": "m", "callback": func() {}})
	s.End()
	_ = h.Shutdown(context.Background())
	// Output: span generate max_tokens=512 model=m prompt=[REDACTED]
}

// A program's own groups and presets, for its variable SPAN_GROUPS.
func ExampleGroups() {
	groups := telemetry.NewGroups()
	rollout, err := groups.Add("rollout")
	if err != nil {
		fmt.Println(err)
	}
	if err := groups.AddPreset("rl", rollout, telemetry.Step); err != nil {
		fmt.Println(err)
	}
	h := exampleHandle(telemetry.WithGroups(groups))
	defer func() { _ = h.Shutdown(context.Background()) }()
	fmt.Println(h.SetSpanGroups("rl"), h.On(rollout), h.On(telemetry.Job))
	fmt.Println(h.SetSpanGroups("rollouts"))
	// Output:
	// <nil> true false
	// "rollouts" is no span group or preset; write some of all, checkpoint, default, evaluate, forward_backward, job, load_checkpoint, model_init, optimizer, per_step, rl, rollout, step
}

// A strategy of the program's own, for its variable EXPORT_STRATEGY.
func ExampleWithStrategy() {
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.RunID, cfg.ExportStrategy = true, "run-1", "first_of_eight"
	firstOfEight := func(in telemetry.StrategyInput) (bool, error) { return in.Rank%8 == 0, nil }
	for _, rank := range []int{0, 1, 8} {
		h, err := telemetry.New(context.Background(), cfg, telemetry.WithRank(rank, 16),
			telemetry.WithStrategy("first_of_eight", firstOfEight), telemetry.WithSpanExporter(printer{}))
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(rank, h.Exporting())
		_ = h.Shutdown(context.Background())
	}
	// Output:
	// 0 true
	// 1 false
	// 8 true
}

// For a provider of the program's own.
func ExampleNewTruncator() {
	ctx := context.Background()
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithSampler(telemetry.NewRankSampler(3, 0.1, nil)),
		sdktrace.WithSpanProcessor(telemetry.ScopedAttributes()),
		sdktrace.WithSpanProcessor(telemetry.NewTruncator()), // before what exports
		sdktrace.WithSyncer(printer{}))
	provider.Tracer("mine").Start(ctx, "job") // never ends
	_ = provider.Shutdown(ctx)
	// Output: span job nemo.span.truncated=true
}

// What holds for the whole run goes to the children, with its types.
func ExampleHandle_Inheritable() {
	h := exampleHandle(telemetry.WithResourceAttributes(telemetry.Training{TP: 2}.Attributes()...))
	defer func() { _ = h.Shutdown(context.Background()) }()
	all := h.Inheritable()
	fmt.Println(all["nemo.run.id"], all["nv.dl.topology.size.tp"], all["service.name"])
	// Output: run-1 2 <nil>
}

// A signal ends the process as it would have, after a flush.
func ExampleHandle_ShutdownOnSignal() {
	h := exampleHandle()
	stop := h.ShutdownOnSignal(5*time.Second, os.Interrupt)
	defer stop()
	_ = h.Shutdown(context.Background())
	// Output:
}
