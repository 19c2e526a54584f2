package overviewscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// quantity is one thing that the training reports, as it is drawn.
type quantity struct {
	title, unit string
	last        float64 // NaN when it is none, or not a number
	values      []float64
	odd         []bool // not finite
	notFinite   int
	over        string
}

// quantitiesOf is what the run reports of itself, the telling ones first.
func quantitiesOf(sc analysis.Scope) []quantity {
	all := analysis.Quantities(sc)
	var out []quantity
	for _, id := range []string{"loss", "grad_norm", "learning_rate", "tokens_per_sec", "rl.reward", "rl.kl_divergence", "rl.policy_loss", "tflops", "memory", "rl.tokens_per_sec"} {
		if q := analysis.Find(all, id); q != nil && len(q.Line) > 0 {
			out = append(out, quantityOf(q))
		}
	}
	return out
}

func quantityOf(q *analysis.Quantity) quantity {
	out := quantity{title: q.Title, unit: q.Unit, last: math.NaN(), over: q.Over}
	for _, p := range q.Line {
		v := p.Value
		if p.Marks.Has(analysis.Gap) {
			v = math.NaN()
		} else {
			out.last = p.Value
		}
		odd := p.Marks.Has(analysis.NotFinite)
		out.values, out.odd = append(out.values, v), append(out.odd, odd)
		out.notFinite += b2i(odd)
	}
	return out
}

// quantityCells is the least that a quantity is shown in, besides its line.
const (
	titleCells    = 14
	quantityLeast = 38
)

// training is what the training reports: the last value of each, and how it went.
func (p *page) training() {
	all := p.of.slow.quantities
	if len(all) == 0 {
		p.said("train", p.theme.Dim, "no loss, gradient norm, learning rate or tokens/s was sent as a metric", 1, "train", p.opens(screen.Metrics))
		return
	}
	columns := max(1, min(p.width/quantityLeast, 4))
	if p.size.height >= tallest {
		columns = min(columns, 2)
	}
	all = all[:min(len(all), columns*p.room(2, 3, 4))]
	if p.width < quantityLeast*2 {
		all = all[:min(len(all), 4)]
	}
	for i := 0; i < len(all); i += columns {
		l := draw.NewLine(p.width)
		var text []string
		for k := range columns {
			if i+k < len(all) {
				l.To(k * (p.width / columns))
				p.quantity(l, &all[i+k], (k+1)*(p.width/columns)-2)
				text = append(text, all[i+k].title+" "+draw.Number(all[i+k].last)+" "+all[i+k].unit)
			}
		}
		p.put("train "+all[i].title, p.opens(screen.Metrics), l, strings.Join(text, "  "))
	}
}

// quantity draws one into the cells up to a column.
func (p *page) quantity(l *draw.Line, q *quantity, end int) {
	title := titleCells
	if end-l.Used() < quantityLeast-2 {
		title = 10
	}
	l.Fit(p.theme.Dim, q.title, title, false)
	style := p.theme.Strong
	if math.IsNaN(q.last) || math.IsInf(q.last, 0) {
		style = p.theme.Bad
	}
	l.Fit(style, draw.Number(q.last), draw.NumberCells, true).Space(1)
	odd := ""
	if q.notFinite > 0 {
		odd = " " + p.theme.Glyphs.Bad + draw.Short(float64(q.notFinite)) + " NaN"
	}
	p.spark(l, q, end-l.Used()-draw.Width(odd))
	l.Add(p.theme.Bad, odd)
}

// steady is the least share of a value that the height of its line is: what does
// not move shall not look as if it did.
const steady = 0.02

// spark is the newest values as a line, with marks where one is no number.
func (p *page) spark(l *draw.Line, q *quantity, width int) {
	if width <= 0 {
		return
	}
	n := min(len(q.values), width)
	odd := q.odd[len(q.odd)-n:]
	text := []rune(draw.SteadySparkline(q.values, width, steady, p.theme.Glyphs))
	for i, r := range text {
		if k := i - (len(text) - n); k >= 0 && odd[k] {
			l.Add(p.theme.Bad, p.theme.Glyphs.Bad)
			continue
		}
		l.Add(p.theme.Good, string(r))
	}
}
