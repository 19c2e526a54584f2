package draw

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Bar is a share of 1 as a bar of exactly width cells, with a part cell at its
// end. Anything above nothing shows at least the smallest part. NaN is blank.
func Bar(share float64, width int, g theme.Glyphs) string {
	if width <= 0 {
		return ""
	}
	if math.IsNaN(share) || share <= 0 {
		return strings.Repeat(g.Track, width)
	}
	parts := len(g.Parts)
	n := int(math.Round(math.Min(share, 1) * float64(width*parts)))
	n = max(n, 1)
	full, rest := n/parts, n%parts
	out := strings.Repeat(g.Parts[parts-1], full)
	if rest > 0 {
		out += g.Parts[rest-1]
		full++
	}
	return out + strings.Repeat(g.Track, width-full)
}

// Piece is one part of a stacked bar: its share of 1, its look and its fill.
type Piece struct {
	Share float64
	Style theme.Style
	Fill  string // one cell
}

// Stack is a bar of exactly width cells out of pieces, left to right; what is
// missing to 1 is blank. Rounding is carried from piece to piece, so that the
// whole is right.
func Stack(pieces []Piece, width int) string {
	if width <= 0 {
		return ""
	}
	var b strings.Builder
	sum, used := 0.0, 0
	for _, p := range pieces {
		if !(p.Share > 0) {
			continue
		}
		sum = math.Min(sum+p.Share, 1)
		end := int(math.Round(sum * float64(width)))
		p.Style.Write(&b, strings.Repeat(p.Fill, end-used))
		used = end
	}
	b.WriteString(Spaces(width - used))
	return b.String()
}
