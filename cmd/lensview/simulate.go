package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
)

type simulateOptions struct {
	config                   simulate.Config
	rate                     simulate.Rate
	target                   simulate.Target
	naming, detail, protocol string
	headers                  []string
	slowRank, slowFrom       int
	slowFactor               float64
	hangRank, hangAt         int
	explode                  float64
	truth, output, list      string
	kinds                    []string
}

func newSimulate(e env) *cobra.Command {
	var o simulateOptions
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Send a simulated training run over OTLP to any endpoint",
		Example: `  lensview simulate --tp 2 --pp 4 --dp 8 --iterations 30
  lensview simulate --tp 8 --pp 8 --dp 16 --rate 50000      # 1,024 ranks, 50,000 spans/s
  lensview simulate --endpoint "$OTEL_EXPORTER_OTLP_ENDPOINT"  # after eval "$(lensview env)"
  lensview simulate --endpoint http://collector:4318 --fault straggler:rank=5,factor=1.5
  lensview simulate --fault slow-host:host=1 --fault skew:by=5m --iterations 40 -o run.jsonl --truth truth.json
  lensview simulate --faults list                           # every kind of fault`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.list != "" {
				return listFaults(e, o.list)
			}
			if err := o.complete(); err != nil {
				return usageError{err}
			}
			o.asJob(e.getenv)
			return sendSimulation(cmd.Context(), e, o)
		},
	}
	o.bind(cmd)
	return cmd
}

func (o *simulateOptions) bind(cmd *cobra.Command) {
	f, c := cmd.Flags(), &o.config
	f.IntVar(&c.TP, "tp", 2, "tensor parallel size")
	f.IntVar(&c.CP, "cp", 1, "context parallel size")
	f.IntVar(&c.PP, "pp", 4, "pipeline parallel size")
	f.IntVar(&c.DP, "dp", 8, "data parallel size")
	f.IntVar(&c.Microbatches, "microbatches", 8, "microbatches of one step")
	f.IntVar(&c.Iterations, "iterations", 0, "iterations until the run ends; 0 goes on until it is stopped")
	f.DurationVar(&c.Step, "step", time.Second, "length of a healthy step")
	f.Uint64Var(&c.Seed, "seed", 1, "seed: equal seeds and flags give equal runs")
	f.StringVar(&c.RunID, "run", "", "run id (default sim-SEED)")
	f.StringVar(&o.naming, "naming", "newest", "generation of names: newest or older")
	f.StringVar(&o.detail, "detail", "microbatch", "depth of spans: microbatch, forward_backward or step")
	f.IntVar(&c.RanksPerHost, "ranks-per-host", 8, "ranks of one host")
	f.StringArrayVar(&o.kinds, "fault", nil, "`kind[:name=value,…]` of something wrong with the run; may be repeated")
	f.StringVar(&o.list, "faults", "", "'list' shows every kind of fault with its parameters")
	f.IntVar(&o.slowRank, "slow-rank", run.Unknown, "rank whose compute is slow")
	f.Float64Var(&o.slowFactor, "slow-factor", 1.5, "how slow it is")
	f.IntVar(&o.slowFrom, "slow-from", 0, "iteration from which it is slow")
	f.IntVar(&o.hangRank, "hang-rank", run.Unknown, "rank that hangs")
	f.IntVar(&o.hangAt, "hang-at", 20, "iteration in which it hangs")
	f.Float64Var(&o.explode, "explode", 0, "new values a second of the metric attribute user.session.id")
	f.StringVar(&o.target.Endpoint, "endpoint", "localhost:4317", "host:port or URL to send to; that of OTEL_EXPORTER_OTLP_ENDPOINT gets the headers and the certificate of the environment, too")
	f.StringVar(&o.protocol, "protocol", "auto", "auto, grpc or http/protobuf")
	f.StringArrayVar(&o.headers, "header", nil, "`name=value` sent with every request; may be repeated")
	f.BoolVar(&o.target.Gzip, "gzip", false, "compress requests")
	f.IntVar(&o.target.Conns, "conns", 4, "connections, of a run of more than 256 ranks or with --rate; else each rank has its own")
	f.Float64Var(&o.rate.PerSecond, "rate", 0, "spans a second, whatever the run's own clock says")
	f.Float64Var(&o.rate.Speed, "speed", 1, "how much faster than real time; 0 as fast as it is taken")
	f.StringVarP(&o.output, "output", "o", "", "write OTLP JSON lines to this new `file` instead of sending, compressed if it ends in .gz")
	f.StringVar(&o.truth, "truth", "", "`file` for what was injected, as JSON")
}

// complete turns words into values and checks what flags alone cannot.
func (o *simulateOptions) complete() (err error) {
	c := &o.config
	if c.Naming, err = simulate.ParseNaming(o.naming); err != nil {
		return fmt.Errorf("--naming: %w", err)
	}
	if c.Detail, err = simulate.ParseDetail(o.detail); err != nil {
		return fmt.Errorf("--detail: %w", err)
	}
	if o.target.Protocol, err = simulate.ParseProtocol(o.protocol); err != nil {
		return fmt.Errorf("--protocol: %w", err)
	}
	if o.target.Headers, err = parseHeaders(o.headers); err != nil {
		return err
	}
	if o.rate.PerSecond > 0 {
		o.rate.Speed = 0
	}
	if o.output != "" && c.Iterations == 0 {
		return errors.New("--output needs --iterations: a run without an end does not fit a file")
	}
	c.Start = time.Now()
	c.LogEvery, c.CheckpointEvery, c.EvalEvery, c.GCEvery = 10, 50, 100, 25
	more, err := simulate.ParseFaults(o.kinds)
	if err != nil {
		return fmt.Errorf("--fault: %w", err)
	}
	c.Faults = append(o.faults(), more...)
	return nil
}

func (o *simulateOptions) faults() (fs []simulate.Fault) {
	if o.slowRank != run.Unknown {
		fs = append(fs, simulate.Straggler{Rank: o.slowRank, Factor: o.slowFactor, From: o.slowFrom})
	}
	if o.hangRank != run.Unknown {
		fs = append(fs, simulate.Hang{Rank: o.hangRank, Iteration: o.hangAt})
	}
	if o.explode > 0 {
		o.config.Gateway = true
		fs = append(fs, simulate.Explosion{PerSecond: o.explode})
	}
	return fs
}

// listFaults writes every kind of fault with its parameters and their defaults.
func listFaults(e env, word string) error {
	if word != "list" {
		return usageError{fmt.Errorf("--faults %q: the only word is list; faults are injected with --fault", word)}
	}
	for _, k := range simulate.FaultKinds() {
		fmt.Fprintf(e.stdout, "%s\n    %s\n", k, k.About)
		for _, p := range k.Params {
			fmt.Fprintf(e.stdout, "    %-8s %s\n", p.Name, p.About)
		}
		fmt.Fprintf(e.stdout, "    example: --fault %s\n", k.Example)
	}
	return nil
}

// parseHeaders reads name=value pairs. A value is a secret: no error shows it.
func parseHeaders(pairs []string) (map[string]string, error) {
	headers := map[string]string{}
	for i, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--header number %d is not name=value", i+1)
		}
		headers[strings.ToLower(strings.TrimSpace(name))] = value
	}
	return headers, nil
}

// endPatience is how long the end of an interrupted run may take to be sent: the
// first signal lets the run end in order, with truncated spans, and a second one
// ends the process at once.
const endPatience = 5 * time.Second

var errNotTaken = errors.New("the end of the run was not taken in time")

func sendSimulation(ctx context.Context, e env, o simulateOptions) error {
	stream, err := simulate.New(o.config)
	if err != nil {
		return usageError{err}
	}
	if o.truth != "" {
		if err := writeTruth(o.truth, stream.Truth()); err != nil {
			return err
		}
	}
	sending, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() {
		stream.Stop()
		time.AfterFunc(endPatience, func() { cancel(errNotTaken) })
	})()
	if o.output != "" {
		return writeSimulation(e, o, stream)
	}
	res, err := simulate.Run(sending, stream, o.target, o.rate, simulate.WallClock{})
	res.Reasons = unsaid(res.Reasons, err)
	printResult(e, res)
	if err != nil {
		return o.why(sending, err)
	}
	if failed := res.Signals[run.Traces].Failed + res.Signals[run.Metrics].Failed + res.Signals[run.Logs].Failed; failed > 0 {
		return fmt.Errorf("simulate: %s items were not taken by %s", run.Count(failed), o.target.Endpoint)
	}
	return nil
}

// writeSimulation writes the run to a file, all at once.
func writeSimulation(e env, o simulateOptions, stream *simulate.Stream) error {
	f, err := createNew(o.output)
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	res, err := simulate.WriteJSON(context.Background(), f, stream)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", o.output, err)
	}
	fmt.Fprintf(e.stdout, "wrote %s spans, %s metric points and %s log records to %s\n", run.Count(res.Signals[run.Traces].Accepted),
		run.Count(res.Signals[run.Metrics].Accepted), run.Count(res.Signals[run.Logs].Accepted), oneLine(o.output))
	return nil
}

func writeTruth(path string, t simulate.Truth) error {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("write truth: %w", err)
	}
	return nil
}

// unsaid is the reasons that the error does not give already.
func unsaid(reasons []string, err error) []string {
	if err == nil {
		return reasons
	}
	return slices.DeleteFunc(reasons, func(r string) bool { return strings.Contains(err.Error(), r) })
}

func printResult(e env, r simulate.Result) {
	for s := range run.SignalCount {
		c := r.Signals[s]
		fmt.Fprintf(e.stdout, "%-8s sent %s  accepted %s  rejected %s  failed %s\n", s.Item(), run.Count(c.Sent), run.Count(c.Accepted), run.Count(c.Rejected), run.Count(c.Failed))
	}
	rate := float64(r.Signals[run.Traces].Sent) / max(r.Elapsed.Seconds(), 1e-9)
	if r.Processes > 0 {
		fmt.Fprintf(e.stdout, "%s processes through pkg/telemetry in %.1f s: %s spans/s\n", run.Count(r.Processes), r.Elapsed.Seconds(), run.Count(int64(rate)))
	} else {
		fmt.Fprintf(e.stdout, "%s requests, %s retries, %.1f MB in %.1f s: %s spans/s\n", run.Count(r.Requests), run.Count(r.Retries), float64(r.Bytes)/1e6, r.Elapsed.Seconds(), run.Count(int64(rate)))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(e.stdout, "warning: "+oneLine(warning))
	}
	for _, reason := range r.Reasons {
		fmt.Fprintln(e.stdout, "refused: "+oneLine(reason))
	}
}
