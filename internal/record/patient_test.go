package record

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// zeros is a device without an end; it says when it is read.
type zeros struct{ read func() }

func (z zeros) Read(p []byte) (int, error) {
	z.read()
	clear(p)
	return len(p), nil
}

// repeating is text without an end.
type repeating struct {
	text string
	read func()
	at   *int
}

func (r repeating) Read(p []byte) (int, error) {
	r.read()
	for i := range p {
		p[i] = r.text[*r.at%len(r.text)]
		*r.at++
	}
	return len(p), nil
}

// silent is a terminal at which nobody types.
type silent struct{ read func() }

func (s silent) Read([]byte) (int, error) {
	s.read()
	select {}
}

// Whatever the source does, the end of the context ends the import.
func TestImportEndsWithItsContext(t *testing.T) {
	bomb := func(read func()) io.Reader {
		r, w := io.Pipe()
		go func() { // until the process ends
			_, _ = io.Copy(gzip.NewWriter(w), zeros{func() {}})
		}()
		return io.TeeReader(r, writerFunc(read))
	}
	text := func(s string) func(func()) io.Reader {
		return func(read func()) io.Reader { return repeating{s, read, new(int)} }
	}
	for name, source := range map[string]func(func()) io.Reader{
		"zeros": func(read func()) io.Reader { return zeros{read} }, "nobody types": func(read func()) io.Reader { return silent{read} },
		"compressed zeros": bomb, "text": text("x"), "braces": text("{\n"), "objects": text(`{"resourceSpans":[`), "brackets": text("["),
		"records": text(trace("a") + "\n"), "strings": text(`{"a":"b",`), "lines": text("lorem ipsum\n"),
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			reads := 0
			src := Source{Path: name, Input: source(func() {
				if reads++; reads == 3 || name == "nobody types" {
					cancel()
				}
			})}
			ended(t, ctx, src)
		})
	}
}

type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }

func ended(t *testing.T, ctx context.Context, src Source) {
	t.Helper()
	_, err := Import(ctx, src, func(*otlp.Batch, run.Receipt) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ends with %v", err)
	}
}

// Opening a pipe waits for a writer.
func TestOpeningEndsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended(t, ctx, Source{Path: path})
	}()
	cancel()
	<-done
}
