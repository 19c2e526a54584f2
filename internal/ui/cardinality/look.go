package cardinalityscreen

import (
	"math"
	"strconv"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// question is what the findings depend on besides the snapshot's version.
type question struct{ run string }

// answer is what was found in one snapshot. It holds no part of the run.
type answer struct {
	run     string // "" when there is none
	now     int64
	metrics int // that have been received
	keys    []metricKey
	broken  []analysis.Broken
}

// metricKey is one attribute key of one metric; finding is nil while it has few
// values.
type metricKey struct {
	stat    store.KeyStat
	finding *analysis.Finding
}

// look finds what is to be said of the run in focus. Not for the event loop.
func look(d screen.Data) answer {
	r := d.Snapshot.Run(d.Run)
	if r == nil {
		return answer{}
	}
	a := answer{run: r.ID, now: d.Snapshot.Now, metrics: len(r.Metrics), broken: analysis.Conventions(r)}
	found := map[[2]string]*analysis.Finding{}
	list := analysis.Cardinality(d.Snapshot, r)
	for i := range list {
		found[[2]string{list[i].Metric, list[i].Key}] = &list[i]
	}
	for _, k := range r.Cardinality {
		a.keys = append(a.keys, metricKey{k, found[[2]string{k.Metric, k.Key}]})
	}
	return a
}

// stamp changes when the details of a row have to say something else.
func (a *answer) stamp(key string) string {
	for i := range a.keys {
		if k := &a.keys[i]; k.key() == key {
			return strconv.Itoa(k.stat.Distinct) + " " + strconv.Itoa(k.stat.Series) + " " + k.grew(a.now)
		}
	}
	for i := range a.broken {
		if brokenKey(&a.broken[i]) == key {
			return strconv.Itoa(a.broken[i].Count)
		}
	}
	return ""
}

// worst is how many keys have too many values.
func (a *answer) worst() (n int) {
	for i := range a.keys {
		if a.keys[i].finding != nil {
			n++
		}
	}
	return n
}

// key is the identity of a metric key.
func (k *metricKey) key() string { return "metric\x00" + k.stat.Metric + "\x00" + k.stat.Key }

// unbounded reports that nearly every value is new.
func (k *metricKey) unbounded() bool { return k.finding != nil && k.finding.Unbounded }

// rate is new values a minute, from the first value to the last new one; NaN when
// all came at once.
func (k *metricKey) rate() float64 {
	took := float64(k.stat.GrewAt-k.stat.First) / 60e9
	if !(took > 0) || k.stat.Distinct < 2 {
		return math.NaN()
	}
	return float64(k.stat.Distinct-1) / took
}

// stillFor is for how many nanoseconds after its last new value a key counts as
// growing, as for analysis.Cardinality.
const stillFor = 60e9

// grew is how fast it grew while it did, and for how long it has not since.
func (k *metricKey) grew(now int64) string {
	rate := k.rate()
	switch {
	case k.stat.Distinct < 2:
		return ""
	case math.IsNaN(rate):
		return "at once"
	case now-k.stat.GrewAt > stillFor:
		return "not for " + draw.Age(now, k.stat.GrewAt)
	}
	return perMinute(rate)
}

func perMinute(rate float64) string {
	if rate < 10 {
		return strconv.FormatFloat(rate, 'f', 1, 64) + "/min"
	}
	return draw.Short(rate) + "/min"
}
