package theme

import (
	"fmt"
	"strconv"
)

// Profile is what colours the terminal can show.
type Profile uint8

// The profiles. None writes no escape sequence at all.
const (
	None Profile = iota
	ANSI16
	ANSI256
	TrueColor
)

// String is the word used in help and errors.
func (p Profile) String() string {
	return [...]string{"none", "16", "256", "truecolor"}[min(p, TrueColor)]
}

// ink is one colour on a dark and on a light background, with the nearest of
// the sixteen that every terminal names.
type ink struct {
	dark, light uint32 // 0xRRGGBB
	ansi        uint8  // 0–15
	set         bool
}

func paint(dark, light uint32, ansi uint8) ink { return ink{dark, light, ansi, true} }

type layer uint8

const (
	foreground layer = 38
	background layer = 48
)

func (k ink) rgb(dark bool) uint32 {
	if dark {
		return k.dark
	}
	return k.light
}

func (k ink) hex(dark bool) string { return fmt.Sprintf("#%06x", k.rgb(dark)) }

// code is the SGR parameters of the colour.
func (k ink) code(p Profile, dark bool, at layer) string {
	c := k.rgb(dark)
	switch p {
	case TrueColor:
		return fmt.Sprintf("%d;2;%d;%d;%d", at, c>>16, c>>8&0xff, c&0xff)
	case ANSI256:
		return fmt.Sprintf("%d;5;%d", at, nearest256(c))
	}
	base := int(at) - 8 // 30 or 40
	if k.ansi > 7 {
		return strconv.Itoa(base + 60 + int(k.ansi) - 8)
	}
	return strconv.Itoa(base + int(k.ansi))
}

// nearest256 is the entry of xterm's 256 colours next to c: either of the
// 6×6×6 cube (16–231) or of the grey ramp (232–255), which terminals agree on;
// 0–15 are the user's own and never chosen.
func nearest256(c uint32) int {
	r, g, b := int(c>>16), int(c>>8&0xff), int(c&0xff)
	best, at := 1<<30, 0
	for i := 16; i < 256; i++ {
		x := rgb256(i)
		dr, dg, db := r-int(x>>16), g-int(x>>8&0xff), b-int(x&0xff)
		if d := dr*dr + dg*dg + db*db; d < best {
			best, at = d, i
		}
	}
	return at
}

// rgb256 is the colour of entry i of xterm's palette, 16 ≤ i < 256.
func rgb256(i int) uint32 {
	if i >= 232 {
		v := uint32(8 + 10*(i-232))
		return v<<16 | v<<8 | v
	}
	step := func(n int) uint32 {
		if n == 0 {
			return 0
		}
		return uint32(55 + 40*n)
	}
	i -= 16
	return step(i/36)<<16 | step(i/6%6)<<8 | step(i%6)
}
