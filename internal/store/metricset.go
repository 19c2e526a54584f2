package store

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// metricLimits bound what a run's metrics may hold.
type metricLimits struct {
	bytes     uint64 // share of the budget for series and points
	points    int    // newest points kept of one series
	minPoints int    // kept of one series when the share is used up
	series    int    // series known by hash, kept or not, of all metrics
}

func defaultMetricLimits(share uint64) metricLimits {
	return metricLimits{bytes: share, points: 1024, minPoints: 16, series: 1 << 20}
}

// metricCost and keyCost are what a metric and an attribute key of one cost
// beside their texts. The first few of a run or metric are free: with very many
// runs the share of one may be next to nothing.
const (
	metricCost  = 768
	keyCost     = 256
	freeMetrics = 32
	freeKeys    = 16
	usualCost   = 2 << 10
)

// seriesCost is what a kept series costs beside its points and attributes.
const seriesCost = 256

// pointCost is what a kept point costs: its backing array is at most twice the
// window.
const pointCost = 2 * 16

// metricSet is the metrics of one run, fed by the store under its lock. Metrics
// and series are cloned on their first change after a snapshot, so that a
// snapshot may share them.
type metricSet struct {
	lim     metricLimits
	seed    maphash.Seed
	names   map[string]int
	metrics []*Metric
	state   []metricState
	bytes   uint64
	kept    uint64 // points held now
	refused uint64 // series that found no room
	unknown uint64 // points of metrics that found no room
	indexed int    // series known by hash, of all metrics
	view    []*Metric

	keys      []KeyStat
	keysKnown bool
}

// metricState is what the writer alone needs of a metric.
type metricState struct {
	index   map[uint64]int32 // series hash → place in Metric.Series, or unkept
	process map[int]int      // series by process
	keys    map[string]*keyCount
	order   []*keyCount
}

// unkept marks a series that was seen but found no room.
const unkept = -1

func newMetricSet(lim metricLimits) *metricSet {
	return &metricSet{lim: lim, seed: maphash.MakeSeed(), names: map[string]int{}}
}

// metricAccount is what became of points: the change in how many are kept, and
// how many are not any more. Received is always the sum of both.
type metricAccount struct{ kept, evicted int }

// add takes the points of one metric row of a batch. gen is the store's current
// generation, process the sender's index in the run, at the receive time in
// unix ns.
func (s *metricSet) add(gen uint64, b *otlp.Batch, m *otlp.Metric, process int, at int64) metricAccount {
	var acc metricAccount
	id, ok := s.metric(gen, b, m)
	if !ok {
		s.unknown += uint64(m.Points.Len())
		acc.evicted += m.Points.Len()
		return acc
	}
	for i := m.Points.From; i < m.Points.To; i++ {
		s.addPoint(gen, b, m, id, &b.Points[i], process, at, &acc)
	}
	return acc
}

// metric is the place of a metric, made on first sight. ok is false when there is
// no room for another one.
func (s *metricSet) metric(gen uint64, b *otlp.Batch, m *otlp.Metric) (id int, ok bool) {
	name := b.Bytes(m.Name)
	if id, ok := s.names[string(name)]; ok {
		return id, true
	}
	id = len(s.metrics)
	if !s.charge(metricCost+2*len(name)+m.Description.Len()+m.Unit.Len(), id < freeMetrics) {
		return 0, false
	}
	text := string(name)
	s.names[text] = id
	s.metrics = append(s.metrics, &Metric{
		Name: text, Description: string(b.Bytes(m.Description)), Unit: string(b.Bytes(m.Unit)),
		Kind: m.Kind, Temporality: m.Temporality, Monotonic: m.Monotonic, gen: gen,
	})
	s.state = append(s.state, metricState{index: map[uint64]int32{}, process: map[int]int{}, keys: map[string]*keyCount{}})
	s.view = nil
	return id, true
}

// mostIndexed is how many series may be known by hash: so many that their table
// takes about a quarter of the share. Beyond, they are not told apart any more, and
// SeriesSeen stands still.
func (s *metricSet) mostIndexed() int {
	return min(s.lim.series, max(1<<12, int(s.lim.bytes/128)))
}

// charge takes cost bytes of the share if it has them, or if the thing is one of
// the first, which are free as long as they are of a usual size.
func (s *metricSet) charge(cost int, first bool) bool {
	if s.bytes+uint64(cost) > s.lim.bytes && !(first && cost <= usualCost) {
		return false
	}
	s.bytes += uint64(cost)
	return true
}

func (s *metricSet) addPoint(gen uint64, b *otlp.Batch, m *otlp.Metric, id int, p *otlp.Point, process int, at int64, acc *metricAccount) {
	metric := s.own(gen, id)
	mp := MetricPoint{Time: p.Time, Value: pointValue(m.Kind, p)}
	metric.Roll.add(mp)
	metric.Roll.bounds(p)
	h := s.hash(b, p.Attrs, process)
	st := &s.state[id]
	place, known := st.index[h]
	if !known {
		place = unkept
		if s.indexed < s.mostIndexed() {
			s.indexed++
			place = s.newSeries(metric, st, b, p, process, at)
			st.index[h] = place
		}
	}
	if place == unkept {
		acc.evicted++
		return
	}
	s.push(s.ownSeries(gen, metric, int(place)), b, m, p, mp, acc)
}

// hash is independent of the order of attributes: two orders are one series.
func (s *metricSet) hash(b *otlp.Batch, attrs otlp.Range, process int) uint64 {
	sum := uint64(process+1) * 0x9e3779b97f4a7c15
	for _, a := range b.Attributes(attrs) {
		h := maphash.Bytes(s.seed, b.Bytes(a.Key))
		h = bits.RotateLeft64(h, 17) ^ maphash.Bytes(s.seed, b.Bytes(a.Val)) ^ (a.Num+uint64(a.Type))*0xbf58476d1ce4e5b9
		h ^= h >> 29
		sum += h * 0x94d049bb133111eb
	}
	return sum
}

func (s *metricSet) newSeries(metric *Metric, st *metricState, b *otlp.Batch, p *otlp.Point, process int, at int64) int32 {
	attrs := b.AttrList(p.Attrs)
	metric.SeriesSeen++
	st.process[process]++
	metric.SeriesInOneProcess = max(metric.SeriesInOneProcess, st.process[process])
	metric.Overflow = metric.Overflow || hasOverflow(attrs)
	s.count(st, attrs, at)
	s.keysKnown = false
	cost := uint64(seriesCost + s.lim.minPoints*pointCost + attrsCost(attrs))
	if s.bytes+cost > s.lim.bytes {
		s.refused++
		return unkept
	}
	s.bytes += cost
	metric.Series = append(metric.Series, &Series{Process: process, Attrs: attrs, gen: metric.gen})
	return int32(len(metric.Series) - 1)
}

func attrsCost(attrs []run.Attr) int {
	n := 0
	for _, a := range attrs {
		n += 96 + len(a.Key) + valueCost(a.Value)
	}
	return n
}

// valueCost is what a value costs beside the place it stands in.
func valueCost(v run.Value) int {
	n := len(v.Str())
	for _, e := range v.List() {
		n += 80 + valueCost(e)
	}
	return n + attrsCost(v.Attrs())
}

func hasOverflow(attrs []run.Attr) bool {
	for _, a := range attrs {
		if a.Key == overflowKey && a.Value.Bool() {
			return true
		}
	}
	return false
}

// push appends a point to its series, in a window that doubles while there is
// room in the share.
func (s *metricSet) push(sr *Series, b *otlp.Batch, m *otlp.Metric, p *otlp.Point, mp MetricPoint, acc *metricAccount) {
	sr.noteReset(m, p, mp)
	sr.Roll.add(mp)
	sr.Roll.bounds(p)
	if m.Kind != otlp.Gauge && m.Kind != otlp.Sum {
		s.setRaw(sr, b.Bytes(p.Raw), m.Temporality == otlp.Cumulative)
	}
	limit := s.window(sr)
	if len(sr.Points) >= limit {
		sr.Points = sr.Points[1:]
		s.kept--
		acc.kept--
		acc.evicted++
	}
	if len(sr.Points) == cap(sr.Points) {
		sr.Points = append(make([]MetricPoint, 0, 2*max(len(sr.Points), s.lim.minPoints/2)), sr.Points...)
	}
	sr.Points = append(sr.Points, mp)
	s.kept++
	acc.kept++
}

// setRaw keeps the wire bytes of the newest point where the share has room, and
// those of the one before when what lies between them is asked for.
func (s *metricSet) setRaw(sr *Series, raw []byte, before bool) {
	s.bytes -= uint64(len(sr.PrevRaw))
	sr.PrevRaw = sr.LastRaw // not overwritten: a snapshot may hold it
	sr.LastRaw = nil
	if !before {
		s.bytes -= uint64(len(sr.PrevRaw))
		sr.PrevRaw = nil
	}
	if s.charge(len(raw), false) {
		sr.LastRaw = bytes.Clone(raw)
	}
}

// window is how many points sr may hold now. Beyond the guaranteed minimum it
// grows point by point while the share has room, and never shrinks.
func (s *metricSet) window(sr *Series) int {
	n := len(sr.Points)
	switch {
	case n < s.lim.minPoints:
		return n + 1
	case sr.atCapacity || n >= s.lim.points:
		return n
	case s.bytes+pointCost > s.lim.bytes:
		sr.atCapacity = true
		return n
	}
	s.bytes += pointCost
	return n + 1
}

// keptResets is how many resets of a series are known by their time.
const keptResets = 32

// noteReset counts resets of a cumulative series: a start time that moved with
// a value that did not grow on, or a value that fell. A point that comes late
// tells nothing.
func (sr *Series) noteReset(m *otlp.Metric, p *otlp.Point, mp MetricPoint) {
	if mp.orderTime() < sr.Roll.LastTime {
		return
	}
	if m.Temporality == otlp.Cumulative && sr.Roll.Finite > 0 {
		moved := sr.lastStart != 0 && p.Start != 0 && p.Start > sr.lastStart
		if moved || (m.Monotonic && mp.Value < sr.Roll.Last) {
			sr.Resets++
			sr.ResetAt = append(sr.ResetAt[max(0, len(sr.ResetAt)-keptResets+1):len(sr.ResetAt):len(sr.ResetAt)], mp.Time)
		}
	}
	if p.Start != 0 && !run.Beyond(p.Start) {
		sr.lastStart = p.Start
	}
}

// own gives the writer a metric that no snapshot shares.
func (s *metricSet) own(gen uint64, id int) *Metric {
	m := s.metrics[id]
	if m.gen != gen {
		c := *m
		c.gen = gen
		c.Series = append(make([]*Series, 0, len(m.Series)+8), m.Series...)
		m, s.metrics[id], s.view = &c, &c, nil
	}
	return m
}

func (s *metricSet) ownSeries(gen uint64, m *Metric, place int) *Series {
	sr := m.Series[place]
	if sr.gen != gen {
		c := *sr
		c.gen = gen
		sr, m.Series[place] = &c, &c
	}
	return sr
}

// snapshot is the metrics as they are now. They never change: the writer goes on
// in a higher generation and clones what it touches.
func (s *metricSet) snapshot() []*Metric {
	if s.view == nil {
		s.view = append([]*Metric(nil), s.metrics...)
	}
	return s.view
}
