package uitest

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// The cells of a picture, in its units.
const (
	cellWidth, cellHeight = 8.4, 18
	fontSize              = 14
	margin                = 12
	paper, pencil         = "#16181d", "#d4d7dd"
)

// pen is how a cell is drawn.
type pen struct {
	fg, bg                          string
	bold, faint, underline, reverse bool
}

// SVG is a picture of a view of width cells, with the styles of a true-colour
// theme. Equal views make equal pictures.
func SVG(view string, width int) string {
	lines := strings.Split(strings.TrimRight(view, "\n"), "\n")
	w, h := float64(width)*cellWidth+2*margin, float64(len(lines))*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="%d">`+"\n", number(w), number(h), fontSize)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", paper)
	var p pen
	for row, line := range lines {
		p = svgLine(&b, line, row, p)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// svgLine draws one line from a pen, and returns the pen behind it.
func svgLine(b *strings.Builder, line string, row int, p pen) pen {
	column := 0
	for line != "" {
		if rest, ok := strings.CutPrefix(line, "\x1b["); ok {
			codes, after, _ := strings.Cut(rest, "m")
			p.take(codes)
			line = after
			continue
		}
		text := line
		if i := strings.IndexByte(line, '\x1b'); i >= 0 {
			text = line[:i]
		}
		line = line[len(text):]
		column = svgText(b, text, row, column, p)
	}
	return p
}

// svgText draws a text in one pen: its ground, then word by word, each in its
// place, so that a font whose cells differ does not shift what follows.
func svgText(b *strings.Builder, text string, row, column int, p pen) int {
	fg, bg := p.colours()
	y := margin + float64(row)*cellHeight
	width := draw.Width(text)
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%d" fill="%s"/>`+"\n", number(x(column)), number(y), number(float64(width)*cellWidth), cellHeight, bg)
	}
	var word strings.Builder
	at := column
	flush := func(end int) {
		if word.Len() > 0 {
			fmt.Fprintf(b, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`+"\n", number(x(at)), number(y+13.5),
				number(float64(end-at)*cellWidth), fg, p.attributes(), html.EscapeString(word.String()))
			word.Reset()
		}
	}
	for g := uniseg.NewGraphemes(text); g.Next(); {
		s := g.Str()
		if s == " " {
			flush(column)
			column++
			continue
		}
		if word.Len() == 0 {
			at = column
		}
		word.WriteString(s)
		column += draw.Width(s)
	}
	flush(column)
	return column
}

func x(column int) float64 { return margin + float64(column)*cellWidth }

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// take applies the parameters of one SGR sequence.
func (p *pen) take(codes string) {
	f := strings.Split(codes, ";")
	for i := 0; i < len(f); i++ {
		switch f[i] {
		case "", "0":
			*p = pen{}
		case "1":
			p.bold = true
		case "2":
			p.faint = true
		case "4":
			p.underline = true
		case "7":
			p.reverse = true
		case "38", "48":
			if i+4 >= len(f) || f[i+1] != "2" {
				return
			}
			colour := rgb(f[i+2 : i+5])
			if f[i] == "38" {
				p.fg = colour
			} else {
				p.bg = colour
			}
			i += 4
		}
	}
}

func rgb(parts []string) string {
	var c int
	for _, s := range parts {
		n, _ := strconv.Atoi(s) // the theme writes numbers
		c = c<<8 | n&0xff
	}
	return fmt.Sprintf("#%06x", c)
}

// colours is ink and ground; no ground is "".
func (p *pen) colours() (fg, bg string) {
	fg, bg = p.fg, p.bg
	if fg == "" {
		fg = pencil
	}
	if p.reverse {
		if bg == "" {
			bg = paper
		}
		return bg, fg
	}
	return fg, bg
}

func (p *pen) attributes() string {
	out := ""
	if p.bold {
		out += ` font-weight="bold"`
	}
	if p.faint {
		out += ` opacity="0.7"`
	}
	if p.underline {
		out += ` text-decoration="underline"`
	}
	return out
}
