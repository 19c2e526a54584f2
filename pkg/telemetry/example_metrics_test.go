package telemetry_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// exampleMetrics is a set-up whose metrics the example reads.
func exampleMetrics() (*telemetry.Handle, func()) {
	reader := sdkmetric.NewManualReader()
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.TracesEnabled, cfg.RunID = true, false, "run-1"
	h, err := telemetry.New(context.Background(), cfg, telemetry.WithMetricReader(reader),
		telemetry.WithWarnings(func(w telemetry.Warning) { fmt.Println("warning:", w.Text) }))
	if err != nil {
		fmt.Println(err)
	}
	return h, func() {
		var rm metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &rm); err != nil {
			fmt.Println(err)
		}
		for _, sm := range rm.ScopeMetrics {
			for _, m := range sm.Metrics {
				fmt.Println(strings.TrimSpace(m.Name + " " + m.Unit + " " + oneValue(m.Data)))
			}
		}
		_ = h.Shutdown(context.Background())
	}
}

// An RL program owns its series and declares them. It records what it has; a key
// that is not declared is told once.
func ExampleHandle_MetricGroup() {
	h, show := exampleMetrics()
	rl, err := h.MetricGroup("rl",
		telemetry.Metric{Key: "reward", Name: "rl.reward.mean", Doc: "Mean reward of a rollout batch."},
		telemetry.Metric{Key: "kl", Name: "rl.kl_divergence", Doc: "KL divergence of policy and reference."},
		telemetry.Metric{Key: "tokens", Name: "rl.generated_tokens", Kind: telemetry.Counter, Unit: "{token}", Whole: true})
	if err != nil {
		fmt.Println(err)
	}
	ctx := context.Background()
	for range 2 {
		rl.Record(ctx, map[string]float64{"reward": 0.5, "tokens": 1000, "klm": 0.1}, attribute.String("algorithm", "grpo"))
	}
	_, err = h.MetricGroup("trainer", telemetry.Metric{Key: "r", Name: "rl.reward.mean"})
	fmt.Println(err)
	show()
	// Output:
	// warning: metric group rl has no key "klm"; it has kl, reward, tokens
	// declare metric group trainer: metric rl.reward.mean is declared already, by the group rl: record it through that one, or choose another name
	// rl.reward.mean  0.5 algorithm=grpo
	// rl.generated_tokens {token} 2000 algorithm=grpo
}

func ExampleTrainingMetrics() {
	h, show := exampleMetrics()
	training, err := h.MetricGroup("training", telemetry.TrainingMetrics()...)
	if err != nil {
		fmt.Println(err)
	}
	training.Record(context.Background(), map[string]float64{"loss": 2.5})
	show()
	// Output: dl.loss 1 2.5
}

func ExampleNewInference() {
	h, show := exampleMetrics()
	inference, err := telemetry.NewInference(h)
	if err != nil {
		fmt.Println(err)
	}
	inference.Record(context.Background(), telemetry.InferenceRequest{Duration: 250 * time.Millisecond, Model: "llama-3-8b"})
	show()
	// Output: gen_ai.server.request.duration s 1×0.25 gen_ai.operation.name=text_completion,gen_ai.provider.name=nemo,gen_ai.request.model=llama-3-8b
}

func ExampleNewGym() {
	h, show := exampleMetrics()
	gym, err := telemetry.NewGym(h)
	if err != nil {
		fmt.Println(err)
	}
	gym.SuccessRate(context.Background(), 0.75)
	gym.Active(context.Background(), 4)
	show()
	// Output:
	// gym.verify.success_rate  0.75
	// gym.servers.active  4
}

// Log records carry the span of their context. Beside a file, use
// slog.NewMultiHandler.
func ExampleHandle_Logger() {
	e := &recordExporter{}
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.LogsEnabled, cfg.MetricsEnabled, cfg.RunID = true, true, false, "run-1"
	h, err := telemetry.New(context.Background(), cfg, telemetry.WithLogExporter(e), telemetry.WithSpanExporter(discard{}))
	if err != nil {
		fmt.Println(err)
	}
	ctx, span := h.Start(context.Background(), telemetry.Job, "job")
	h.Logger().WarnContext(ctx, "loss is not a number", slog.Int("iteration", 12))
	span.End()
	_ = h.Shutdown(ctx)
	fmt.Println(e.bodies)
	// Output: [loss is not a number]
}

// Shutdown says how much was lost, and why.
func ExampleHandle_Shutdown() {
	h := exampleHandle(telemetry.WithSpanExporter(&failing{err: fmt.Errorf("the collector is away")}), telemetry.WithWarnings(func(telemetry.Warning) {}))
	_, s := h.Start(context.Background(), telemetry.Job, "job")
	s.End()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	fmt.Println(h.Shutdown(ctx))
	fmt.Println(h.Shutdown(ctx))
	// Output:
	// telemetry was lost: 1 span: the collector is away
	// <nil>
}
