package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
)

// start starts the ranks and waits for them.
func (p plan) start(ctx context.Context, program string, args []string) error {
	failed := make([]error, p.launch)
	var wg sync.WaitGroup
	for rank := range p.launch {
		variables, err := p.variables(rank)
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, program, append(args, "-launch", "0")...)
		cmd.Env = append(os.Environ(), variables...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // let it flush
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				failed[rank] = fmt.Errorf("rank %d: %w", rank, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

// variables is what a launcher tells a rank, on nodes of four.
func (p plan) variables(rank int) ([]string, error) {
	const perNode = 4
	id := fmt.Sprint(os.Getpid())
	switch p.as {
	case "torchrun":
		return []string{
			fmt.Sprint("RANK=", rank), fmt.Sprint("WORLD_SIZE=", p.launch), fmt.Sprint("LOCAL_RANK=", rank%perNode),
			"TORCHELASTIC_RUN_ID=" + id, "TORCHELASTIC_RESTART_COUNT=0",
		}, nil
	case "slurm":
		return []string{
			"RANK=", "SLURM_JOB_ID=" + id, "SLURM_JOB_NAME=trainjob", "SLURM_CLUSTER_NAME=local", "SLURM_JOB_PARTITION=all",
			"SLURM_STEP_ID=0", "SLURM_JOB_NODELIST=node[0-1]", "SLURM_JOB_NUM_NODES=2",
			fmt.Sprint("SLURM_NTASKS=", p.launch), fmt.Sprint("SLURM_STEP_NUM_TASKS=", p.launch),
			fmt.Sprint("SLURM_PROCID=", rank), fmt.Sprint("SLURM_LOCALID=", rank%perNode),
			fmt.Sprint("SLURMD_NODENAME=node", rank/perNode),
		}, nil
	}
	return nil, fmt.Errorf("-as %s: write torchrun or slurm", p.as)
}
