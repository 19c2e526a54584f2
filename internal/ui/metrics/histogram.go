package metricsscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// bucketCells is the room for a bucket's bounds.
const bucketCells = 2*draw.NumberCells + 4

// bars is how many lines the distribution in focus would fill.
func (c *chart) bars() int {
	if g := c.focus(); g != nil {
		return len(c.spreadOf(g).Buckets())
	}
	return 0
}

// bucketLines is the buckets of the group in focus as bars, with the percentiles
// named at theirs. Of too many the emptiest ends are put together.
func (c *chart) bucketLines(height int) []string {
	g := c.focus()
	if g == nil || height <= 0 {
		return nil
	}
	d := c.spreadOf(g)
	buckets := fit(d.Buckets(), height)
	if len(buckets) == 0 {
		return strings.Split(draw.Message(c.noBuckets(d), c.size.width, height), "\n")
	}
	top := uint64(0)
	for _, b := range buckets {
		top = max(top, b.N)
	}
	names := percentilesAt(d, buckets)
	out := make([]string, 0, height)
	for i, b := range buckets {
		out = append(out, c.bucketLine(b, top, d.Count, names[i]))
	}
	return out
}

func (c *chart) bucketLine(b analysis.BucketCount, top, all uint64, names string) string {
	t := c.theme
	const counts = 16 // count, share
	bar := max(0, c.size.width-bucketCells-counts-10)
	l := draw.NewLine(c.size.width).Fit(t.Dim, boundsText(b), bucketCells, true).Space(1)
	l.Drawn(t.Accent.Render(draw.Bar(float64(b.N)/float64(top), bar, t.Glyphs)), bar)
	l.Fit(t.Plain, draw.Short(float64(b.N)), 6, true).Fit(t.Dim, draw.Percent(float64(b.N)/float64(all)), 8, true)
	return l.Add(t.Strong, "  "+names).String()
}

// boundsText is (low, high] of a bucket.
func boundsText(b analysis.BucketCount) string {
	switch {
	case b.Low == b.High:
		return draw.Number(b.Low)
	case math.IsInf(b.Low, 0) && math.IsInf(b.High, 0):
		return "any value"
	case math.IsInf(b.Low, 0):
		return "≤ " + draw.Number(b.High)
	case math.IsInf(b.High, 0):
		return "> " + draw.Number(b.Low)
	}
	return draw.Number(b.Low) + " – " + draw.Number(b.High)
}

// percentilesAt names the percentiles by the bucket they lie in.
func percentilesAt(d *analysis.Distribution, buckets []analysis.BucketCount) []string {
	out := make([]string, len(buckets))
	for _, p := range []struct {
		q    float64
		name string
	}{{0.50, "p50"}, {0.95, "p95"}, {0.99, "p99"}} {
		rank := uint64(min(max(math.Ceil(p.q*float64(d.Count)), 1), float64(d.Count)))
		for i, b := range buckets {
			if rank <= b.N {
				out[i] = strings.TrimSpace(out[i] + " " + p.name)
				break
			}
			rank -= b.N
		}
	}
	return out
}

// fit puts neighbouring buckets together until so many lines hold them.
func fit(buckets []analysis.BucketCount, lines int) []analysis.BucketCount {
	for len(buckets) > lines && lines > 0 {
		out := make([]analysis.BucketCount, 0, (len(buckets)+1)/2)
		for i := 0; i < len(buckets); i += 2 {
			b := buckets[i]
			if i+1 < len(buckets) {
				b.High, b.N = buckets[i+1].High, b.N+buckets[i+1].N
			}
			out = append(out, b)
		}
		buckets = out
	}
	return buckets
}

// noBuckets says why there are no bars.
func (c *chart) noBuckets(d *analysis.Distribution) []string {
	switch {
	case d == nil && c.window:
		return []string{"", "  What came in the last interval cannot be told of these points. " + c.keys.On(screen.Metrics, "w") + ": all of it."}
	case d == nil:
		return []string{"", "  No point of this group was kept, or each contradicts itself."}
	case d.Count == 0:
		return []string{"", "  No values yet."}
	}
	return []string{"", "  " + draw.Plural(d.Count, "value") + ", mean " + draw.Number(d.Mean) + ". They came without buckets that could be used: percentiles are unknown."}
}

// spreadText says of what the distribution is.
func (c *chart) spreadText() string {
	what := "all since each process began"
	switch {
	case c.window:
		what = "of the last interval"
	case c.answer.Metric.Temporality.String() == "delta":
		what = "of the newest point"
	}
	if g := c.focus(); g != nil {
		if d := c.spreadOf(g); d != nil && d.LeftOut > 0 {
			what += ", " + draw.Count(d.LeftOut) + " series left out"
		}
	}
	return what
}
