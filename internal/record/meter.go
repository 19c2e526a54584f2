package record

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Meter counts how far the import of sources has come. A nil Meter counts
// nothing. Its methods may be called from any goroutine.
type Meter struct {
	now   func() time.Time
	start time.Time

	mu      sync.Mutex
	state   run.Loading
	version uint64
}

// NewMeter is a Meter for these sources, which it puts itself into. now is the
// clock.
func NewMeter(sources []Source, now func() time.Time) *Meter {
	m := &Meter{now: now, start: now()}
	m.state.Files = len(sources)
	for i := range sources {
		sources[i].Meter = m
		info, err := os.Stat(sources[i].Path)
		if sources[i].Input != nil || err != nil || !info.Mode().IsRegular() {
			m.state.Total = -1 << 62 // a stream: the sum is not known
			continue
		}
		m.state.Total += info.Size() - sources[i].skip
	}
	return m
}

// Loading is how far it has come.
func (m *Meter) Loading() run.Loading {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.state
	out.Total = max(0, out.Total)
	if !out.Finished {
		out.Elapsed = m.now().Sub(m.start)
	}
	return out
}

// Version rises with every change of Loading but that of its clock.
func (m *Meter) Version() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.version
}

// Finish says that nothing more will be read; canceled, that there was more.
func (m *Meter) Finish(canceled bool) {
	m.change(func(l *run.Loading) {
		l.Finished, l.Canceled, l.Elapsed = true, canceled, m.now().Sub(m.start)
	})
}

func (m *Meter) change(f func(*run.Loading)) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.version++
	f(&m.state)
}

func (m *Meter) begin(path string) {
	m.change(func(l *run.Loading) { l.Path, l.File = path, min(l.File+1, l.Files) })
}

func (m *Meter) items(n uint64) { m.change(func(l *run.Loading) { l.Items += n }) }

func (m *Meter) read(n int64) { m.change(func(l *run.Loading) { l.Done += n }) }

// found counts a file that is to be read, of n bytes.
func (m *Meter) found(n int64) {
	m.change(func(l *run.Loading) { l.Files, l.Total = l.Files+1, l.Total+n })
}

// following says whether all that is there was read.
func (m *Meter) following(all bool) { m.change(func(l *run.Loading) { l.Following = all }) }

// reader counts what is read from in.
func (m *Meter) reader(in io.Reader) io.Reader {
	if m == nil {
		return in
	}
	return &metered{in, m}
}

type metered struct {
	io.Reader
	meter *Meter
}

func (r *metered) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.read(int64(n))
	return n, err
}
