package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/ui"
)

// Exit codes. Scripts rely on them.
const (
	exitOK      = 0
	exitFailed  = 1 // the work could not be done
	exitUsage   = 2 // the command line or the terminal does not allow it
	exitFinding = 3 // report --fail-on found something
)

// usageError is an error of the caller: it exits with exitUsage.
type usageError struct{ error }

// exitError carries an exit code without a further message.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// execute runs one command line and returns its exit code.
func execute(args []string, e env) int {
	out := &watched{Writer: e.stdout}
	e.stdout = out
	cmd := newRoot(e)
	cmd.SetArgs(args)
	cmd.SetIn(e.stdin)
	cmd.SetOut(e.stdout)
	cmd.SetErr(e.stderr)
	ctx, stop := signalContext(context.Background())
	defer stop()
	ran, err := cmd.ExecuteContextC(ctx)
	return ending(ctx, e, out.outcome(ran, err))
}

// ending says how a command ended and returns its exit code. Errors are one line
// on stderr, without the usage text; only a crash is told with its trace.
func ending(ctx context.Context, e env, err error) int {
	var code exitError
	var usage usageError
	var crash *ui.CrashError
	var sig *ui.SignalError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &crash):
		tellCrash(e.stderr, crash)
		return exitFailed
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &sig):
		tell(e.stderr, sig)
		return 128 + int(sig.Signal)
	}
	tell(e.stderr, err)
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

func tell(w io.Writer, err error) { fmt.Fprintln(w, "lensview: "+oneLine(err.Error())) }

// tellCrash writes a panic and its trace for a report of the fault.
func tellCrash(w io.Writer, crash *ui.CrashError) {
	fmt.Fprintln(w, "lensview: a fault in lensview itself ended it; please report this:")
	for line := range strings.Lines(crash.Error()) {
		fmt.Fprintln(w, oneLine(strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), "\n")))
	}
}

func newRoot(e env) *cobra.Command {
	var o liveOptions
	cmd := &cobra.Command{
		Use:   "lensview",
		Short: "Inspect a distributed training run while it sends OpenTelemetry data",
		Long: `lensview receives OTLP (gRPC and HTTP) from a training run and shows which rank
or group is slow or hung and where a step's time goes.

Without a command it listens on loopback and shows the screens.

Exit codes: 0 done; 1 the work could not be done; 2 the command line, the
configuration or the terminal does not allow it; 3 'report --fail-on' found
something; 128 + n ended by signal n.`,
		Example: `  lensview                              # receive and show
  lensview demo                         # the same, with a simulated run of 64 ranks
  lensview open run.otlp.jsonl.gz       # look at a file
  lensview report --format json FILE    # the answers, for scripts`,
		Args:                       noArgs,
		SilenceUsage:               true,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: 2,
		Version:                    version,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return live(cmd.Context(), e, o) },
	}
	o.bind(cmd.Flags())
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see '%s --help'", plainer(err), c.CommandPath())}
	})
	cmd.AddCommand(newDemo(e), newOpen(e), newRecord(e), newReport(e), newDiff(e), newExport(e), newSimulate(e), newEnvCommand(e), newDoctor(e), newMan(e), newVersion(e))
	cmd.SetOut(e.stdout) // the library keeps it for completion scripts
	completionCommand(cmd)
	completions(cmd)
	return cmd
}

// plainer says of a time that is none what one looks like: the library's words are
// those of its parser.
func plainer(err error) error {
	if head, _, ok := strings.Cut(err.Error(), ": time: "); ok {
		return errors.New(head + ": a time has a unit, such as 90s, 30m or 48h")
	}
	return err
}

// noArgs refuses arguments with the nearest command, if there is one.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	if s := cmd.SuggestionsFor(args[0]); len(s) > 0 {
		text += fmt.Sprintf("; did you mean %q?", s[0])
	}
	return usageError{fmt.Errorf("%s; see 'lensview --help'", text)}
}

// someArgs wants at least one path.
func someArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{fmt.Errorf("%s needs a PATH (a file, a directory, or - for standard input)", cmd.CommandPath())}
	}
	return nil
}
