package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"time"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// rank trains one rank, with telemetry around it. What goes wrong with telemetry is
// told, and the training goes on.
func (p plan) rank(ctx context.Context) error {
	handle, err := setup(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainjob:", err)
	}
	defer func() {
		// The context may have ended: the flush has time of its own.
		flush, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := handle.Shutdown(flush); err != nil {
			fmt.Fprintln(os.Stderr, "trainjob:", err)
		}
	}()
	metrics, err := handle.MetricGroup("training", telemetry.TrainingMetrics()...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainjob:", err)
	}
	return telemetry.Do(ctx, telemetry.Job, "train", func(ctx context.Context) error {
		return p.train(ctx, metrics, handle.Logger())
	})
}

func setup(ctx context.Context) (*telemetry.Handle, error) {
	cfg, err := telemetry.ConfigFromEnv("TRAINJOB", telemetry.DefaultPrefix)
	if err != nil {
		return nil, err
	}
	return telemetry.Setup(ctx, cfg,
		telemetry.WithRankFromEnv(),
		telemetry.WithRole("trainer"),
		telemetry.WithResourceAttributes(layout().Attributes()...))
}

// layout is tensor parallelism of two where the ranks go into pairs.
func layout() telemetry.Training {
	world := 1
	if rank, ok, _ := resources.RankFromEnv(); ok {
		world = rank.WorldSize
	}
	tp := 1 + (world+1)%2
	return telemetry.Training{
		Framework: "trainjob", TP: tp, PP: 1, DP: world / tp,
		GlobalBatchSize: 64, MicroBatchSize: 4, SequenceLength: 4096, Optimizer: "adam",
	}
}

// train runs the iterations until they are over or the context ends.
func (p plan) train(ctx context.Context, metrics *telemetry.MetricGroup, log *slog.Logger) error {
	for i := range p.iterations {
		if err := p.iteration(ctx, i, metrics); err != nil {
			log.WarnContext(ctx, "training stopped", "iteration", i, "error", err)
			return err
		}
		if (i+1)%5 == 0 {
			if err := telemetry.Do(ctx, telemetry.Checkpoint, "train.checkpoint.save", work(p.step)); err != nil {
				return err
			}
			log.InfoContext(ctx, "checkpoint saved", "iteration", i)
		}
	}
	return nil
}

func (p plan) iteration(ctx context.Context, i int, metrics *telemetry.MetricGroup) error {
	ctx, span := telemetry.Start(ctx, telemetry.Step, "train.step")
	span.Iteration(i).Batch(64, 4096)
	defer span.End()
	if err := telemetry.Do(ctx, telemetry.ForwardBackward, "train.forward_backward", work(p.step*3/4)); err != nil {
		span.Error(err)
		return err
	}
	if err := telemetry.Do(ctx, telemetry.Optimizer, "train.optimizer", work(p.step/4)); err != nil {
		span.Error(err)
		return err
	}
	metrics.Record(ctx, map[string]float64{
		"loss":          2 + 8*math.Exp(-float64(i)/10),
		"learning_rate": 1e-4,
	})
	return nil
}

// work takes its time, or stops with the context.
func work(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
