package metricsscreen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// some is a gauge of 8 ranks with values at random, some of them not finite and
// some gaps, and what a person would reckon by hand of each rank.
type handmade struct {
	newest, low, high, mean float64
	points, bad, gaps       int
}

const noValue = 1 // the flag of a point without a recorded value

func some(f *feed, seed uint64) map[string]*handmade {
	dice := rand.New(rand.NewPCG(seed, 3))
	out := map[string]*handmade{}
	for rank := range 8 {
		h := &handmade{newest: math.NaN(), low: math.Inf(1), high: math.Inf(-1)}
		var points []otlp.DataPoint
		sum, n := 0.0, 0
		for i := range 40 {
			v := math.Round(1000*dice.NormFloat64()) / 10
			p := pt(10*i+1, v)
			switch dice.IntN(12) {
			case 0:
				v, p = math.NaN(), pt(10*i+1, math.NaN())
			case 1:
				p.Flags = noValue
				h.gaps++
				points = append(points, p)
				h.points++
				continue
			}
			points = append(points, p)
			h.points++
			h.newest = v
			if math.IsNaN(v) {
				h.bad++
				continue
			}
			h.low, h.high = min(h.low, v), max(h.high, v)
			sum, n = sum+v, n+1
		}
		h.mean = sum / float64(n)
		f.send(trainer(rank), gauge("m"), points...)
		out[fmt.Sprintf("rank %d", rank)] = h
	}
	return out
}

func TestFiguresAreThoseReckonedByHand(t *testing.T) {
	for seed := range uint64(5) {
		f := newFeed(t)
		want := some(f, seed)
		m := open(t, f.Snapshot(), "")
		c := chartOf(t, m, "m")
		c.groupBy(m, "rank")
		if len(c.groups) != 8 {
			t.Fatalf("%d groups", len(c.groups))
		}
		for _, g := range c.groups {
			h := want[g.Label]
			if h == nil {
				t.Fatalf("a group %q", g.Label)
			}
			for column, v := range map[string]float64{"newest": h.newest, "min": h.low, "max": h.high, "mean": h.mean, "points": float64(h.points),
				"bad": float64(h.bad), "gaps": float64(h.gaps), "resets": 0, "series": 1, "p50": math.NaN(), "count": math.NaN()} {
				if got := c.figure(g, column); math.Abs(got-v) > 1e-9 && !(math.IsNaN(got) && math.IsNaN(v)) {
					t.Errorf("seed %d, %s, %s: %v, want %v", seed, g.Label, column, got, v)
				}
			}
		}
	}
}

// Every column sorts its rows by the figures it shows, what has none last in both
// directions, and turning the order twice is as before.
func TestEveryColumnSorts(t *testing.T) {
	f := newFeed(t)
	some(f, 9)
	f.send(trainer(8), gauge("m"), pt(1, math.NaN())) // a rank without any finite value
	m := open(t, f.Snapshot(), "")
	m.SetSize(220, 50)
	c := chartOf(t, m, "m")
	c.groupBy(m, "rank")
	for _, col := range c.columns() {
		if !col.Sortable || col.ID == "label" {
			continue
		}
		var order [2][]string
		for turn, desc := range []bool{true, false} {
			c.table.SetSort(draw.Sort{Column: col.ID, Desc: desc})
			c.arrange()
			var have []float64
			none := false
			for _, g := range c.groups {
				v := c.figure(g, col.ID)
				order[turn] = append(order[turn], g.Label)
				if math.IsNaN(v) {
					none = true
				} else if none {
					t.Errorf("%s, descending %v: %v stands behind what has no value", col.ID, desc, v)
				} else {
					have = append(have, v)
				}
			}
			if desc {
				slices.Reverse(have)
			}
			if !slices.IsSorted(have) {
				t.Errorf("%s, descending %v: %v", col.ID, desc, have)
			}
		}
		c.table.SetSort(draw.Sort{Column: col.ID, Desc: true})
		c.arrange()
		var again []string
		for _, g := range c.groups {
			again = append(again, g.Label)
		}
		if d := cmp.Diff(order[0], again); d != "" {
			t.Errorf("%s, turned twice (-want +got):\n%s", col.ID, d)
		}
	}
}

// However one zooms and moves, the part that is drawn lies inside the time of the
// points, holds the cursor, and is never shorter than a second.
func TestZoomAndCursorStayInside(t *testing.T) {
	f := newFeed(t)
	some(f, 4)
	m := open(t, f.Snapshot(), "")
	c := chartOf(t, m, "m")
	dice := rand.New(rand.NewPCG(8, 1))
	keys := []string{"+", "+", "-", "z", "left", "right", "<", ">", "$"}
	for range 400 {
		k := keys[dice.IntN(len(keys))]
		uitest.Press(m, k)
		first, last := c.extent()
		from, to := c.span()
		if from < first-1 || to > last+1 || !(to > from) || to-from < minZoom && to-from < last-first {
			t.Fatalf("after %q: drawn %v … %v of %v … %v", k, from, to, first, last)
		}
		if at := c.at(); at < from-1 || at > to+1 {
			t.Fatalf("after %q: the cursor at %v is outside of %v … %v", k, at, from, to)
		}
		if p := c.plot(); p.Y0 > p.Y1 {
			t.Fatalf("after %q: from %v up to %v", k, p.Y0, p.Y1)
		}
	}
}

// The value at the cursor is that of the newest point at or before it, read off by a
// plain loop.
func TestValueAtTheCursor(t *testing.T) {
	f := newFeed(t)
	some(f, 6)
	m := open(t, f.Snapshot(), "")
	c := chartOf(t, m, "m")
	c.groupBy(m, "rank")
	for range 60 {
		uitest.Press(m, "left")
		for _, g := range c.groups {
			want, word := math.NaN(), ""
			for _, p := range c.linesOf(g)[0].Points {
				if float64(p.Time) > c.at() {
					break
				}
				want, word = p.Value, ""
				if p.Marks != 0 {
					want, word = math.NaN(), "odd"
				}
			}
			got, said := c.valueAt(g)
			if (word == "") != (said == "") || word == "" && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%s at %v: %v %q, want %v %q", g.Label, c.at(), got, said, want, word)
			}
		}
	}
}

// Percentiles of buckets: between the bounds of their bucket, in order, and within
// what was sent.
func TestPercentilesAreInOrder(t *testing.T) {
	dice := rand.New(rand.NewPCG(2, 7))
	for range 40 {
		f := newFeed(t)
		bounds := []float64{1, 2, 5, 10, 20, 50}
		counts := make([]uint64, len(bounds)+1)
		n := uint64(0)
		for i := range counts {
			counts[i] = uint64(dice.IntN(30))
			n += counts[i]
		}
		counts[0], n = counts[0]+1, n+1
		f.send(trainer(0), histogram("h"), otlp.DataPoint{Start: uitest.Start, Time: uitest.Start + 9*sec, Count: n, Buckets: otlp.Buckets{Bounds: bounds, Counts: counts}})
		m := open(t, f.Snapshot(), "")
		c := chartOf(t, m, "h")
		d := c.spreadOf(c.groups[0])
		if got := c.figure(c.groups[0], "count"); got != float64(n) {
			t.Errorf("count %v of %d", got, n)
		}
		last := math.Inf(-1)
		for _, q := range []float64{0.01, 0.25, 0.5, 0.75, 0.95, 0.99, 1} {
			v, low, high := d.Quantile(q)
			want := bucketOf(counts, uint64(math.Ceil(q*float64(n))))
			if want > 0 && low != bounds[want-1] || want < len(bounds) && high != bounds[want] {
				t.Errorf("%v of %v: in %v … %v, want bucket %d", q, counts, low, high, want)
			}
			if !math.IsNaN(v) && (v < low || v > high || v < last) {
				t.Errorf("%v of %v: %v is outside of %v … %v, or below %v", q, counts, v, low, high, last)
			}
			if !math.IsNaN(v) {
				last = v
			}
		}
	}
}

// bucketOf is the bucket that holds the k-th value, by nearest rank.
func bucketOf(counts []uint64, k uint64) int {
	for i, n := range counts {
		if k <= n {
			return i
		}
		k -= n
	}
	return len(counts) - 1
}
