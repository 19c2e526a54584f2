package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// View is the whole terminal. It is drawn anew only after something changed.
func (a *App) View() string {
	if a.frame.stale {
		a.frame.view, a.frame.stale = a.draw(), false
	}
	return a.frame.view
}

func (a *App) draw() string {
	l := a.layout()
	if l.tooSmall {
		return a.tooSmall()
	}
	lines := append([]string{a.header()}, strings.Split(a.screen().View(), "\n")...)
	lines = append(lines, a.noticeLines()[:l.notice]...)
	if a.over != nil {
		overdraw(lines[1:], a.over.lines(a.size.width, len(lines)-1))
	}
	view := strings.Join(trimmed(append(lines, a.footer())), "\n")
	if a.opts.Theme.ASCII {
		return draw.ASCII(view)
	}
	return view
}

// trimmed leaves out blanks at the ends of lines: the renderer clears the rest of
// a line with three bytes, which is what a slow ssh should carry.
func trimmed(lines []string) []string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return lines
}

// overdraw replaces the last lines.
func overdraw(lines, over []string) {
	over = over[max(0, len(over)-len(lines)):]
	copy(lines[len(lines)-len(over):], over)
}

func (a *App) tooSmall() string {
	if a.size.width <= 0 || a.size.height <= 0 {
		return ""
	}
	text := fmt.Sprintf("terminal too small (need %dx%d)", minWidth, minHeight)
	lines := []string{draw.NewLine(a.size.width).Text(text).String()}
	if w := a.size.width; w < len(text) && a.size.height > 1 {
		lines = []string{draw.NewLine(w).Text("too small").String(),
			draw.NewLine(w).Text(fmt.Sprintf("need %dx%d", minWidth, minHeight)).String()}
	}
	return draw.Block(lines, a.size.width, a.size.height)
}

// noticeLines is the answer to the last key, whole, else a standing warning in one
// line.
func (a *App) noticeLines() []string {
	t := a.opts.Theme
	mark := t.Glyphs.Warn + " "
	switch text := a.notices.line(a.keys.screenFor(screen.Ingest)); {
	case text == "":
		return nil
	case a.notices.said == "":
		l := draw.NewLine(a.size.width)
		hides := a.keys.back.Help().Key + " hides"
		l.Add(t.Warn, a.standing(mark, max(0, l.Left()-draw.Width(hides)-1)))
		return []string{l.Right(t.Dim, hides).String()}
	default:
		var lines []string
		for _, part := range draw.Wrap(mark+text, a.size.width) {
			lines = append(lines, draw.NewLine(a.size.width).Add(t.Warn, part).String())
		}
		return lines
	}
}

// standing is the gravest warning in so many cells. One that is cut ends with the
// key of the screen that has it whole.
func (a *App) standing(mark string, width int) string {
	open := a.notices.open()
	whole := mark + draw.Clean(a.notices.line(a.keys.screenFor(screen.Ingest)))
	if draw.Width(whole) <= width || len(open) == 0 {
		return whole
	}
	end := " (" + a.keys.screenFor(whereWhole(open[0])) + ")"
	if len(open) > 1 {
		end += fmt.Sprintf(" +%d: %s", len(open)-1, a.keys.screenFor(screen.Ingest))
	}
	return draw.Truncate(mark+draw.Clean(open[0].Text), max(0, width-draw.Width(end))) + end
}

// whereWhole is the screen that lists a warning with all its words.
func whereWhole(n run.Notice) screen.Name {
	if n.Code == "cardinality" {
		return screen.Cardinality
	}
	return screen.Ingest
}

// footerKeys is how many keys of the screen the footer shows.
const footerKeys = 5

// footerWide is from what width on the footer names keys of the program too.
const footerWide = 140

func (a *App) footer() string {
	t := a.opts.Theme
	help := a.keys.help.Help().Key + " help"
	keys := a.short()
	if a.over != nil {
		keys = a.over.keys()
	}
	l := draw.NewLine(a.size.width - draw.Width(help) - 1)
	for _, b := range keys[:min(len(keys), footerKeys)] {
		h := b.Help()
		if draw.Width(h.Key)+1+draw.Width(h.Desc)+2 > l.Left() {
			continue
		}
		l.Add(t.Key, h.Key).Add(t.Dim, " "+h.Desc+"  ")
	}
	if a.over == nil && a.size.width >= footerWide {
		a.everywhere(l)
	}
	if a.over != nil {
		return draw.NewLine(a.size.width).Drawn(l.String(), a.size.width-draw.Width(help)-1).String()
	}
	return draw.NewLine(a.size.width).Drawn(l.String(), a.size.width-draw.Width(help)-1).
		Add(theme.Style{}, " ").Add(t.Key, a.keys.help.Help().Key).Add(t.Dim, " help").String()
}

// everywhere adds the keys that work on every screen, as far as they fit.
func (a *App) everywhere(l *draw.Line) {
	t := a.opts.Theme
	for _, k := range []struct {
		key  key.Binding
		word string
	}{{a.keys.filter, "filter"}, {a.keys.command, "command"}, {a.keys.pause, "pause"}, {a.keys.quit, "back"}} {
		name := k.key.Help().Key
		if name != "" && k.key.Enabled() && draw.Width(name)+1+len(k.word)+2 <= l.Left() {
			l.Add(t.Key, name).Add(t.Dim, " "+k.word+"  ")
		}
	}
}
