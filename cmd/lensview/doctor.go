package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
)

// diagnosis is what doctor finds: things that are well and causes that are not,
// each one line.
type diagnosis struct {
	out    io.Writer
	causes int
}

func (d *diagnosis) well(format string, a ...any) { d.line("ok   ", format, a...) }

// cause names one thing that keeps data from arriving or from being right.
func (d *diagnosis) cause(format string, a ...any) {
	d.causes++
	d.line("FAIL ", format, a...)
}

// note is worth knowing and no fault.
func (d *diagnosis) note(format string, a ...any) { d.line("note ", format, a...) }

func (d *diagnosis) line(word, format string, a ...any) {
	fmt.Fprintln(d.out, word+oneLine(fmt.Sprintf(format, a...)))
}

func newDoctor(e env) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say why data of this environment do not arrive, from any node",
		Long: `doctor reads the environment as an OpenTelemetry exporter does, goes to the
endpoint that it names, sends one test span (run lensview-doctor) and reports the
answer. Each cause is one line that begins with FAIL. Exit code 0: the span was
taken and nothing is wrong; 1: something is.`,
		Example: `  lensview doctor
  srun -N1 -n1 lensview doctor          # from a compute node`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return doctor(cmd.Context(), e, timeout) },
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 5*time.Second, "how long each step may take")
	return cmd
}

func doctor(ctx context.Context, e env, timeout time.Duration) error {
	d := &diagnosis{out: e.stdout}
	t, err := targetOf(e.getenv)
	if err != nil {
		d.cause("%v", err)
		return exitError(exitFailed)
	}
	d.note("endpoint %s over %s, from %s", t.shown(), t.protocol, t.from)
	if t.network == "unix" {
		d.note("the log exporter of Go (0.23) takes no socket from its environment: its logs need the option, or TCP")
	}
	d.environment(e.getenv, t)
	p := probe{diagnosis: d, target: t, timeout: timeout, getenv: e.getenv}
	before := d.causes
	p.run(ctx)
	if d.causes == before {
		d.contradictions(e.getenv, t)
	}
	if d.causes > 0 {
		return exitError(exitFailed)
	}
	return nil
}
