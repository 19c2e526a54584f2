package send

import (
	"context"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
)

// Console writes messages as OTLP JSON, one on a line and a line at a time, all
// signals through one writer.
type Console struct {
	mu    sync.Mutex
	w     io.Writer
	line  []byte
	close func() error
}

// NewConsole returns a console that writes to w, which it does not close.
func NewConsole(w io.Writer) *Console { return &Console{w: w, close: func() error { return nil }} }

// Send implements Sender.
func (c *Console) Send(_ context.Context, request proto.Message) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = append(encode.AppendJSON(c.line[:0], request), '\n')
	if _, err := c.w.Write(c.line); err != nil {
		return 0, fmt.Errorf("write telemetry to the console: %w", err)
	}
	return 0, nil
}

// Close releases what Stdout has opened.
func (c *Console) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.close()
}
