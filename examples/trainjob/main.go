// Trainjob is a small training job that trains nothing, to show and try telemetry.
// Each process is one rank. It finds its place in the variables of torchrun (RANK,
// WORLD_SIZE, LOCAL_RANK) or of a Slurm step (SLURM_PROCID, SLURM_STEP_NUM_TASKS), and
// its configuration in NEMO_LENS_* or TRAINJOB_*:
//
//	NEMO_LENS_ENABLED=1 NEMO_LENS_EXPORT_STRATEGY=all_ranks torchrun --no-python --nproc-per-node 8 trainjob
//	NEMO_LENS_ENABLED=1 NEMO_LENS_EXPORT_STRATEGY=all_ranks srun -n 8 trainjob
//
// Without either, it starts its own ranks with the same variables:
//
//	NEMO_LENS_ENABLED=1 NEMO_LENS_EXPORT_STRATEGY=all_ranks trainjob -launch 8
//	NEMO_LENS_ENABLED=1 NEMO_LENS_EXPORT_STRATEGY=all_ranks trainjob -launch 8 -as slurm
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainjob:", err)
		os.Exit(1)
	}
}

// plan is what a job does.
type plan struct {
	iterations int
	step       time.Duration
	launch     int
	as         string
}

func run(ctx context.Context, args []string) error {
	var p plan
	flags := flag.NewFlagSet("trainjob", flag.ContinueOnError)
	flags.IntVar(&p.iterations, "iterations", 10, "iterations to train")
	flags.DurationVar(&p.step, "step", 20*time.Millisecond, "time of one iteration")
	flags.IntVar(&p.launch, "launch", 0, "start this many ranks, and be none")
	flags.StringVar(&p.as, "as", "torchrun", "whose variables the started ranks get: torchrun or slurm")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if p.launch > 0 {
		return p.start(ctx, os.Args[0], args)
	}
	return p.rank(ctx)
}
