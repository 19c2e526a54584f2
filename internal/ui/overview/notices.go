package overviewscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// notices is what else a person should know, the gravest first, in so many lines.
func (p *page) notices(room int) {
	all := p.of.notices()
	for i, n := range all {
		if i == room-1 && len(all) > room {
			p.put("more notices", p.opens(screen.Ingest), p.label("").Add(p.theme.Dim, draw.Plural(len(all)-i, "more notice")+": "+p.keys.On("", "i")+" Ingest lists them"), "")
			return
		}
		mark, style := p.level(n.Level)
		p.said(once(i, "notes"), style, mark+" "+n.Text, p.room(1, 1, 2), "notice "+n.Code+n.Text, p.opens(placeOf(n.Code)))
	}
}

func (p *page) level(l run.Level) (string, theme.Style) {
	switch l {
	case run.Critical:
		return p.theme.Glyphs.Bad, p.theme.Bad
	case run.Warning:
		return p.theme.Glyphs.Warn, p.theme.Warn
	}
	return p.theme.Glyphs.Divider, p.theme.Dim
}

// placeOf is the screen that tells more of a notice.
func placeOf(code string) screen.Name {
	switch {
	case code == "cardinality" || code == "conventions":
		return screen.Cardinality
	case code == "topology" || code == "sizes-differ" || code == "bubble" || strings.HasPrefix(code, "tp-"):
		return screen.Topology
	case strings.HasPrefix(code, "ranks-") || code == "iterations-missing":
		return screen.Ranks
	}
	return screen.Ingest
}
