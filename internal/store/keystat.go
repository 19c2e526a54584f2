package store

import (
	"hash/maphash"

	"github.com/axiomhq/hyperloglog"

	"github.com/beamline-hpc/lensview/internal/run"
)

// KeyStat is how many values one attribute key of one metric has had over the
// run. Values are counted once per series, so a cumulative metric that is sent
// again and again does not count again.
type KeyStat struct {
	Metric, Key string
	Distinct    int      // exact up to 1,000, then estimated
	Exact       bool     // Distinct and Once are exact
	Once        int      // values that only one series of one process ever had (exact mode)
	Series      int      // series of the metric, over all processes
	SeriesMax   int      // series of the metric in the process that has most
	Examples    []string // the first three values
	Overflow    bool     // the sender folds series of the metric together
	GrewAt      int64    // receive time of the last new value, unix ns
	First       int64    // receive time of the first value
}

// overflowKey marks the series into which an SDK folds attribute sets beyond its
// limit (OpenTelemetry metrics SDK specification, "cardinality limits").
const overflowKey = "otel.metric.overflow"

const (
	exactValues = 1000
	examples    = 3
	exampleLen  = 120 // bytes of an example value that are kept
)

// keyCount counts the distinct values of one key.
type keyCount struct {
	key      string
	values   map[uint64]int // hash of a value → series, until exactValues
	sketch   *hyperloglog.Sketch
	distinct int
	examples []string
	grewAt   int64
	first    int64

	inserted   int // values given to the sketch since the last estimate
	insertedAt int64
}

// count notes the attribute values of a new series. Keys for which there is no
// room are not counted: that they are so many shows in the number of series.
func (s *metricSet) count(st *metricState, attrs []run.Attr, at int64) {
	for _, a := range attrs {
		k := st.keys[a.Key]
		if k == nil {
			if !s.charge(keyCost+2*len(a.Key), len(st.order) < freeKeys) {
				continue
			}
			k = &keyCount{key: a.Key, values: map[uint64]int{}, first: at}
			st.keys[a.Key] = k
			st.order = append(st.order, k)
		}
		value := a.Value.String()
		k.add(value, maphash.String(s.seed, value), at)
	}
}

func (k *keyCount) add(value string, hash uint64, at int64) {
	if k.sketch != nil {
		k.estimate(hash, at)
		return
	}
	k.values[hash]++
	if k.values[hash] > 1 {
		return
	}
	k.distinct, k.grewAt = len(k.values), at
	if len(k.examples) < examples {
		k.examples = append(k.examples, clip(value, exampleLen))
	}
	if k.distinct > exactValues {
		k.toSketch()
	}
}

func (k *keyCount) toSketch() {
	k.sketch = hyperloglog.New14()
	for hash := range k.values {
		k.sketch.InsertHash(hash)
	}
	k.values = nil
}

// estimateEvery bounds the cost of a storm of new values: an estimate reads the
// whole sketch.
const estimateEvery = 256

func (k *keyCount) estimate(hash uint64, at int64) {
	k.sketch.InsertHash(hash)
	k.inserted, k.insertedAt = k.inserted+1, at
	if k.inserted >= estimateEvery {
		k.settle()
	}
}

// settle brings distinct up to date. An estimate never falls.
func (k *keyCount) settle() {
	if k.inserted == 0 {
		return
	}
	if n := int(k.sketch.Estimate()); n > k.distinct {
		k.distinct, k.grewAt = n, k.insertedAt
	}
	k.inserted = 0
}

func (k *keyCount) once() int {
	n := 0
	for _, series := range k.values {
		if series == 1 {
			n++
		}
	}
	return n
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 { // not inside a rune
		n--
	}
	return s[:n] + "…"
}

// keyStats is the cardinality of every key of every metric, in order of
// appearance. It is made anew only after new series appeared.
func (s *metricSet) keyStats() []KeyStat {
	if s.keysKnown {
		return s.keys
	}
	var out []KeyStat
	for i, m := range s.metrics {
		for _, k := range s.state[i].order {
			k.settle()
			out = append(out, KeyStat{
				Metric: m.Name, Key: k.key, Distinct: k.distinct, Exact: k.sketch == nil, Once: k.once(),
				Series: m.SeriesSeen, SeriesMax: m.SeriesInOneProcess, Examples: k.examples, Overflow: m.Overflow,
				GrewAt: k.grewAt, First: k.first,
			})
		}
	}
	s.keys, s.keysKnown = out, true
	return out
}
