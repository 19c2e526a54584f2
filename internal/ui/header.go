package ui

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// field is one piece of the header with its weight: at narrow widths those with
// the highest number are left out.
type field struct {
	text   string
	style  theme.Style
	weight int
}

// header is one line: screen, run, state, iteration, ranks, rate, warnings, what
// the view is doing, filter.
func (a *App) header() string {
	fields := a.fields()
	for gone := 9; gone > 0 && total(fields) > a.size.width; gone-- {
		fields = without(fields, gone)
	}
	l := draw.NewLine(a.size.width)
	for i, f := range fields {
		if i > 0 {
			l.Space(2)
		}
		l.Add(f.style, f.text)
	}
	return l.String()
}

func total(fields []field) int {
	n := 2 * max(0, len(fields)-1)
	for _, f := range fields {
		n += draw.Width(draw.Clean(f.text))
	}
	return n
}

func without(fields []field, weight int) []field {
	var out []field
	for _, f := range fields {
		if f.weight != weight {
			out = append(out, f)
		}
	}
	return out
}

func (a *App) fields() []field {
	t := a.opts.Theme
	fields := []field{{a.keys.screenFor(a.top) + " " + a.screen().Title(), t.Title, 0}}
	if a.head.line.Name != "" {
		fields = append(fields, a.headline()...)
	}
	if n, ok := a.feed.rate.perSecond(); ok && a.feed.shown.Live {
		fields = append(fields, field{draw.Short(n) + " spans/s", t.Dim, 7})
	}
	if n := len(a.notices.standing); n > 0 {
		fields = append(fields, field{t.Glyphs.Warn + draw.Count(n), t.Warn, 2})
	}
	fields = append(fields, a.mode())
	fields = append(fields, a.files()...)
	if !a.filter.Empty() {
		fields = append(fields, field{"/" + a.filter.String(), t.Match, 0})
	}
	return fields
}

// headline is the run at a glance.
func (a *App) headline() []field {
	t, h := a.opts.Theme, a.head.line
	out := []field{{draw.Truncate(draw.Clean(h.Name), max(12, a.size.width/4)), t.Bar, 5}}
	if badge, style := h.Badge(t); badge != "" {
		out = append(out, field{badge, style, 1})
	}
	if h.HasIter {
		out = append(out, a.iteration())
	}
	if ranks := h.Ranks(); ranks != "" {
		out = append(out, field{ranks, t.Plain, 3})
	}
	return out
}

// sinceShown is how long ago the last iteration must be for the header to say so,
// in seconds: below, the number moves often enough to be seen moving.
const sinceShown = 10

// iteration is the furthest iteration, and how long ago it was finished when the
// next one takes longer than usual.
func (a *App) iteration() field {
	h, t := a.head.line, a.opts.Theme
	f := field{"it " + draw.Name(h.Iteration), t.Plain, 4}
	p := h.Pace
	if a.feed.shown.Clock == store.SenderClock || !(p.Since > sinceShown) || p.Since < 2*p.Usual {
		return f
	}
	f.text += " " + draw.Age(int64(p.Since*1e9)+1, 1) + " ago"
	if p.Late {
		f.style = t.Warn
	}
	return f
}

// mode is whether the view moves and, when it does, what the run in focus does, as
// the table of runs says it.
func (a *App) mode() field {
	t := a.opts.Theme
	switch {
	case a.feed.paused:
		text := t.Glyphs.Paused + " PAUSED"
		if n := a.feed.waiting(); n > 0 {
			text += " " + draw.Short(float64(n)) + " new"
		}
		return field{text, t.Warn, 0}
	case a.opts.Still, a.feed.shown.Clock == store.SenderClock && !a.feed.shown.Live:
		return field{t.Glyphs.File + " FILE", t.Accent, 0}
	case a.head.line.Name != "":
		text, style := a.head.line.StateText(t)
		return field{a.mark() + " " + capitals(text), style, 0}
	case a.feed.shown.Live:
		return field{t.Glyphs.Live + " LIVE", t.Good, 0}
	case len(a.feed.shown.Receiver.Listeners) == 0:
		return field{t.Glyphs.File + " FILE", t.Accent, 0}
	}
	return field{t.Glyphs.Missing + " IDLE", t.Dim, 0}
}

// mark stands before the state of the run: what moves, what is late, what rests.
func (a *App) mark() string {
	g, h := a.opts.Theme.Glyphs, a.head.line
	switch {
	case h.Live() && h.Pace.Late:
		return g.Warn
	case h.Live():
		return g.Live
	case h.Recorded():
		return g.File
	}
	return g.Missing
}

// capitals makes the word of a state large, not the unit behind its figure.
func capitals(state string) string {
	word, rest, _ := strings.Cut(state, " ")
	return strings.TrimRight(strings.ToUpper(word)+" "+rest, " ")
}
