package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
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

// execute runs one command line and returns its exit code. Errors are one line
// on stderr, without the usage text.
func execute(args []string, e env) int {
	cmd := newRoot(e)
	cmd.SetArgs(args)
	cmd.SetIn(e.stdin)
	cmd.SetOut(e.stdout)
	cmd.SetErr(e.stderr)
	ctx, stop := signalContext(context.Background())
	defer stop()
	err := cmd.ExecuteContext(ctx)
	var code exitError
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		fmt.Fprintln(e.stderr, "lensview: "+oneLine(err))
		return exitUsage
	}
	fmt.Fprintln(e.stderr, "lensview: "+oneLine(err))
	return exitFailed
}

func newRoot(e env) *cobra.Command {
	var o liveOptions
	cmd := &cobra.Command{
		Use:   "lensview",
		Short: "Inspect a distributed training run while it sends OpenTelemetry data",
		Long: `lensview receives OTLP (gRPC and HTTP) from a training run and shows which rank
or group is slow or hung and where a step's time goes.

Without a command it listens on loopback and shows the screens.`,
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
		return usageError{fmt.Errorf("%w; see '%s --help'", err, c.CommandPath())}
	})
	cmd.AddCommand(newDemo(e), newOpen(e), newReport(e), newExport(e), newSimulate(e), newVersion(e))
	return cmd
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
