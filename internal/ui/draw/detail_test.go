package draw

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// screenful is a table with its detail, drawn in width × height.
func screenful(t *testing.T, d *Detail, width, height int) []string {
	t.Helper()
	table := testTable(plain())
	table.SetRows(numbered(30))
	table.SetSize(d.Resize(width, height))
	d.Show(plain(), table.Key(), func() []Fact {
		var out []Fact
		for i := range 40 {
			out = append(out, Fact{Name: "key" + Count(i), Text: "value"})
		}
		return out
	})
	return strings.Split(ansi.Strip(d.Join(plain(), table.View(), "resource")), "\n")
}

func TestDetailHasItsPlace(t *testing.T) {
	var d Detail
	if got := screenful(t, &d, 80, 20); strings.Contains(strings.Join(got, ""), "resource") || d.IsOpen() {
		t.Errorf("closed:\n%s", strings.Join(got, "\n"))
	}
	d.Toggle()
	for _, test := range []struct {
		width, height, line, column int
	}{{120, 20, 0, 72}, {80, 20, 8, 0}, {40, 8, 0, 0}} {
		got := screenful(t, &d, test.width, test.height)
		if at := strings.Index(got[test.line], "- resource "); at != test.column && at != test.column+1 {
			t.Errorf("%dx%d: the pane begins at %d of line %d, want %d:\n%s", test.width, test.height, at, test.line, test.column, strings.Join(got, "\n"))
		}
		if !strings.Contains(got[test.line+1], "key0") {
			t.Errorf("%dx%d: the first fact is not below the head: %q", test.width, test.height, got[test.line+1])
		}
	}
}

func TestDetailFitsAnySize(t *testing.T) {
	var d Detail
	d.Toggle()
	for height := range 30 {
		for width := 0; width < 160; width += 1 + width/9 {
			for i, l := range screenful(t, &d, width, height) {
				if ansi.StringWidth(l) > width || i >= max(1, height) {
					t.Fatalf("%dx%d: line %d %q", width, height, i, l)
				}
			}
		}
	}
}

func TestDetailScrolls(t *testing.T) {
	var d Detail
	d.Toggle()
	keys := DefaultTableKeys()
	screenful(t, &d, 80, 20)
	if d.HandleKey(menuKey("j"), keys) {
		t.Error("without the focus j is the table's")
	}
	if !d.HandleKey(menuKey("tab"), keys) || !d.HasFocus() || !d.HandleKey(menuKey("j"), keys) || d.pane.Offset() != 1 {
		t.Errorf("Tab and j: focus %v at %d", d.HasFocus(), d.pane.Offset())
	}
	screenful(t, &d, 80, 20)
	if d.pane.Offset() != 1 {
		t.Error("drawing it again scrolls it back")
	}
	d.Show(plain(), "another row", func() []Fact { return []Fact{{Text: "x"}} })
	if d.pane.Offset() != 0 {
		t.Error("another row begins in the middle")
	}
	if !d.HandleKey(menuKey("tab"), keys) || d.HasFocus() {
		t.Error("Tab goes back")
	}
	screenful(t, &d, 40, 8)
	if !d.HandleKey(menuKey("j"), keys) {
		t.Error("alone on the screen it takes the keys")
	}
	if !d.Close() || d.Close() || d.HandleKey(menuKey("tab"), keys) {
		t.Error("closed it takes no keys")
	}
}

func TestDetailTakesTheWheelOverIt(t *testing.T) {
	wheel := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown}
	}
	for _, test := range []struct {
		width, height, x, y int
		over                bool
	}{{120, 20, 100, 5, true}, {120, 20, 20, 5, false}, {80, 20, 5, 15, true}, {80, 20, 5, 3, false}, {40, 8, 0, 0, true}} {
		var d Detail
		d.Toggle()
		screenful(t, &d, test.width, test.height)
		if got := d.HandleMouse(wheel(test.x, test.y)); got != test.over || (d.pane.Offset() > 0) != test.over {
			t.Errorf("%dx%d at %d,%d: %v, scrolled to %d", test.width, test.height, test.x, test.y, got, d.pane.Offset())
		}
	}
}

func TestFactsAskedOnce(t *testing.T) {
	var d Detail
	asked := 0
	show := func() { d.Show(theme.Theme{}, "row", func() []Fact { asked++; return nil }) }
	show()
	d.Toggle()
	d.Resize(80, 20)
	show()
	show()
	d.Resize(70, 20)
	show()
	if asked != 2 {
		t.Errorf("asked %d times, want once for each width while open", asked)
	}
}

// Newer facts of the same row leave the pane where it stands, and so does a size
// that comes back; another row begins at its top.
func TestDetailStays(t *testing.T) {
	facts := func() []Fact {
		var out []Fact
		for i := range 40 {
			out = append(out, Fact{Name: "key" + Count(i), Text: "value"})
		}
		return out
	}
	var d Detail
	d.Toggle()
	d.Resize(80, 20)
	d.Show(plain(), "row 1\x00\x005 spans", facts)
	d.pane.Scroll(7)
	d.Show(plain(), "row 1\x00\x006 spans", facts)
	for _, size := range [][2]int{{80, 4}, {10, 80}, {0, 0}, {80, 20}} {
		d.Resize(size[0], size[1])
		d.Show(plain(), "row 1\x00\x006 spans", facts)
	}
	if d.pane.Offset() != 7 {
		t.Errorf("the pane went to line %d", d.pane.Offset())
	}
	d.Show(plain(), "row 10\x00\x006 spans", facts)
	if d.pane.Offset() != 0 {
		t.Errorf("another row begins at line %d", d.pane.Offset())
	}
}
