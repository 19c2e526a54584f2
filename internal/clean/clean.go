// Package clean makes text from others harmless before it is shown, on screens
// and in plain output alike.
package clean

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// maxMarks is how many combining marks one character keeps. More is not
// writing but an attempt to draw over other lines.
const maxMarks = 4

// Text makes text from others harmless: no byte of the result can drive a
// terminal or change the layout of a line. Control characters are shown in
// caret notation (^[ is escape, ^I a tab), C1, bidi, zero-width and other
// invisible characters as <code point>, and bytes that are no UTF-8 as U+FFFD.
// Joiners and variation selectors, whose width terminals disagree about, are
// left out. A mark that has no character to stand on stands on a dotted circle,
// and characters that would join with what follows the text are shown as <code
// point>: the width of a line is the sum of its texts. Clean text is returned as
// it is, without copying.
func Text(s string) string {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return cleanFrom(s, i)
		}
	}
	return s
}

func cleanFrom(s string, i int) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteString(s[:i])
	marks := 0
	prev := before(s, i)
	for _, r := range s[i:] {
		if prev == ' ' && joinsBefore(r) {
			b.WriteRune(dottedCircle)
		}
		prev = r
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			if marks++; marks > maxMarks {
				continue
			}
		} else {
			marks = 0
		}
		writeClean(&b, r)
	}
	return b.String()
}

func writeClean(b *strings.Builder, r rune) {
	switch {
	case r < 0x20:
		b.WriteByte('^')
		b.WriteByte(byte(r) + '@')
	case r < 0x7f:
		b.WriteByte(byte(r))
	case r == 0x7f:
		b.WriteString("^?")
	case isJoiner(r):
	case isHidden(r), joinsAfter(r):
		fmt.Fprintf(b, "<%04X>", r)
	default:
		b.WriteRune(r)
	}
}

// dottedCircle carries a mark that has nothing to stand on.
const dottedCircle = '\u25cc'

// before is the character before s[i]; a space stands for the start of the text,
// where other text or a space will stand once the line is laid out.
func before(s string, i int) rune {
	if i == 0 {
		return ' '
	}
	return rune(s[i-1])
}

// joinsBefore tells whether r forms one character with what stands before it, in
// the opinion of the renderer that draws it.
func joinsBefore(r rune) bool {
	if r < 0x300 || isJoiner(r) || isHidden(r) {
		return false
	}
	return len(firstCluster("x"+string(r))) > 1
}

// joinsAfter tells whether r forms one character with what follows, whatever that
// is: the prepended letters of UAX 29 that are no format characters.
func joinsAfter(r rune) bool {
	if r < 0xd00 {
		return false
	}
	return len(firstCluster(string(r)+"x")) > utf8.RuneLen(r)
}

func firstCluster(s string) string {
	clusters := graphemes.FromString(s)
	clusters.Next()
	return clusters.Value()
}

// isJoiner: zero-width joiner and non-joiner, variation selectors.
func isJoiner(r rune) bool {
	return r == 0x200c || r == 0x200d || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// isHidden: C1 controls, separators of lines and paragraphs, and everything of
// class "format" (bidi controls, zero-width spaces, tags), surrogates.
func isHidden(r rune) bool {
	return r < 0xa0 || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs) ||
		invisibleLetter(r)
}

// invisibleLetter: letters and marks by class that draw nothing at all.
func invisibleLetter(r rune) bool {
	switch r {
	case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0:
		return true
	}
	return r >= 0x180b && r <= 0x180f
}
