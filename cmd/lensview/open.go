package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func newOpen(e env) *cobra.Command {
	var o showOptions
	var follow bool
	var last time.Duration
	cmd := &cobra.Command{
		Use:   "open PATH...",
		Short: "Show files of telemetry: recordings, OTLP JSON lines or proto, zstd, .gz, the Python console's JSON",
		Long: `open shows files, directories of files, and recordings that 'lensview record' made.
With --follow it goes on as they grow: on another node of a shared file system, for
as many viewers as may read them. What is appended is seen within a second on a
local file system; over a network its attribute cache adds to that (NFS: up to a
minute).`,
		Example: `  lensview open run.otlp.jsonl.gz
  lensview open telemetry/ --filter 'rank=0..7'
  lensview open --follow /scratch/me/run7
  lensview open --last 30m /scratch/me/run7    # of a long recording`,
		Args: someArgs,
		RunE: func(cmd *cobra.Command, paths []string) error { return open(cmd.Context(), e, o, paths, follow, last) },
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on as the files grow, and with new files in a directory")
	bindLast(cmd.Flags(), &last)
	o.bind(cmd.Flags())
	return cmd
}

func open(ctx context.Context, e env, o showOptions, paths []string, follow bool, last time.Duration) error {
	for _, p := range paths {
		if p == record.Stdin {
			return usageError{errors.New("open needs the keyboard on standard input; save the data to a file, or use 'lensview report -'")}
		}
	}
	sources, err := sourcesFor(e, paths, last)
	if err != nil {
		return err
	}
	if len(sources) == 0 && !follow {
		return fmt.Errorf("open: there is no file in %s", strings.Join(paths, ", "))
	}
	s, err := newSession(ctx, e, o, !follow)
	if err != nil {
		return err
	}
	if follow {
		s.follow(paths, last)
		return s.run()
	}
	s.loading(record.NewMeter(sources, time.Now))
	s.guard.Go(func() { s.read(sources) })
	return s.run()
}

// read imports the sources while the screens already show. What could not be
// read becomes a notice.
func (s *session) read(sources []record.Source) {
	ctx := s.load.ctx
	for _, src := range sources {
		sum, err := importInto(ctx, s.store.Store, src)
		if err != nil && ctx.Err() == nil {
			s.store.note(run.Notice{Code: "import-failed", Level: run.Critical, Text: err.Error()})
		}
		if n, ok := told(sum); ok && ctx.Err() == nil {
			s.store.note(n)
		}
	}
	s.load.meter.Finish(ctx.Err() != nil)
}

func importInto(ctx context.Context, st *store.Store, src record.Source) (record.Summary, error) {
	return record.Import(ctx, src, func(b *otlp.Batch, r run.Receipt) error {
		_, err := st.Put(ctx, b, r)
		return err
	})
}

// told is what a person should know of a source that was read: damage, or what
// was tolerated.
func told(s record.Summary) (run.Notice, bool) {
	if len(s.Messages) == 0 && (s.Items() > 0 || s.Format == record.Recording) {
		return run.Notice{}, false // a recording to which nothing was sent is whole
	}
	n := run.Notice{Code: "import", Level: run.Info, Count: s.BadRecords + s.Rejected + s.Missing, Text: s.Path + ": nothing was read from it"}
	if s.BadRecords+s.Rejected+s.Missing+s.MissingFiles > 0 || s.IncompleteTail || s.Items() == 0 {
		n.Level = run.Warning
	}
	if len(s.Messages) > 0 {
		n.Text = s.Messages[0]
		if more := len(s.Messages) - 1; more > 0 {
			n.Text += fmt.Sprintf(" (and %d more: 'lensview report' lists them)", more)
		}
	}
	return n, true
}
