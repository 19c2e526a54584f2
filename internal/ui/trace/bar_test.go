package tracescreen

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// bars is the bar column of every row, in ASCII.
func bars(m *Model) []string {
	var out []string
	for i := range m.rows.Len() {
		out = append(out, strings.TrimRight(m.rows.Cell(i, "bar").Text, " "))
	}
	return out
}

// ten is a model whose bars have ten cells of a second.
func ten(m *Model) *Model {
	m.rows.axis = axis{stretch{0, float64(10 * sec)}, 10}
	return m
}

func TestBarsOfATree(t *testing.T) {
	m := ten(openTrace(t, family(t), uitest.TraceID(1)))
	want := []string{"----------", "----", "=", " =", "     ----", "     =", "      ="}
	if diff := cmp.Diff(want, bars(m)); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	m.rows.axis.view = stretch{float64(5 * sec), float64(6 * sec)}
	want = []string{"<-------->", "<", "<", "<", "--------->", "==========", "         >"}
	if diff := cmp.Diff(want, bars(m)); diff != "" {
		t.Errorf("zoomed (-want +got):\n%s", diff)
	}
}

// TestBarsOfOddSpans: each says by a glyph what it is.
func TestBarsOfOddSpans(t *testing.T) {
	m := openTrace(t, odd(t), uitest.TraceID(1))
	m.rows.axis = axis{stretch{0, float64(12 * sec)}, 12}
	want := []string{
		"  ----------", ".....", "   ++", "    ######%", "      >", "no sane time", "        #",
	}
	if diff := cmp.Diff(want, bars(m)); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

// TestFoldedBarsShowWhatIsInside: 40 % compute gets two of five cells.
func TestFoldedBarsShowWhatIsInside(t *testing.T) {
	f := newFeed(t)
	root := f.mk("train_step", 0, 100*sec)
	f.send(trainer(0), root)
	for i := range uint64(100) {
		f.send(trainer(0), under(root, f.mk("microbatch.forward", i*sec, i*sec+400*ms)))
	}
	m := openTrace(t, f.Store, root.TraceID)
	m.rows.axis = axis{stretch{0, float64(100 * sec)}, 50}
	uitest.Press(m, "o")
	m.rows.axis = axis{stretch{0, float64(100 * sec)}, 50}
	got := m.rows.Cell(0, "bar").Text
	if n := strings.Count(got, "#"); n != 20 || strings.Count(got, "-") != 30 {
		t.Errorf("40%% compute is drawn as %q", got)
	}
}

// TestBlendKeepsShares checks against arithmetic: over a bar each class gets its
// share of cells, give or take one.
func TestBlendKeepsShares(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		const n = 60
		var s shares
		var want [aroundInk + 1]float64
		for k := range s {
			s[k] = make([]float64, n)
		}
		mix := [3]float64{dice.Float64(), dice.Float64(), dice.Float64()}
		sum := mix[0] + mix[1] + mix[2]
		for i := range n {
			s[blank][i] = 1
			s[computeInk][i], s[waitInk][i] = mix[0]/sum, mix[1]/sum
			want[computeInk], want[waitInk], want[aroundInk] = n*mix[0]/sum, n*mix[1]/sum, n*mix[2]/sum
		}
		s.rest()
		var owed, got [aroundInk + 1]float64
		for i := range n {
			got[s.pick(i, &owed)]++
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 1 {
				t.Fatalf("ink %d got %v cells of %v", k, got[k], want[k])
			}
		}
	}
}

// TestEveryBarHasItsWidth: whatever the view, a bar is exactly its cells.
func TestEveryBarHasItsWidth(t *testing.T) {
	m := openTrace(t, odd(t), uitest.TraceID(1))
	dice := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		from := (dice.Float64() - 0.5) * 1e12 * math.Pow(10, -float64(dice.IntN(9)))
		m.rows.axis = axis{stretch{from, from + 1 + dice.Float64()*1e11*math.Pow(10, -float64(dice.IntN(9)))}, dice.IntN(100)}
		for i := range m.rows.Len() {
			cell := m.rows.Cell(i, "bar")
			if cell.Drawn != "" && draw.Width(cell.Text) != m.rows.axis.cells {
				t.Fatalf("%v: row %d has %d cells of %d", m.rows.axis, i, draw.Width(cell.Text), m.rows.axis.cells)
			}
		}
	}
}

func TestInksLookDifferent(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th := theme.New(theme.Options{ASCII: ascii, Profile: theme.TrueColor})
		seen := map[string]bool{}
		for k := range inkCount {
			glyph, _ := k.look(th)
			if draw.Width(glyph) != 1 || seen[glyph] {
				t.Errorf("ascii %v: ink %d is %q, which is another's or not one cell", ascii, k, glyph)
			}
			seen[glyph] = true
		}
	}
}

func TestMarksLookDifferent(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		th := theme.New(theme.Options{ASCII: ascii})
		seen := map[string]mark{}
		for k := range markCount {
			glyph, _ := k.look(th)
			if o, ok := seen[glyph]; ok || draw.Width(glyph) != 1 || ascii && glyph[0] >= 0x80 {
				t.Errorf("ascii %v: %s and %s are both %q", ascii, k.word(), o.word(), glyph)
			}
			seen[glyph] = k
		}
	}
}
