package theme

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Style is one look as two ready-made strings, put around a text. The zero
// Style adds nothing. Styles do not nest: see Within.
type Style struct {
	on, off string
	look    look
}

// Render puts the style around s. An empty s stays empty.
func (s Style) Render(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + text + s.off
}

// Within renders s inside a text that is drawn in base: after it, base goes on.
func (s Style) Within(base Style, text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return base.off + s.on + text + s.off + base.on
}

// Write appends the styled text to b, without another string in between.
func (s Style) Write(b *strings.Builder, text string) {
	if s.on == "" || text == "" {
		b.WriteString(text)
		return
	}
	b.WriteString(s.on)
	b.WriteString(text)
	b.WriteString(s.off)
}

// On and Off are what stands before and after a text in this style.
func (s Style) On() string { return s.on }

// Off ends the style.
func (s Style) Off() string { return s.off }

// IsPlain reports whether the style adds nothing.
func (s Style) IsPlain() bool { return s.on == "" }

// Lipgloss is the same look for widgets that want lipgloss styles.
func (t Theme) Lipgloss(s Style) lipgloss.Style {
	l := t.lip.NewStyle().Bold(s.look.bold).Faint(s.look.faint).
		Underline(s.look.underline).Reverse(s.look.reverse)
	if s.look.fg.set {
		l = l.Foreground(lipgloss.Color(s.look.fg.hex(t.Dark)))
	}
	if s.look.bg.set {
		l = l.Background(lipgloss.Color(s.look.bg.hex(t.Dark)))
	}
	return l
}

// look is a style before it was made for a profile.
type look struct {
	fg, bg                          ink
	bold, faint, underline, reverse bool
}

// make turns the look into escape sequences for one profile.
func (l look) make(p Profile, dark bool) Style {
	codes := l.attributes(p)
	if p == None {
		return Style{look: l}
	}
	if l.fg.set {
		codes = append(codes, l.fg.code(p, dark, foreground))
	}
	if l.bg.set {
		codes = append(codes, l.bg.code(p, dark, background))
	}
	if len(codes) == 0 {
		return Style{look: l}
	}
	return Style{on: "\x1b[" + strings.Join(codes, ";") + "m", off: "\x1b[0m", look: l}
}

func (l look) attributes(Profile) []string {
	var codes []string
	for _, a := range []struct {
		on   bool
		code string
	}{{l.bold, "1"}, {l.faint, "2"}, {l.underline, "4"}, {l.reverse, "7"}} {
		if a.on {
			codes = append(codes, a.code)
		}
	}
	return codes
}
