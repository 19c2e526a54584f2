package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/report"
	"github.com/beamline-hpc/lensview/internal/store"
)

type diffOptions struct {
	format, filter     string
	runA, runB         string
	windowA, windowB   string
	failOn, configFile string
	memory             byteSize
	place              placement
}

func newDiff(e env) *cobra.Command {
	o := diffOptions{memory: 4 << 30}
	cmd := &cobra.Command{
		Use:   "diff A [B]",
		Short: "Say what changed between two runs or two windows of one",
		Long: `Say what changed between two runs: how long each phase of a step takes, with a 95 %
interval; where the time goes; resource attributes; spans that only one has. A and B are
files or directories. With A alone, --run-a and --run-b name two runs in it, or
--window-a and --window-b two windows of iterations.

Changes from 3 % are moderate, from 8 % material, when the interval excludes no change;
[thresholds] of the configuration says otherwise.`,
		Example: `  lensview diff before.otlp.jsonl.gz after.otlp.jsonl.gz
  lensview diff run.otlp.jsonl.gz --window-a 10..200 --window-b 201..400
  lensview diff telemetry/ --run-a job-17 --run-b job-18 --format markdown`,
		Args: diffArgs,
		RunE: func(cmd *cobra.Command, paths []string) error { return printDiff(cmd.Context(), e, o, paths) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "text, markdown or json")
	f.StringVar(&o.filter, "filter", "", "only ranks that match, as after '/' on screen")
	f.StringVar(&o.runA, "run-a", "", "the run of this id in A")
	f.StringVar(&o.runB, "run-b", "", "the run of this id in B")
	f.StringVar(&o.windowA, "window-a", "", "only iterations FIRST..LAST of A")
	f.StringVar(&o.windowB, "window-b", "", "only iterations FIRST..LAST of B")
	f.StringVar(&o.failOn, "fail-on", "", "moderate or material: exit 3 when something changed that much")
	bindConfig(f, &o.configFile)
	o.place.bind(f)
	f.Var(&o.memory, "memory", "what the data of one side may take")
	return cmd
}

func diffArgs(cmd *cobra.Command, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return usageError{fmt.Errorf("%s needs one PATH or two", cmd.CommandPath())}
	}
	return nil
}

var diffWriters = map[string]func(io.Writer, report.Diff) error{
	"text": report.WriteDiffText, "markdown": report.WriteDiffMarkdown, "json": report.WriteDiffJSON,
}

func printDiff(ctx context.Context, e env, o diffOptions, paths []string) error {
	write := diffWriters[o.format]
	if write == nil {
		return usageError{fmt.Errorf("--format %q: use text, markdown or json", o.format)}
	}
	if err := o.check(len(paths)); err != nil {
		return err
	}
	filter, err := query.Parse(o.filter)
	if err != nil {
		return usageError{fmt.Errorf("--filter: %w", err)}
	}
	a, b, err := o.sides(ctx, e, filter, paths)
	if err != nil {
		return err
	}
	c, err := analysis.Compare(ctx, a, b)
	if err != nil {
		return err
	}
	d := report.NewDiff(c)
	if err := write(e.stdout, d); err != nil {
		return fmt.Errorf("write comparison: %w", err)
	}
	return diffFailOn(e, o.failOn, d)
}

// check refuses a command line that names one side twice.
func (o diffOptions) check(paths int) error {
	if o.failOn != "" && o.failOn != string(analysis.Moderate) && o.failOn != string(analysis.Material) {
		return usageError{fmt.Errorf("--fail-on %q: use moderate or material", o.failOn)}
	}
	if paths == 1 && o.runA == o.runB && o.windowA == o.windowB {
		return usageError{errors.New("diff of one PATH needs --run-a and --run-b, or --window-a and --window-b")}
	}
	return checkMemory(o.memory)
}

// sides reads both sides; one path is read once.
func (o diffOptions) sides(ctx context.Context, e env, filter *query.Filter, paths []string) (a, b analysis.Side, err error) {
	kept, err := fileConfig(e, o.configFile, o.place, o.memory)
	if err != nil {
		return a, b, err
	}
	read := func(path string) (*store.Snapshot, error) {
		s, _, err := readAll(ctx, e, kept, []string{path})
		return s, err
	}
	first, err := read(paths[0])
	if err != nil {
		return a, b, err
	}
	second := first
	if len(paths) == 2 {
		if second, err = read(paths[1]); err != nil {
			return a, b, err
		}
	}
	if a, err = sideOf(first, filter, paths[0], "a", o.runA, o.windowA); err != nil {
		return a, b, err
	}
	b, err = sideOf(second, filter, paths[len(paths)-1], "b", o.runB, o.windowB)
	return a, b, err
}

// sideOf is the run of that id, else the only one with steps.
func sideOf(s *store.Snapshot, filter *query.Filter, path, which, id, window string) (analysis.Side, error) {
	r, err := comparedRun(s, path, which, id)
	if err != nil {
		return analysis.Side{}, err
	}
	side := analysis.Side{Name: path, Scope: analysis.Scope{Run: r}}
	if !filter.Empty() {
		m := filter.Bind(r)
		side.Scope.Filter = m
	}
	if window != "" {
		if side.First, side.Last, err = iterations(window); err != nil {
			return side, usageError{fmt.Errorf("--window-%s: %w", which, err)}
		}
		side.Name += " iterations " + window
	}
	return side, nil
}

func comparedRun(s *store.Snapshot, path, which, id string) (*store.Run, error) {
	if id != "" {
		if r := s.Run(id); r != nil {
			return r, nil
		}
		return nil, fmt.Errorf("no run %q in %s; --run-%s names one of: %s", id, path, which, runIDs(s.Runs))
	}
	var training []*store.Run
	for _, r := range s.Runs {
		if r.Seen.Seen > 0 {
			training = append(training, r)
		}
	}
	switch len(training) {
	case 0:
		return nil, fmt.Errorf("%s has no run with steps to compare", path)
	case 1:
		return training[0], nil
	}
	return nil, usageError{fmt.Errorf("%s has %d runs with steps; choose with --run-%s: %s", path, len(training), which, runIDs(training))}
}

// runIDs lists some ids.
func runIDs(runs []*store.Run) string {
	const most = 8
	var ids []string
	for _, r := range runs[:min(len(runs), most)] {
		ids = append(ids, r.ID)
	}
	if more := len(runs) - most; more > 0 {
		ids = append(ids, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(ids, ", ")
}

// iterations reads FIRST..LAST.
func iterations(window string) (first, last int64, err error) {
	from, to, ok := strings.Cut(window, "..")
	if ok {
		first, err = strconv.ParseInt(from, 10, 64)
	}
	if ok && err == nil {
		last, err = strconv.ParseInt(to, 10, 64)
	}
	if !ok || err != nil || first < 0 || last < first || last == 0 {
		return 0, 0, fmt.Errorf("%q is no window: use FIRST..LAST, as 10..200", window)
	}
	return first, last, nil
}

// diffFailOn is the exit code for what changed.
func diffFailOn(e env, level string, d report.Diff) error {
	if level == "" {
		return nil
	}
	for _, r := range d.Flagged() {
		if level == string(analysis.Moderate) || r.Level == string(analysis.Material) {
			tell(e.stderr, fmt.Errorf("--fail-on %s: %s", level, d.Verdict()))
			return exitError(exitFinding)
		}
	}
	return nil
}
