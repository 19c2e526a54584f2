package store

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Metric is one metric name of a run over all its series: what it is, an exact
// roll-up that outlives points and series, and the series that are kept.
type Metric struct {
	Name, Description, Unit string
	Kind                    otlp.MetricKind
	Temporality             otlp.Temporality
	Monotonic               bool
	Roll                    Roll
	Series                  []*Series
	SeriesSeen              int  // distinct (attribute set, process) ever seen, kept or not
	SeriesInOneProcess      int  // the largest number that one process sent
	Overflow                bool // otel.metric.overflow=true was seen: the sender folds series together

	gen uint64
}

// Series is one (metric, attribute set) of one process with its newest points.
type Series struct {
	Process    int // index in the run
	Attrs      []run.Attr
	Points     []MetricPoint // oldest first; a bounded window
	Roll       Roll
	Resets     uint64   // cumulative: the start time moved or the value fell
	ResetAt    []uint64 // times of the points that began again, oldest first; a bounded window
	LastRaw    []byte   // wire bytes of the newest histogram or summary point, for its buckets
	PrevRaw    []byte   // those of the one before, where points count on and on
	lastStart  uint64
	gen        uint64
	atCapacity bool
}

// MetricPoint is one point: its time (unix ns, sender clock) and value. The
// value of a histogram point is its mean.
type MetricPoint struct {
	Time  uint64
	Value float64
}

// gapBits is a NaN that no producer sends: it stands for "no recorded value".
const gapBits = 0x7ff8_0000_dead_0001

// Gap reports whether the point says "no recorded value".
func (p MetricPoint) Gap() bool { return math.Float64bits(p.Value) == gapBits }

// orderTime is the time by which a point is newer than another. One that claims a
// time behind all that can be true is older than all others: it must not be the
// newest for ever.
func (p MetricPoint) orderTime() uint64 {
	if run.Beyond(p.Time) {
		return beyond
	}
	return p.Time
}

// beyond is the LastTime of points that all claim a time that cannot be true.
const beyond = 1

// Roll is the roll-up of points over their whole life. Points that are not
// finite are counted and kept out of Min, Max and Sum.
type Roll struct {
	Points    uint64
	NotFinite uint64
	Gaps      uint64
	Finite    uint64
	Min, Max  float64 // valid when Finite > 0
	Sum       float64
	Last      float64 // by point time; may be NaN or infinite
	LastTime  uint64  // 0 without a point that has a time

	// Histograms and summaries: some point sent no minimum (maximum), so that
	// Min (Max) is that of means and says nothing of the values behind them.
	MeansMin, MeansMax bool
}

// Mean is the mean of the finite points; ok is false when there are none.
func (r Roll) Mean() (mean float64, ok bool) {
	if r.Finite == 0 {
		return 0, false
	}
	return r.Sum / float64(r.Finite), true
}

func (r *Roll) add(p MetricPoint) {
	r.Points++
	if p.Gap() {
		r.Gaps++
		return
	}
	if t := p.orderTime(); t >= r.LastTime {
		r.Last, r.LastTime = p.Value, t
	}
	if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
		r.NotFinite++
		return
	}
	if r.Finite == 0 || p.Value < r.Min {
		r.Min = p.Value
	}
	if r.Finite == 0 || p.Value > r.Max {
		r.Max = p.Value
	}
	r.Finite++
	r.Sum += p.Value
}

// bounds widens Min and Max by the bounds that a histogram point sends.
func (r *Roll) bounds(p *otlp.Point) {
	if p.Count == 0 {
		return
	}
	hasMin, hasMax := p.HasMin && finite(p.Min), p.HasMax && finite(p.Max)
	if hasMin && (r.Finite == 0 || p.Min < r.Min) {
		r.Min = p.Min
	}
	if hasMax && (r.Finite == 0 || p.Max > r.Max) {
		r.Max = p.Max
	}
	r.MeansMin, r.MeansMax = r.MeansMin || !hasMin, r.MeansMax || !hasMax
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// pointValue is the value a point is plotted by: its number, or the mean of a
// histogram or summary. Without either it is a gap.
func pointValue(kind otlp.MetricKind, p *otlp.Point) float64 {
	const noRecordedValue = 1
	gap := math.Float64frombits(gapBits)
	if p.Flags&noRecordedValue != 0 {
		return gap
	}
	switch kind {
	case otlp.Gauge, otlp.Sum:
		return numberValue(p, gap)
	}
	if p.Count == 0 || !p.HasSum {
		return gap
	}
	return p.Sum / float64(p.Count)
}

func numberValue(p *otlp.Point, gap float64) float64 {
	switch {
	case !p.HasValue:
		return gap
	case p.IsDouble:
		return math.Float64frombits(p.Num)
	}
	return float64(int64(p.Num))
}
