package cardinalityscreen

import (
	"fmt"
	"math"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// facts is all that is known of the row in focus, and what to do about it.
func (m *Model) facts() []draw.Fact {
	at, ok := m.focus()
	switch {
	case !ok:
		return nil
	case at.group:
		return []draw.Fact{{Style: m.theme.Strong, Text: at.title}, {Style: m.theme.Dim, Text: "The rows below it have details."}}
	case at.broken != nil:
		return m.brokenFacts(at.broken)
	}
	return m.keyFacts(at.metric)
}

// teller collects facts.
type teller struct {
	m   *Model
	out []draw.Fact
}

func (t *teller) head(text string) {
	t.out = append(t.out, draw.Fact{Style: t.m.theme.Strong, Text: text})
}

func (t *teller) value(name, text string) {
	if text != "" {
		t.out = append(t.out, draw.Fact{Style: t.m.theme.Plain, Name: name, Text: text})
	}
}

func (t *teller) examples(list []string) {
	for i, e := range list {
		if e == "" {
			e = "(empty)"
		}
		t.value(fmt.Sprintf("example %d", i+1), e)
	}
}

func (m *Model) keyFacts(k *metricKey) []draw.Fact {
	t := teller{m: m}
	t.head(k.stat.Key + " on metric " + k.stat.Metric)
	if f := k.finding; f != nil {
		t.out = append(t.out, draw.Fact{Style: shownRows(m).levelStyle(int(f.Level)), Text: m.theme.Glyphs.Warn + " " + f.Word() + ": " + f.Reason})
	}
	if k.finding != nil { // first what the hint of Enter promises
		t.advise(k)
	}
	t.value("values", valuesWords(k))
	if k.stat.Exact && k.stat.Distinct > 1 {
		t.value("seen once", draw.Count(k.stat.Once)+" of them, "+draw.Percent(float64(k.stat.Once)/float64(k.stat.Distinct)))
	}
	t.value("series", draw.Count(k.stat.SeriesMax)+" in one process at most, "+draw.Count(k.stat.Series)+" in all")
	t.value("growth", growthWords(k, m.seen.now))
	t.value("overflow", map[bool]string{true: "otel.metric.overflow=true was received: the sender folds series together"}[k.stat.Overflow])
	t.examples(k.stat.Examples)
	if k.finding == nil {
		t.advise(k)
	}
	return t.out
}

func (t *teller) advise(k *metricKey) {
	t.head("what to do")
	for _, line := range steps(k, t.m.data.Keys) {
		t.out = append(t.out, draw.Fact{Style: t.m.theme.Plain, Text: "  " + line})
	}
}

func shownRows(m *Model) rows { return rows{theme: m.theme, now: m.seen.now} }

func valuesWords(k *metricKey) string {
	if k.stat.Exact {
		return draw.Count(k.stat.Distinct) + ", exact"
	}
	return "about " + draw.Count(k.stat.Distinct) + ", estimated: within a few percent"
}

// growthWords is how fast values came, from the first to the last new one, and
// how long ago that was.
func growthWords(k *metricKey, now int64) string {
	rate := k.rate()
	switch {
	case k.stat.Distinct < 2:
		return "one value so far"
	case math.IsNaN(rate):
		return "all values came at once"
	}
	text := perMinute(rate) + " on average over " + draw.Duration(float64(k.stat.GrewAt-k.stat.First))
	if k.unbounded() {
		text += ", and nearly every value is new: it has no bound"
	}
	return text + "; last new value " + ago(now, k.stat.GrewAt)
}

func ago(now, then int64) string {
	if age := draw.Age(now, then); age != "now" {
		return age + " ago"
	}
	return "just now"
}

// adviceFor is what to do in a few words.
func adviceFor(k *metricKey) string {
	switch {
	case k.finding == nil:
		return ""
	case k.stat.Overflow:
		return "drop the key in a View of the SDK"
	}
	return analysis.Advice
}

// steps is what to do about a key, in order.
func steps(k *metricKey, keys screen.Keys) []string {
	if k.finding == nil {
		return []string{"Nothing: tens of values are what an attribute of a metric is for."}
	}
	view := fmt.Sprintf("Or drop it before it is sent: a View on %s in the SDK that keeps the other attribute keys only.", k.stat.Metric)
	out := []string{
		fmt.Sprintf("Every value of %s makes a series of its own in every process: memory in the sender, here and wherever it is kept.", k.stat.Key),
		fmt.Sprintf("Put %s on a span instead: Spans groups by it (%s) and the filter finds it (%s %s=…).",
			k.stat.Key, keys.On(screen.Spans, "b"), keys.On("", "/"), k.stat.Key),
		view,
	}
	if k.stat.Overflow {
		out = append(out, "Until then do not trust its series: those beyond the sender's limit (2,000 by default) are summed up in one.")
	}
	return out
}

func (m *Model) brokenFacts(b *analysis.Broken) []draw.Fact {
	t := teller{m: m}
	t.head(b.Name)
	t.out = append(t.out, draw.Fact{Style: shownRows(m).levelStyle(int(b.Level)), Text: m.theme.Glyphs.Warn + " " + levelWord(int(b.Level)) + ": " + b.Text()})
	t.value("where", b.Where)
	t.value("on", b.On)
	if b.Count > 0 {
		t.value("how many", draw.Count(b.Count))
	}
	t.examples(b.Examples)
	t.head("what to do")
	for _, line := range append([]string{b.Advice}, whyOf(b)...) {
		t.out = append(t.out, draw.Fact{Style: m.theme.Plain, Text: "  " + line})
	}
	return t.out
}

// whyOf is why it matters, by the convention.
func whyOf(b *analysis.Broken) []string {
	switch b.Code {
	case analysis.UnknownKey:
		return []string{"Under this name nothing finds it: not the rank grid, not the filter's short keys, not other tools."}
	case analysis.VaryingDouble:
		return []string{"A number on spans is seen span by span; as a metric it has a chart, percentiles and gaps in Metrics."}
	case analysis.IDsInNames:
		return []string{"Statistics are by name: with an id in it every span is a group of its own. Put the id into an attribute."}
	}
	return nil
}
