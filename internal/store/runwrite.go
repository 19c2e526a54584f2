package store

import (
	"github.com/beamline-hpc/lensview/internal/run"
)

// runWriter is a run as the writer has it.
type runWriter struct {
	s    *Store
	pub  Run  // plain values; lists are filled in when a reader looks
	view *Run // the last one made, nil when something changed since

	procs        []*procWriter
	byKey        map[procKey]*procWriter
	groups       map[int]*group // by rank
	procView     []*Process
	procsChanged bool

	names     []Name
	nameIDs   map[string]uint16
	nameCache [32]cachedName
	other     int // name id for names beyond the limit, -1 while there is none
	stages    []*stageRow
	holders   int // statistics in stages

	chunks []*chunkWriter // retained, oldest first; the last may be open
	dict   *dict
	seq    uint32
	bytes  uint64 // of chunks and dictionaries
	// The oldest coldChunks are sealed, or were of no use to seal.
	coldChunks int
	coldBytes  uint64
	seen       window
	open       map[uint64]Ref // open spans by hash
	shared     sharedIDs
	reused     uint64 // spans under the id of an earlier one of their process

	columns       columnRing
	info          []nameInfo // by name id
	inner         []bool     // by name id: steps that lie inside of other steps
	innerCount    int
	serviceRanked bool // pub.Service is that of a process with a rank

	metrics *metricSet
	logs    *logSet
	logFrom []logSegment
	// pointsFrom is how many points of each sender are kept.
	pointsFrom map[*sender]int
	ledger     ledger
	recv       [run.SignalCount]uint64
	layouts    layouts
	notices    noticeSet
}

// runOf is the run of an identity, made on first sight.
func (s *Store) runOf(id run.Identity, at int64) *runWriter {
	if w := s.byID[id.Run]; w != nil {
		return w
	}
	w := &runWriter{
		s:     s,
		pub:   Run{ID: id.Run, IDBy: id.RunBy, WorldSize: run.Unknown, Sizes: run.UnknownSizes(), First: at, Last: at, Thresholds: s.cfg.Thresholds},
		byKey: map[procKey]*procWriter{}, groups: map[int]*group{},
		nameIDs: map[string]uint16{}, other: -1,
		open: map[uint64]Ref{}, layouts: newLayouts(), pointsFrom: map[*sender]int{},
		metrics: newMetricSet(defaultMetricLimits(0)), logs: newLogSet(0),
	}
	w.columns.init(s)
	s.byID[id.Run] = w
	s.runs = append(s.runs, w)
	s.share()
	return w
}

// changed says that the run's next view differs from the last one.
func (w *runWriter) changed() { w.view = nil }

// touch notes that something came at the receive time.
func (w *runWriter) touch(at int64) {
	w.pub.First = min(w.pub.First, at)
	w.pub.Last = max(w.pub.Last, at)
	w.changed()
}

// writable is the chunk into which the next span goes.
func (w *runWriter) writable() *chunkWriter {
	if n := len(w.chunks); n > 0 && !w.chunks[n-1].closed {
		if c := w.chunks[n-1]; !c.isFull() {
			return c
		}
		w.closeChunk(w.chunks[n-1])
	}
	return w.beginChunk()
}

func (w *runWriter) beginChunk() *chunkWriter {
	if w.dict == nil || w.dict.begun >= dictChunks || w.dict.full() {
		w.newDict()
	}
	rows, blob := firstRows, 0
	if n := len(w.chunks); n > 0 && w.chunks[n-1].Len() == chunkRows {
		rows, blob = chunkRows, len(w.chunks[n-1].cols.attrs)
		blob += blob / 16
	}
	w.seq++
	c := newChunkWriter(w.seq, w.dict, rows, blob)
	w.chunks = append(w.chunks, c)
	w.charge(c)
	return c
}

func (w *runWriter) newDict() {
	old := w.dict
	w.dict = newDict(w.s.iterations)
	w.dict.limit = min(dictBytes, max(leastDict, w.s.budget/dictPart))
	if old != nil {
		w.retire(old)
		w.release(old)
	}
}

// retire ends a dictionary. Its chunks share the one list that is left.
func (w *runWriter) retire(d *dict) {
	d.retire()
	w.recharge(&d.charged, d.bytes)
	for _, c := range w.chunks {
		if c.dict == d {
			c.Chunk.dict, c.view = d.dictView, nil
		}
	}
	w.changed()
}

func (w *runWriter) closeChunk(c *chunkWriter) {
	c.close(w.names)
	w.charge(c)
}

// chunk is the retained chunk of that number, or nil.
func (w *runWriter) chunk(seq uint32) *chunkWriter {
	if len(w.chunks) == 0 || seq < w.chunks[0].seq {
		return nil
	}
	if i := int(seq - w.chunks[0].seq); i < len(w.chunks) {
		return w.chunks[i]
	}
	return nil
}
