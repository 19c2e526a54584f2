package analysis

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Quantity is one quantity of the training, whatever the names that it was sent
// under.
type Quantity struct {
	ID     string   // stable word, as "loss" or "rl.reward": see QuantityIDs
	Title  string   // for a person: "loss"
	Unit   string   // of all figures: "s", "GB", "token/s", "" for a plain number
	Name   string   // the metric or span event that it was read from
	Event  bool     // Name is a span event
	Others []string // other names that carry the same quantity in this run; they are not mixed in
	RL     bool     // of a reinforcement-learning loop: never stands in for the quantity of the same title
	Global bool     // every rank sends the world's value: never to be summed over ranks
	Read   Reading  // what a point is
	Series []QuantitySeries
	Line   []Point // over the ranks, oldest first: see Over
	Total  float64 // of a counter: over the ranks, or of one where it is global; NaN for what does not count
	Over   string  // how Line comes about: "rank 7", "median of 8 ranks", "largest of 8 ranks"
	PointStats
	Distribution *Distribution // of histograms, over all series that fit together; nil for other kinds
}

// QuantitySeries is the points of one process. Attrs tells series of one process
// apart.
type QuantitySeries struct {
	Process int    // in the run
	Rank    int    // run.Unknown when not sent
	Label   string // "rank 3", or the host where there is no rank
	Points  []Point
	Total   float64 // what a counter has counted so far; NaN for what does not count
	PointStats
}

// Has reports whether there is anything to show.
func (q *Quantity) Has() bool { return len(q.Series) > 0 }

// Find is the quantity with that id, nil when the run does not send it.
func Find(qs []Quantity, id string) *Quantity {
	if i := slices.IndexFunc(qs, func(q Quantity) bool { return q.ID == id }); i >= 0 {
		return &qs[i]
	}
	return nil
}

// QuantityIDs are the ids in the order in which Quantities lists them.
func QuantityIDs() []string {
	var out []string
	for _, row := range quantityTable() {
		out = append(out, row.id)
	}
	return out
}

// Quantities are the quantities that the run sends, of the processes that the
// filter lets through. Of several names of one quantity the first in the table
// that has a number counts: rl.* and dl.* series never stand in for each other.
func Quantities(sc Scope) []Quantity {
	byName := metricsByName(sc.Run)
	events := eventPoints(sc)
	rows := quantityTable()
	out := make([]Quantity, len(rows))
	inParallel(len(rows), func(i int) { out[i], _ = rows[i].read(sc, byName, events) })
	return slices.DeleteFunc(out, func(q Quantity) bool { return q.Name == "" })
}

func metricsByName(r *store.Run) map[string]*store.Metric {
	m := make(map[string]*store.Metric, len(r.Metrics))
	for _, x := range r.Metrics {
		m[x.Name] = x
	}
	return m
}

// read takes the quantity from the first of its sources that has points; those
// with a finite one come first.
func (row *quantityRow) read(sc Scope, byName map[string]*store.Metric, events map[string][]QuantitySeries) (Quantity, bool) {
	var best Quantity
	var names []string
	for _, src := range row.sources {
		q, ok := row.from(sc, src, byName, events)
		if !ok {
			continue
		}
		names = append(names, src.name)
		if best.Name == "" || best.Finite == 0 && q.Finite > 0 {
			best = q
		}
	}
	if best.Name == "" {
		return Quantity{}, false
	}
	best.Others = slices.DeleteFunc(names, func(n string) bool { return n == best.Name })
	best.Line, best.Over = lineOf(best.Series, row.largest)
	return best, true
}

func (row *quantityRow) from(sc Scope, src source, byName map[string]*store.Metric, events map[string][]QuantitySeries) (Quantity, bool) {
	q := Quantity{ID: row.id, Title: row.title, Unit: row.unit, Name: src.name, RL: row.rl, Global: row.global, Event: src.event}
	if src.event {
		q.Series = events[src.name]
	} else if m := byName[src.name]; m != nil {
		q.Read = ReadingOf(m)
		q.Series = seriesOf(sc, m, src.scale)
		q.Distribution = distributionOf(sc, m, src.scale)
	}
	q.Total = math.NaN()
	for i := range q.Series {
		s := &q.Series[i]
		q.PointStats.add(s.PointStats)
		switch {
		case math.IsNaN(q.Total):
			q.Total = s.Total
		case row.global:
			q.Total = higher(q.Total, s.Total)
		case !math.IsNaN(s.Total):
			q.Total += s.Total
		}
	}
	return q, len(q.Series) > 0
}
