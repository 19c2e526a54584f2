package otlp

import (
	"encoding/binary"
	"unicode/utf8"
)

// ascii reports whether s has no byte above 0x7f. Nearly all telemetry text is
// ASCII, and this is several times cheaper than a full check of short strings.
func ascii(s []byte) bool {
	const high64, high32 = 0x8080808080808080, 0x80808080
	n := len(s)
	switch {
	case n >= 8:
		x := binary.LittleEndian.Uint64(s[n-8:])
		for ; len(s) > 8; s = s[8:] {
			x |= binary.LittleEndian.Uint64(s)
		}
		return x&high64 == 0
	case n >= 4:
		return (binary.LittleEndian.Uint32(s)|binary.LittleEndian.Uint32(s[n-4:]))&high32 == 0
	case n > 0:
		return s[0]|s[n>>1]|s[n-1] < 0x80
	}
	return true
}

// validText reports whether s is UTF-8.
func validText(s []byte) bool { return ascii(s) || utf8.Valid(s) }

// appendRepaired appends s with U+FFFD for each byte that is not part of a
// well-formed character, as a Go range loop reads it.
func appendRepaired(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return dst
}

// text is s as a string, repaired where it is not UTF-8.
func text(s []byte) string {
	if validText(s) {
		return string(s)
	}
	return string(appendRepaired(nil, s))
}
