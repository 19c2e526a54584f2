package theme

// palette is the colours, each on a dark and on a light background and as one
// of the sixteen.
type palette struct {
	dim, accent, good, warn, bad, other  ink
	black, match, selected, selectedText ink
}

func inks() palette {
	return palette{
		dim:          paint(0x8a8f98, 0x6a6f78, 8),
		accent:       paint(0x5fafff, 0x005f9f, 6),
		good:         paint(0x87d787, 0x00702d, 2),
		warn:         paint(0xffaf5f, 0x8f5500, 3),
		bad:          paint(0xff6b6b, 0xb80020, 1),
		other:        paint(0xc79bf0, 0x6b3fa0, 5),
		black:        paint(0x000000, 0x000000, 0),
		match:        paint(0xffd75f, 0xffd75f, 3),
		selected:     paint(0x264f78, 0xcfe3ff, 4),
		selectedText: paint(0xffffff, 0x000000, 15),
	}
}
