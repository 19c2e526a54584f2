package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
)

func newDemo(e env) *cobra.Command {
	o := liveOptions{grpc: "127.0.0.1:0", http: "127.0.0.1:0", decoder: string(ingest.Fast)}
	var seed uint64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show a simulated run of 64 ranks, sent through the real receiver",
		Long: `demo sends a simulated training run (64 ranks, tp 2, pp 4, dp 8) over OTLP to its
own receiver on free ports and shows it. One metric attribute explodes from the
start. One rank becomes slow at iteration 20: press 4, m for compute time, w for
the largest (its tensor-parallel peer is as slow, since it waits inside its own
compute). Another hangs at iteration 180, after four minutes: half a minute later
press 2, whose first line names it, or 3, s, then type heard and Enter.`,
		Example: `  lensview demo
  lensview demo --seed 7 --theme light   # other ranks are slow and hang`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), e, o, seed) },
	}
	o.show.bind(cmd.Flags())
	cmd.Flags().Uint64Var(&seed, "seed", 1, "which rank is slow and which one hangs")
	return cmd
}

func demo(ctx context.Context, e env, o liveOptions, seed uint64) error {
	config := simulate.Demo(seed)
	config.Start = time.Now()
	stream, err := simulate.New(config)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	s, err := newSession(ctx, e, o.show, false)
	if err != nil {
		return err
	}
	if err := s.listen(ctx, o); err != nil {
		return err
	}
	s.guard.Go(func() { s.send(stream) })
	return s.run()
}

// send carries the simulated run to our own receiver until the session ends.
func (s *session) send(stream *simulate.Stream) {
	to := simulate.Target{Endpoint: listenerAddr(s.receiver().Listeners, "gRPC"), Protocol: simulate.GRPC}
	_, err := simulate.Run(s.guard.Context(), stream, to, simulate.Rate{Speed: 1}, simulate.WallClock{})
	if err != nil && !errors.Is(err, context.Canceled) {
		s.store.note(run.Notice{Code: "demo-ended", Level: run.Warning, Text: "the demo's run ended early: " + err.Error()})
	}
}

func listenerAddr(ls []run.Listener, protocol string) string {
	for _, l := range ls {
		if l.Protocol == protocol {
			return l.Addr
		}
	}
	return ""
}
