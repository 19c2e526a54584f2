package tracescreen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// coloured is the screen with 256 colours.
func coloured(t testing.TB, s *store.Store, trace run.TraceID, keys ...string) *Model {
	t.Helper()
	m := New(uitest.Coloured())
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
	if !trace.IsZero() {
		uitest.Settle(m, m.SetTarget(screen.Target{TraceID: trace}))
	}
	return pressed(m, keys...)
}

func TestGoldensInColour(t *testing.T) {
	for name, prepare := range map[string]func() *Model{
		"step": func() *Model { return coloured(t, simulated(t, small(), 12*time.Second), run.TraceID{}) },
		"lanes": func() *Model {
			return coloured(t, simulated(t, small(), 12*time.Second), run.TraceID{}, "v", "v", "v", "v")
		},
		"odd":     func() *Model { return coloured(t, odd(t), uitest.TraceID(1)) },
		"details": func() *Model { return coloured(t, odd(t), uitest.TraceID(1), "x", "enter") },
	} {
		m := prepare()
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1]-2)
			uitest.GoldenColour(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
		}
	}
}

// Whatever is unusual about a span is told by a mark of its own: without colour the
// rows of the odd spans differ, and the legend says what the marks are.
func TestMarksTellWithoutColour(t *testing.T) {
	m := openTrace(t, odd(t), uitest.TraceID(1))
	seen := map[string]string{}
	for k := range markCount {
		glyph, _ := k.look(m.theme)
		if other, ok := seen[glyph]; ok {
			t.Errorf("%s and %s are both %q", k.word(), other, glyph)
		}
		seen[glyph] = k.word()
	}
	for name, want := range map[string]mark{
		"checkpoint.save": failedMark, "forward_backward": truncatedMark, "optimizer": openMark, "clip_grad": timeMark, "layer": orphanMark, "nccl.all_reduce": earlyMark,
	} {
		glyph, _ := want.look(m.theme)
		row := -1
		for i := range m.rows.Len() {
			if m.rowName(i) == name {
				row = i
			}
		}
		if row < 0 || !strings.Contains(m.rows.Cell(row, "marks").Text, glyph) {
			t.Errorf("%s lacks the mark %q of %s", name, glyph, want.word())
		}
	}
	for _, size := range uitest.Sizes()[1:] {
		m.SetSize(size[0], size[1])
		for _, word := range []string{"1 error", "1 truncated"} {
			if !strings.Contains(m.View(), word) {
				t.Errorf("%v: the legend does not say %q:\n%s", size, word, m.View())
			}
		}
	}
}

// kindsOfNames is names of the kinds of CASES 70.
func kindsOfNames() []string {
	return append(uitest.Hostile(), "训练步骤.前向.微批次.反向传播.梯度同步", "megatron.training.pipeline_parallel.forward_backward.alpha",
		"megatron.training.pipeline_parallel.forward_backward.beta", strings.Repeat("🚀", 60), strings.Repeat("e\u0301", 90), "a/b/"+strings.Repeat("c", 200))
}

// Names of any kind hold their column; what is cut ends in …, on a border between
// characters, and names that differ at their end still differ.
func TestNamesOfAnyKind(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, 10*sec)
	all := []run.Span{root}
	for i, name := range kindsOfNames() {
		all = append(all, under(root, f.mk(name, uint64(i)*ms, uint64(i)*ms+sec)))
	}
	f.send(trainer(0), all...)
	m := openTrace(t, f.Store, root.TraceID)
	for _, size := range [][2]int{{40, 60}, {60, 60}, {80, 60}, {120, 60}, {200, 60}} {
		m.SetSize(size[0], size[1])
		uitest.Inside(t, m.View(), size[0], size[1])
		uitest.Harmless(t, m.View())
		seen := map[string]bool{}
		for i := range m.rows.Len() {
			text := m.rows.Cell(i, "span").Text
			if w := draw.Width(text); w > m.rows.widths.span {
				t.Fatalf("%v: %q takes %d of %d cells", size, text, w, m.rows.widths.span)
			}
			if name := draw.Clean(m.rowName(i)); !strings.HasSuffix(text, name) && !strings.HasSuffix(text, draw.Ellipsis) {
				t.Errorf("%v: %q does not say that it was cut", size, text)
			}
			if strings.Contains(m.rowName(i), "forward_backward.") {
				if seen[text] {
					t.Errorf("%v: two names are both %q", size, text)
				}
				seen[text] = true
			}
		}
	}
}

// The find line takes wide characters, and what is found in them is marked.
func TestFindingWideCharacters(t *testing.T) {
	f := newFeed(t)
	root := f.mk("训练步骤/前向", 0, 10*sec)
	f.send(trainer(0), root, under(root, f.mk("🚀 step", 0, sec)))
	m := openTrace(t, f.Store, root.TraceID)
	uitest.Press(m, "f", "训", "练")
	if m.finder.hits != 1 {
		t.Errorf("%d found", m.finder.hits)
	}
	for _, size := range uitest.Sizes() {
		m.SetSize(size[0], size[1])
		uitest.Inside(t, m.View(), size[0], size[1])
	}
	uitest.Press(m, "ctrl+u", "🚀", "enter")
	if m.focusName() != "🚀 step" {
		t.Errorf("on %q", m.focusName())
	}
}

// From one size to any other and back the view is as before, the selection in
// sight, also at the end and with details open: CASES 69.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"G"}, {"G", "enter"}, {"enter", "tab", "G"}, {"v", "v", "v", "v", "G"}, {"f", "b"}} {
		m := pressed(open(t, simulated(t, small(), 6*time.Second), ""), keys...)
		m.SetSize(80, 24)
		before := m.View()
		for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 24}} {
			m.SetSize(size[0], size[1])
			uitest.Inside(t, m.View(), size[0], size[1])
		}
		if after := m.View(); after != before {
			t.Errorf("after %q the view changed:\n%s\n\n%s", keys, before, after)
		}
		if !strings.Contains(ansi.Strip(before), m.theme.Glyphs.Cursor) {
			t.Errorf("after %q the selection is out of sight:\n%s", keys, before)
		}
	}
}
