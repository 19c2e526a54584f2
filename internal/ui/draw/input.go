package draw

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Input is one line of text being edited. The zero Input is empty and ready. It
// edits by what people see: a step is a grapheme cluster. It does not blink, so
// an idle screen stays silent.
type Input struct {
	before, after string // text left and right of the cursor
}

// Value is the text.
func (i *Input) Value() string { return i.before + i.after }

// Cursor is the cursor's place in bytes of Value.
func (i *Input) Cursor() int { return len(i.before) }

// Set replaces the text; the cursor is at its end.
func (i *Input) Set(text string) { i.before, i.after = text, "" }

// Replace puts text in the place of Value's bytes from … to; the cursor is
// behind it.
func (i *Input) Replace(from, to int, text string) {
	v := i.Value()
	i.before, i.after = v[:from]+text, v[to:]
}

// HandleKey edits, and reports whether the key was one for editing.
func (i *Input) HandleKey(k tea.KeyMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		g := lastCluster(i.before)
		i.before, i.after = i.before[:len(i.before)-len(g)], g+i.after
	case "right", "ctrl+f":
		g := firstCluster(i.after)
		i.before, i.after = i.before+g, i.after[len(g):]
	case "home", "ctrl+a":
		i.before, i.after = "", i.Value()
	case "end", "ctrl+e":
		i.before, i.after = i.Value(), ""
	case "backspace", "ctrl+h":
		i.before = i.before[:len(i.before)-len(lastCluster(i.before))]
	case "delete", "ctrl+d":
		i.after = i.after[len(firstCluster(i.after)):]
	case "ctrl+u":
		i.before = ""
	case "ctrl+k":
		i.after = ""
	case "ctrl+w", "alt+backspace":
		i.before = withoutWord(i.before)
	default:
		return i.insert(k)
	}
	return true
}

// insert takes typed and pasted text; line breaks and tabs become blanks, other
// control characters are dropped.
func (i *Input) insert(k tea.KeyMsg) bool {
	if (k.Type != tea.KeyRunes && k.Type != tea.KeySpace) || k.Alt {
		return false
	}
	i.before += strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, string(k.Runes))
	return true
}

func withoutWord(s string) string {
	s = strings.TrimRight(s, " ")
	return s[:strings.LastIndexByte(s, ' ')+1]
}

func firstCluster(s string) string {
	if s == "" {
		return ""
	}
	g, _, _ := next(s)
	return g
}

func lastCluster(s string) string {
	last := ""
	for s != "" {
		last, _, s = next(s)
	}
	return last
}

// View is the text in exactly width cells with the cursor in it. start is the
// bytes of Value left of the window: 0 unless the text is longer than the
// window.
func (i *Input) View(t theme.Theme, width int) (view string, start int) {
	if width < 2 {
		return Spaces(width), 0
	}
	rest := i.before
	for Width(Clean(rest)) > width-2 {
		rest = rest[len(firstCluster(rest)):]
	}
	l := NewLine(width).Text(rest)
	under := firstCluster(i.after)
	tail := i.after[len(under):]
	if under == "" {
		under = " "
	}
	if t.Selected.IsPlain() {
		l.Text("_")
		tail = i.after
	} else {
		l.Add(t.Selected, under)
	}
	cutTail, _ := cut(Clean(tail), l.Left())
	return l.Text(cutTail).String(), len(i.before) - len(rest)
}
