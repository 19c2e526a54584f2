package batch_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
)

func TestCloseDrains(t *testing.T) {
	e := &exporter{}
	q := batch.New(config(), e.export, nil)
	for i := range 7 {
		q.Add(i)
	}
	closeIn(t, q, time.Minute)
	if c := q.Counts(); c != (batch.Counts{Added: 7, Delivered: 7}) {
		t.Errorf("counts %+v", c)
	}
	q.Add(8)
	closeIn(t, q, time.Minute)
	if c := q.Counts(); c.Added != 7 {
		t.Errorf("counts %+v after the end", c)
	}
	if err := q.Flush(context.Background()); !errors.Is(err, batch.ErrClosed) {
		t.Errorf("flush after the end: %v", err)
	}
}

// TestCloseGivesUp: an exporter that waits is told by its context, and what is
// left is counted.
func TestCloseGivesUp(t *testing.T) {
	e := &exporter{entered: make(chan struct{}, 1), gate: make(chan struct{})}
	q := batch.New(config(), e.export, nil)
	for i := range 8 {
		q.Add(i)
	}
	<-e.entered
	start := time.Now()
	closeIn(t, q, 50*time.Millisecond)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	if c := q.Counts(); c != (batch.Counts{Added: 8, Failed: 8}) {
		t.Errorf("counts %+v", c)
	}
}

// TestCloseLeavesADeafExporter: one that heeds no context cannot hold Close, and
// its items are counted once even if it comes back.
func TestCloseLeavesADeafExporter(t *testing.T) {
	entered, release, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	q := batch.New(config(), func(context.Context, []int) (int64, error) {
		close(entered)
		<-release
		defer close(left)
		return 0, nil
	}, nil)
	for i := range 4 {
		q.Add(i)
	}
	<-entered
	closeIn(t, q, time.Millisecond)
	want := batch.Counts{Added: 4, Failed: 4}
	if c := q.Counts(); c != want {
		t.Errorf("counts %+v", c)
	}
	close(release)
	<-left
	closeIn(t, q, time.Minute)
	if c := q.Counts(); c != want {
		t.Errorf("counts %+v after it came back", c)
	}
}

// TestFlushGivesUpWaiting: the end of a flush's context loses nothing.
func TestFlushGivesUpWaiting(t *testing.T) {
	e := &exporter{entered: make(chan struct{}, 1), gate: make(chan struct{})}
	q := batch.New(config(), e.export, nil)
	q.Add(1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-e.entered
		cancel()
	}()
	if err := q.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flush: %v", err)
	}
	if err := q.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("second flush: %v", err)
	}
	close(e.gate)
	closeIn(t, q, time.Minute)
	if c := q.Counts(); c != (batch.Counts{Added: 1, Delivered: 1}) {
		t.Errorf("counts %+v", c)
	}
}

func TestManyGoroutines(t *testing.T) {
	e := &exporter{}
	cfg := config()
	cfg.Size, cfg.Batch = 64, 16
	q := batch.New(cfg, e.export, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 500 {
				q.Add(i)
				if i%100 == 0 {
					_ = q.Flush(context.Background())
				}
			}
		})
	}
	wg.Wait()
	closeIn(t, q, time.Minute)
	c := q.Counts()
	if c.Added != 4000 || c.Delivered+c.Dropped != 4000 || int(c.Delivered) != len(e.items()) {
		t.Errorf("counts %+v, %d seen", c, len(e.items()))
	}
}
