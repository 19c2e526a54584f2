package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/report"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

type reportOptions struct {
	format, filter, run string
	failOn              string
	config              string
	processes, strict   bool
	memory              byteSize
	last                time.Duration
	place               placement
}

func newReport(e env) *cobra.Command {
	o := reportOptions{memory: 4 << 30}
	cmd := &cobra.Command{
		Use:   "report PATH...",
		Short: "Print the answers for files, as text, Markdown or JSON",
		Long: `Print the answers for files: the verdict and why, where a step's time goes, who is
slow, what the telemetry lacks. Exit codes: 0, 1 when it could not be done, 2 when the
command line does not allow it, 3 when --fail-on found something.`,
		Example: `  lensview report run.otlp.jsonl.gz
  lensview report --format markdown --fail-on critical run.otlp.jsonl.gz
  lensview report --format json --filter 'dl.rank=0' telemetry/
  zcat run.jsonl.gz | lensview report -`,
		Args: someArgs,
		RunE: func(cmd *cobra.Command, paths []string) error { return printReport(cmd.Context(), e, o, paths) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "text, markdown (for a ticket or chat) or json")
	f.StringVar(&o.failOn, "fail-on", "", "critical or warning: exit 3 when something of that level or worse was found")
	f.StringVar(&o.filter, "filter", "", "only what matches, as after '/' on screen")
	f.StringVar(&o.run, "run", "", "only the run of this id")
	f.BoolVar(&o.processes, "processes", false, "list every process with its resource attributes and their types")
	f.BoolVar(&o.strict, "strict", false, "exit 1 when something could not be read, or is not in the recording")
	bindLast(f, &o.last)
	bindConfig(f, &o.config)
	o.place.bind(f)
	f.Var(&o.memory, "memory", "what the data may take; beyond it the oldest spans go, and the report says so")
	return cmd
}

// writers by the word of --format.
var writers = map[string]func(io.Writer, report.Report) error{
	"text": report.WriteText, "markdown": report.WriteMarkdown, "json": report.WriteJSON,
}

func printReport(ctx context.Context, e env, o reportOptions, paths []string) error {
	write := writers[o.format]
	if write == nil {
		return usageError{fmt.Errorf("--format %q: use text, markdown or json", o.format)}
	}
	if o.failOn != "" && o.failOn != report.FailCritical && o.failOn != report.FailWarning {
		return usageError{fmt.Errorf("--fail-on %q: use critical or warning", o.failOn)}
	}
	filter, err := query.Parse(o.filter)
	if err != nil {
		return usageError{fmt.Errorf("--filter: %w", err)}
	}
	if err := checkMemory(o.memory); err != nil {
		return err
	}
	kept, err := fileConfig(e, o.config, o.place, o.memory)
	if err != nil {
		return err
	}
	snapshot, sources, err := readLast(ctx, e, kept, paths, o.last)
	if err != nil {
		return err
	}
	rep, err := report.Build(ctx, snapshot, report.Options{Sources: sources, Filter: filter, Run: o.run, Processes: o.processes})
	if err != nil {
		return err
	}
	if err := write(e.stdout, rep); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := verdictOf(o, rep); err != nil {
		return err
	}
	return failOn(e, o.failOn, rep)
}

// failOn is the exit code for what a report found, with the worst of it in one
// line.
func failOn(e env, level string, rep report.Report) error {
	if level == "" {
		return nil
	}
	found := report.Findings(rep, level)
	if len(found) == 0 {
		return nil
	}
	text := fmt.Sprintf("--fail-on %s: %s", level, found[0])
	if more := len(found) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	tell(e.stderr, errors.New(text))
	return exitError(exitFinding)
}

// verdictOf is the exit code of a report that was printed.
func verdictOf(o reportOptions, rep report.Report) error {
	if o.run != "" && len(rep.Runs) == 0 {
		return fmt.Errorf("no run %q in what was read", o.run)
	}
	items := 0
	for _, s := range rep.Sources {
		items += s.Spans + s.Points + s.Logs
		if lost := lost(s); o.strict && lost != "" {
			return fmt.Errorf("%s: not everything could be read: %s", s.Path, lost)
		}
	}
	if items == 0 {
		return errors.New("nothing was read: no spans, points or logs in what was given")
	}
	return nil
}

// lost says in numbers what of a source is not in the report; "" for nothing.
func lost(s report.Source) string {
	var parts []string
	if s.BadRecords > 0 {
		parts = append(parts, plural(s.BadRecords, "bad record"))
	}
	if s.Rejected > 0 {
		parts = append(parts, plural(s.Rejected, "item")+" left out")
	}
	if s.IncompleteTail {
		parts = append(parts, "the end is incomplete")
	}
	if s.Missing > 0 {
		parts = append(parts, plural(s.Missing, "item")+" not in the recording")
	}
	if s.MissingFiles > 0 {
		parts = append(parts, plural(s.MissingFiles, "file")+" of the recording not there")
	}
	return strings.Join(parts, ", ")
}

// plural is n of what.
func plural[T ~int | ~uint64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return run.Count(n) + " " + what + "s"
}

// readAll imports every source into a store of its own and takes its snapshot.
func readAll(ctx context.Context, e env, config store.Config, paths []string) (*store.Snapshot, []report.Source, error) {
	return readLast(ctx, e, config, paths, 0)
}

// readLast is readAll of the last so long of recordings, 0 for all.
func readLast(ctx context.Context, e env, config store.Config, paths []string, last time.Duration) (*store.Snapshot, []report.Source, error) {
	sources, err := sourcesFor(e, paths, last)
	if err != nil {
		return nil, nil, err
	}
	st := store.New(config)
	var out []report.Source
	for _, src := range sources {
		sum, err := importInto(ctx, st, src)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, reportSource(sum))
	}
	return st.Snapshot(), out, nil
}

func reportSource(s record.Summary) report.Source {
	messages := s.Messages
	if messages == nil {
		messages = []string{}
	}
	return report.Source{
		Path: s.Path, Format: s.Format, Spans: int(s.Spans), Metrics: int(s.Metrics), Points: int(s.Points), Logs: int(s.Logs),
		BadRecords: int(s.BadRecords), Rejected: int(s.Rejected), IncompleteTail: s.IncompleteTail, Messages: messages,
		Missing: int(s.Missing + s.Older), MissingFiles: int(s.MissingFiles),
	}
}
