package theme

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Options say what the terminal can do. The zero Options are the plainest:
// no colours, Unicode glyphs, a light background.
type Options struct {
	Profile Profile
	Dark    bool
	ASCII   bool // LANG=C: nothing beyond ASCII is drawn
}

// Theme is every style, glyph and shade there is. It is a value: copy it.
type Theme struct {
	Options
	Glyphs Glyphs

	Plain    Style // text
	Dim      Style // less important text, units, empty values
	Strong   Style // what the eye should find first
	Title    Style // name of a screen or pane
	Heading  Style // column headings
	Accent   Style // identities: run, rank, names
	Good     Style
	Warn     Style
	Bad      Style
	Selected Style // the cursor's row, with Glyphs.Cursor beside it
	Match    Style // search hits
	Group    Style // group rows
	Key      Style // keys in the footer and in help
	Bar      Style // header line

	BadgeGood, BadgeWarn, BadgeBad, BadgeInfo Style // states; the word stands in it

	Compute, Wait, IO, Other Style // classes of a step's time, with Glyphs of the same name

	shades []Shade
	lip    *lipgloss.Renderer
}

// New makes the theme for a terminal.
func New(o Options) Theme {
	t := Theme{Options: o, Glyphs: unicodeGlyphs(), lip: renderer(o)}
	if o.ASCII {
		t.Glyphs = asciiGlyphs()
	}
	t.texts(inks())
	t.meanings(inks())
	t.shades = makeShades(o)
	return t
}

// renderer is lipgloss told what the terminal can do, so that it never asks.
func renderer(o Options) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetHasDarkBackground(o.Dark)
	r.SetColorProfile(map[Profile]termenv.Profile{
		None: termenv.Ascii, ANSI16: termenv.ANSI, ANSI256: termenv.ANSI256, TrueColor: termenv.TrueColor,
	}[o.Profile])
	return r
}

func (t *Theme) style(l look) Style { return l.make(t.Profile, t.Dark) }

func (t *Theme) texts(k palette) {
	t.Dim = t.style(look{fg: k.dim})
	if t.Profile == ANSI16 { // bright black is the background of some palettes
		t.Dim = t.style(look{faint: true})
	}
	t.Strong = t.style(look{bold: true})
	t.Title = t.style(look{bold: true, fg: k.accent})
	t.Heading = t.style(look{underline: true, fg: k.dim})
	if t.Profile == ANSI16 {
		t.Heading = t.style(look{underline: true})
	}
	t.Accent = t.style(look{fg: k.accent})
	t.Group = t.style(look{bold: true, fg: k.accent})
	t.Key = t.style(look{bold: true})
	t.Bar = t.style(look{bold: true})
	t.Selected = t.style(look{fg: k.selectedText, bg: k.selected})
	if t.Profile == ANSI16 {
		t.Selected = t.style(look{reverse: true})
	}
	t.Match = t.style(look{fg: k.black, bg: k.match, bold: true})
}

func (t *Theme) meanings(k palette) {
	t.Good = t.style(look{fg: k.good})
	t.Warn = t.style(look{fg: k.warn})
	t.Bad = t.style(look{fg: k.bad, bold: true})
	t.BadgeGood = t.style(look{fg: k.good, reverse: true, bold: true})
	t.BadgeWarn = t.style(look{fg: k.warn, reverse: true, bold: true})
	t.BadgeBad = t.style(look{fg: k.bad, reverse: true, bold: true})
	t.BadgeInfo = t.style(look{fg: k.accent, reverse: true, bold: true})
	t.Compute = t.style(look{fg: k.good})
	t.Wait = t.style(look{fg: k.warn})
	t.IO = t.style(look{fg: k.accent})
	t.Other = t.style(look{fg: k.other})
}
