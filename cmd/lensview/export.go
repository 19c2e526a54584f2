package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/clean"
	"github.com/beamline-hpc/lensview/internal/record"
)

func newExport(e env) *cobra.Command {
	var output string
	var last time.Duration
	cmd := &cobra.Command{
		Use:   "export PATH...",
		Short: "Write files of any form as OTLP JSON lines that can be imported again",
		Example: `  lensview export console.log > run.otlp.jsonl
  lensview export -o run.otlp.jsonl damaged.jsonl.gz`,
		Args: someArgs,
		RunE: func(cmd *cobra.Command, paths []string) error { return export(cmd.Context(), e, output, paths, last) },
	}
	bindLast(cmd.Flags(), &last)
	cmd.Flags().StringVarP(&output, "output", "o", "", "`file` to write instead of standard output, compressed if it ends in .gz; it must not exist")
	return cmd
}

func export(ctx context.Context, e env, output string, paths []string, last time.Duration) error {
	sources, err := sourcesFor(e, paths, last)
	if err != nil {
		return err
	}
	if output == "" {
		return exportOut(ctx, e, sources)
	}
	f, err := createNew(output)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	err = exportTo(ctx, e, f, sources)
	if cerr := f.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("export: %w", cerr)
	}
	return err
}

// exportOut writes to standard output. Where that is a terminal, what could drive it
// stands there as \u escapes, which mean the same.
func exportOut(ctx context.Context, e env, sources []record.Source) error {
	if !e.stdoutTerminal {
		return exportTo(ctx, e, e.stdout, sources)
	}
	h := &harmless{to: e.stdout}
	return errors.Join(exportTo(ctx, e, h, sources), h.end())
}

// harmless writes JSON to a terminal, whole lines at a time.
type harmless struct {
	to   io.Writer
	rest []byte // of a line without its end
}

func (h *harmless) Write(p []byte) (int, error) {
	h.rest = append(h.rest, p...)
	n := bytes.LastIndexByte(h.rest, '\n') + 1
	if n == 0 {
		return len(p), nil
	}
	_, err := h.to.Write(clean.JSON(h.rest[:n]))
	h.rest = h.rest[n:]
	return len(p), err
}

// end writes what has no end of line.
func (h *harmless) end() error {
	_, err := h.to.Write(clean.JSON(h.rest))
	h.rest = nil
	return err
}

// exportTo writes every source in order. What could not be read is told on
// stderr: standard output is data.
func exportTo(ctx context.Context, e env, w io.Writer, sources []record.Source) error {
	out := bufio.NewWriterSize(w, 1<<16)
	for _, src := range sources {
		sum, err := record.Export(ctx, out, src)
		for _, m := range sum.Messages {
			fmt.Fprintln(e.stderr, "lensview: "+oneLine(m))
		}
		if err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}
