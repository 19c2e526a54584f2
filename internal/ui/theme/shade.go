package theme

import "math"

// Levels is the number of shades of a measure.
const Levels = 9

// Shade is one step of the ramp for measures: a glyph, which tells the level
// without colour, in the level's colour. Cell is both, ready to write.
type Shade struct {
	Style Style
	Glyph string
	Cell  string
}

// Shade is the shade of level 0 (least) to Levels-1 (most), clamped.
func (t Theme) Shade(level int) Shade {
	return t.shades[max(0, min(level, Levels-1))]
}

// Level is the level of v between low and high; ok is false for NaN, which has
// no shade. An empty range is level 0: nothing stands out.
func Level(v, low, high float64) (level int, ok bool) {
	if math.IsNaN(v) {
		return 0, false
	}
	if !(high > low) {
		return 0, true
	}
	f := math.Floor((v - low) / (high - low) * Levels)
	return int(math.Max(0, math.Min(f, Levels-1))), true
}

// makeShades: cool and thin for little, hot and dense for much.
func makeShades(o Options) []Shade {
	glyphs := [Levels]string{"·", "·", "░", "░", "▒", "▒", "▓", "▓", "█"}
	if o.ASCII || o.Profile == None {
		glyphs = [Levels]string{".", ":", "-", "=", "+", "*", "#", "%", "@"}
	}
	out := make([]Shade, Levels)
	for i, k := range ramp() {
		s := look{fg: k, bold: i > Levels/2}.make(o.Profile, o.Dark)
		out[i] = Shade{Style: s, Glyph: glyphs[i], Cell: s.Render(glyphs[i])}
	}
	return out
}

func ramp() [Levels]ink {
	return [Levels]ink{
		paint(0x4a6f9f, 0x5f7fbf, 4), paint(0x4a8aa8, 0x3f80a0, 6), paint(0x4fa39a, 0x2f8580, 6),
		paint(0x6fb87a, 0x3f8a4a, 2), paint(0xa5c75f, 0x6f8a1f, 2), paint(0xd8c850, 0x9a8000, 3),
		paint(0xf0a848, 0xb06a00, 3), paint(0xf57a48, 0xc04a10, 1), paint(0xff5555, 0xb80020, 1),
	}
}
