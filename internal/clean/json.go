package clean

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// JSON makes encoded JSON harmless to print: characters that could drive a
// terminal or reorder a line, which can stand only inside its strings, become
// \u escapes. The value stays the same.
func JSON(b []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r >= utf8.RuneSelf && !unicode.IsGraphic(r) || r == 0x7f {
			writeEscape(&out, r)
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.Bytes()
}

func writeEscape(out *bytes.Buffer, r rune) {
	if r >= 0x10000 {
		r -= 0x10000
		fmt.Fprintf(out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		return
	}
	fmt.Fprintf(out, `\u%04x`, r)
}
