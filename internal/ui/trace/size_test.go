package tracescreen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// hostile is a trace in which every text is one that takes over terminals.
func hostile(t testing.TB) *store.Store {
	f := newFeed(t)
	root := f.mk("root", 0, 10*sec)
	all := []run.Span{root}
	for i, text := range uitest.Hostile() {
		s := under(root, f.mk(text, uint64(i)*ms, sec, uitest.Text(text, text)))
		s.StatusMessage, s.TraceState = text, text
		s.Events = []run.Event{{Name: text, Time: s.Start, Attrs: []run.Attr{uitest.Text(text, text)}}}
		s.Links = []run.Link{{TraceState: text, Attrs: []run.Attr{uitest.Text(text, text)}}}
		all = append(all, s)
	}
	evil := strings.Join(uitest.Hostile()[:8], "")
	f.send(trainer(0, uitest.Text("host.name", evil), uitest.Text(evil, evil)), all...)
	return f.Store
}

func TestEverySize(t *testing.T) {
	for name, m := range map[string]*Model{
		"new":     New(plain()),
		"odd":     openTrace(t, odd(t), uitest.TraceID(1)),
		"step":    open(t, simulated(t, small(), 12*time.Second), ""),
		"lanes":   pressed(open(t, simulated(t, small(), 12*time.Second), ""), "v", "l", "G"),
		"details": pressed(richModel(t), "tab", "G"),
		"finding": pressed(openTrace(t, hostile(t), uitest.TraceID(1)), "enter", "f", "训练", "G"),
		"zoomed":  pressed(openTrace(t, hostile(t), uitest.TraceID(1)), "j", "z", "+", "+"),
		"deep":    pressed(openTrace(t, chain(t, 300), uitest.TraceID(1)), "G", "enter"),
	} {
		t.Run(name, func(t *testing.T) { uitest.EverySize(t, m) })
	}
}

// TestSelectionSurvivesSizes is CASES 69: at 80×24 the view is as before.
func TestSelectionSurvivesSizes(t *testing.T) {
	m := open(t, simulated(t, small(), 12*time.Second), "")
	m.SetSize(80, 22)
	uitest.Press(m, "G", "enter")
	want := text(m)
	for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}} {
		m.SetSize(size[0], size[1])
		m.View()
	}
	m.SetSize(80, 22)
	if got := text(m); got != want {
		t.Errorf("after other sizes:\n%s\nbefore:\n%s", got, want)
	}
}

// TestHostileTexts: none drives the terminal, none moves a column.
func TestHostileTexts(t *testing.T) {
	for _, look := range []theme.Options{{}, {ASCII: true}, {Profile: theme.TrueColor, Dark: true}} {
		m := New(theme.New(look))
		m.SetSize(120, 40)
		s := hostile(t)
		uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
		uitest.Press(m, "t", "enter")
		for range len(uitest.Hostile()) + 1 {
			for range 6 {
				uitest.Harmless(t, m.View())
				uitest.Inside(t, m.View(), 120, 40)
				m.detail.pane.Scroll(30)
			}
			uitest.Press(m, "j")
		}
		for _, text := range uitest.Hostile() {
			m.finder.input.Set(text)
			uitest.Press(m, "f")
			m.finder.input.Set(text)
			uitest.Press(m, "a", "backspace")
			uitest.Harmless(t, m.View())
			uitest.Press(m, "enter", "n")
			uitest.Harmless(t, m.View())
		}
	}
}

// TestColumnsLineUp: whatever the names, the time stands in its column.
func TestColumnsLineUp(t *testing.T) {
	m := openTrace(t, hostile(t), uitest.TraceID(1))
	lines := strings.Split(text(m), "\n")
	at := strings.Index(lines[2], "time")
	for i := range m.rows.Len() {
		line := lines[3+i]
		if cell := line[at-3 : at+4]; !strings.HasSuffix(strings.TrimSpace(cell), "s") {
			t.Errorf("row %d has %q where the time should stand:\n%s", i, cell, line)
		}
	}
}

// TestDeepAndWide is CASES 22.
func TestDeepAndWide(t *testing.T) {
	m := openTrace(t, chain(t, 15_000), uitest.TraceID(1))
	uitest.Press(m, "G")
	if _, i, _ := m.focus(); i != 14_999 || !strings.Contains(text(m), "14999") {
		t.Errorf("on node %d:\n%s", i, text(m))
	}
	uitest.Press(m, "O", "f", "level", "enter", "N")
	if m.rows.Len() != 15_000 {
		t.Errorf("the last found unfolds to %d rows", m.rows.Len())
	}
	f := newFeed(t)
	root := f.mk("root", 0, 100*sec)
	all := []run.Span{root}
	for i := range uint64(100_000) {
		all = append(all, under(root, f.mk("child", i*ms, i*ms+ms)))
	}
	f.send(trainer(0), all...)
	m = openTrace(t, f.Store, root.TraceID)
	if uitest.Press(m, "G"); m.rows.Len() != 100_001 || !strings.Contains(text(m), "100,001") {
		t.Errorf("%d rows:\n%s", m.rows.Len(), text(m))
	}
	uitest.Press(m, "g", "enter")
	if got := text(m); !strings.Contains(got, "100,000 direct") {
		t.Errorf("details:\n%s", got)
	}
}

// TestRandomKeys: whatever is pressed at whatever size, the view fits and the
// cursor stands on a row.
func TestRandomKeys(t *testing.T) {
	models := []*Model{
		open(t, simulated(t, small(), 12*time.Second), ""), openTrace(t, odd(t), uitest.TraceID(1)),
		openTrace(t, hostile(t), uitest.TraceID(1)), open(t, simulated(t, hung(), 12*time.Second), "p2p"),
	}
	dice := rand.New(rand.NewPCG(9, 10))
	for k, m := range models {
		var keys []string
		for range 600 {
			keys = append(keys, mash(t, m, dice))
		}
		if row, ok := m.table.Cursor(); ok && row >= len(m.rows.list) {
			t.Errorf("model %d: cursor on row %d of %d after %v", k, row, len(m.rows.list), keys)
		}
	}
}

// mash presses one key or clicks somewhere, and says which.
func mash(t testing.TB, m *Model, dice *rand.Rand) string {
	all := m.actions()
	key := all[dice.IntN(len(all))].on.Keys()[0]
	switch dice.IntN(12) {
	case 0:
		key = []string{"esc", "down", "pgdown", "G", "g", "backspace", "a", "up"}[dice.IntN(8)]
	case 1:
		m.SetSize(dice.IntN(200), dice.IntN(60))
	case 2:
		buttons := []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp, tea.MouseButtonRight}
		msg := tea.MouseMsg{X: dice.IntN(200), Y: dice.IntN(60), Action: tea.MouseActionPress, Button: buttons[dice.IntN(4)]}
		uitest.Settle(m, m.Update(msg))
		key = fmt.Sprint(msg)
	case 3:
		m.Back()
	}
	uitest.Press(m, key)
	uitest.Inside(t, m.View(), m.size.width, m.size.height)
	m.CopyText()
	return key
}

// FuzzKeys is random keys as the fuzzer finds them.
func FuzzKeys(f *testing.F) {
	snap := simulated(f, hung(), 12*time.Second).Snapshot()
	f.Add([]byte("jjlo+z[]vvc"), uint8(80), uint8(22))
	f.Add([]byte("fp2p\rnNeEmMsS"), uint8(40), uint8(10))
	f.Add([]byte("t\tjj]]JJKvvvvO\x1b"), uint8(200), uint8(60))
	f.Fuzz(func(t *testing.T, keys []byte, width, height uint8) {
		m := New(plain())
		m.SetSize(int(width), int(height))
		uitest.Give(t, m, uitest.Data(t, snap, ""))
		for _, k := range keys[:min(len(keys), 60)] {
			name := string(rune(k))
			switch k {
			case '\r':
				name = "enter"
			case '\t':
				name = "tab"
			case 0x1b:
				name = "esc"
			}
			uitest.Press(m, name)
			uitest.Inside(t, m.View(), int(width), int(height))
		}
	})
}
