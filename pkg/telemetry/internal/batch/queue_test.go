package batch_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// exporter records batches; while gate is not nil each export waits for it or for
// its context.
type exporter struct {
	mu      sync.Mutex
	got     [][]int
	entered chan struct{}
	gate    chan struct{}
	refuse  int64
	err     error
}

func (e *exporter) export(ctx context.Context, items []int) (int64, error) {
	if e.entered != nil {
		select {
		case e.entered <- struct{}{}:
		default:
		}
	}
	if e.gate != nil {
		select {
		case <-e.gate:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.got = append(e.got, slices.Clone(items))
	return e.refuse, e.err
}

func (e *exporter) items() []int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Concat(e.got...)
}

func config() batch.Config {
	return batch.Config{Size: 8, Batch: 4, Delay: time.Hour, Timeout: time.Hour}
}

func closeIn(t *testing.T, q *batch.Queue[int], d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	q.Close(ctx)
}

func TestFlushExportsInOrder(t *testing.T) {
	e := &exporter{}
	q := batch.New(config(), e.export, nil)
	defer closeIn(t, q, time.Minute)
	for i := range 3 {
		q.Add(i)
	}
	if err := q.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := e.items(); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("exported %v", got)
	}
	if c := q.Counts(); c != (batch.Counts{Added: 3, Delivered: 3}) {
		t.Errorf("counts %+v", c)
	}
}

func TestFullBatchGoesAtOnce(t *testing.T) {
	e := &exporter{entered: make(chan struct{}, 1)}
	q := batch.New(config(), e.export, nil)
	for i := range 4 {
		q.Add(i)
	}
	<-e.entered // long before the hour is over
	closeIn(t, q, time.Minute)
	if got := e.items(); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("exported %v", got)
	}
}

func TestDelaySendsAPartOfABatch(t *testing.T) {
	cfg := config()
	cfg.Delay = time.Millisecond
	e := &exporter{entered: make(chan struct{}, 1)}
	q := batch.New(cfg, e.export, nil)
	q.Add(7)
	<-e.entered
	closeIn(t, q, time.Minute)
	if c := q.Counts(); c.Delivered != 1 {
		t.Errorf("counts %+v", c)
	}
}

// TestRing goes round the ring many times.
func TestRing(t *testing.T) {
	e := &exporter{}
	q := batch.New(config(), e.export, nil)
	var want []int
	for i := range 100 {
		q.Add(i)
		want = append(want, i)
		if i%3 == 0 {
			if err := q.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	closeIn(t, q, time.Minute)
	if got := e.items(); !slices.Equal(got, want) {
		t.Errorf("exported %v", got)
	}
}

// TestFull: the running export's items count towards the bound, so the number of
// the dropped does not depend on how quickly the exporter took its first batch.
func TestFull(t *testing.T) {
	e := &exporter{entered: make(chan struct{}, 1), gate: make(chan struct{})}
	q := batch.New(config(), e.export, nil)
	for i := range 4 {
		q.Add(i)
	}
	<-e.entered
	for i := range 96 {
		q.Add(4 + i)
	}
	if c := q.Counts(); c.Added != 100 || c.Dropped != 92 {
		t.Errorf("counts %+v, want 92 of 100 dropped", c)
	}
	close(e.gate)
	closeIn(t, q, time.Minute)
	if c := q.Counts(); c != (batch.Counts{Added: 100, Delivered: 8, Dropped: 92}) {
		t.Errorf("counts %+v", c)
	}
}

func TestRefusedAndFailed(t *testing.T) {
	tests := []struct {
		name   string
		refuse int64
		err    error
		want   batch.Counts
	}{
		{"some refused", 2, nil, batch.Counts{Added: 3, Delivered: 1, Failed: 2}},
		{"more refused than sent", 9, nil, batch.Counts{Added: 3, Failed: 3}},
		{"nonsense refused", -1, nil, batch.Counts{Added: 3, Delivered: 3}},
		{"error", 0, errors.New("no"), batch.Counts{Added: 3, Failed: 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &exporter{refuse: tt.refuse, err: tt.err}
			var told []error
			q := batch.New(config(), e.export, func(err error) { told = append(told, err) })
			for i := range 3 {
				q.Add(i)
			}
			if err := q.Flush(context.Background()); !errors.Is(err, tt.err) {
				t.Errorf("flush: %v, want %v", err, tt.err)
			}
			closeIn(t, q, time.Minute)
			if c := q.Counts(); c != tt.want {
				t.Errorf("counts %+v, want %+v", c, tt.want)
			}
			if (len(told) > 0) != (tt.err != nil) {
				t.Errorf("told %v", told)
			}
		})
	}
}
