package uitest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// updating says that goldens are to be written anew.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Flag defines -update. A test package calls it once: var _ = uitest.Flag().
func Flag() *bool { return flag.Bool("update", false, "write golden files anew") }

// Give gives a screen data and waits for what it computes.
func Give(t testing.TB, s screen.Screen, d screen.Data) {
	t.Helper()
	if d.Filter == nil {
		d.Filter = Filter(t, "")
	}
	Settle(s, s.SetData(d))
}

// Data is a snapshot with its first run in focus and a filter.
func Data(t testing.TB, s *store.Snapshot, filter string) screen.Data {
	t.Helper()
	d := screen.Data{Snapshot: s, Filter: Filter(t, filter)}
	if len(s.Runs) > 0 {
		d.Run = s.Runs[0].ID
	}
	return d
}

// Filter parses a filter.
func Filter(t testing.TB, text string) *query.Filter {
	t.Helper()
	f, err := query.Parse(text)
	if err != nil {
		t.Fatalf("filter %q: %v", text, err)
	}
	return f
}

// Settle runs a screen's command and the commands that follow from its answers,
// and returns the messages that are for the program.
func Settle(s screen.Screen, cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var out []tea.Msg
		for _, c := range msg {
			out = append(out, Settle(s, c)...)
		}
		return out
	case screen.OpenMsg, screen.FilterMsg, screen.NoticeMsg, screen.MarkMsg, screen.CopyMsg:
		return []tea.Msg{msg}
	default:
		return Settle(s, s.Update(msg))
	}
}

// Press sends keys, as Key names them, and settles.
func Press(s screen.Screen, keys ...string) []tea.Msg {
	var out []tea.Msg
	for _, k := range keys {
		out = append(out, Settle(s, s.Update(Key(k)))...)
	}
	return out
}

// Key is the message of a key by its name: "enter", "ctrl+d", "x".
func Key(name string) tea.KeyMsg {
	for t, n := range map[tea.KeyType]string{
		tea.KeyEnter: "enter", tea.KeyEsc: "esc", tea.KeyTab: "tab", tea.KeyShiftTab: "shift+tab", tea.KeyUp: "up",
		tea.KeyDown: "down", tea.KeyLeft: "left", tea.KeyRight: "right", tea.KeyPgUp: "pgup", tea.KeyPgDown: "pgdown",
		tea.KeyHome: "home", tea.KeyEnd: "end", tea.KeyBackspace: "backspace", tea.KeyCtrlC: "ctrl+c", tea.KeyCtrlZ: "ctrl+z",
		tea.KeyCtrlD: "ctrl+d", tea.KeyCtrlU: "ctrl+u", tea.KeyCtrlF: "ctrl+f", tea.KeyCtrlB: "ctrl+b", tea.KeyCtrlL: "ctrl+l", tea.KeyCtrlX: "ctrl+x",
	} {
		if n == name {
			return tea.KeyMsg{Type: t}
		}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// Click is a click of the left button.
func Click(x, y int) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
}

// Sizes are the sizes of the goldens.
func Sizes() [][2]int { return [][2]int{{40, 12}, {80, 24}, {120, 40}} }

// Golden compares a view in ASCII with testdata/name.golden.
func Golden(t *testing.T, name, view string) {
	t.Helper()
	lines := strings.Split(draw.ASCII(view), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	compare(t, name, strings.Join(lines, "\n")+"\n")
}

// compare compares a text with testdata/name.golden, or writes that anew.
func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if updating() {
		write(t, path, got)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (make it with -update)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; write anew with -update):\n%s", path, diff)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Inside fails when a view is not exactly height lines of at most width cells.
func Inside(t testing.TB, view string, width, height int) {
	t.Helper()
	if err := inside(view, width, height); err != nil {
		t.Fatal(err)
	}
}

func inside(view string, width, height int) error {
	if height <= 0 || width <= 0 {
		if strings.Trim(ansi.Strip(view), "\n ") != "" {
			return fmt.Errorf("%dx%d drew %q", width, height, view)
		}
		return nil
	}
	lines := strings.Split(view, "\n")
	if len(lines) != height {
		return fmt.Errorf("%dx%d: %d lines", width, height, len(lines))
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > width {
			return fmt.Errorf("%dx%d: line %d is %d cells: %q", width, height, i, n, line)
		}
	}
	return nil
}

// EverySize draws a screen at sizes from nothing to 200×60 and back, and fails
// when a view does not fit.
func EverySize(t *testing.T, s screen.Screen) {
	t.Helper()
	for height := 0; height <= 60; height += 1 + height/8 {
		for width := 0; width <= 200; width += 1 + width/16 {
			s.SetSize(width, height)
			Inside(t, s.View(), width, height)
		}
	}
	for _, size := range [][2]int{{80, 24}, {1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 24}} {
		s.SetSize(size[0], size[1])
		Inside(t, s.View(), size[0], size[1])
	}
}

// Harmless fails when a view holds a byte that drives a terminal, other than
// the styles that lensview writes.
func Harmless(t testing.TB, view string) {
	t.Helper()
	plain := styles(view)
	if !utf8.ValidString(plain) {
		t.Fatalf("not UTF-8: %q", plain)
	}
	for _, r := range plain {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			t.Fatalf("%U came through: %q", r, plain)
		}
	}
}

// styles takes SGR sequences out, and only these.
func styles(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			break
		}
		n := strings.IndexFunc(s[i+2:], func(r rune) bool { return r != ';' && (r < '0' || r > '9') })
		b.WriteString(s[:i])
		if n < 0 || s[i+2+n] != 'm' {
			b.WriteString(s[i : i+2])
			s = s[i+2:]
			continue
		}
		s = s[i+2+n+1:]
	}
	b.WriteString(s)
	return b.String()
}

// Hostile is texts of the kind that take over terminals or tear lines.
func Hostile() []string {
	return []string{
		"\x1b]52;c;ZXZpbA==\ax\x1b[2J", "\u009b31mred", "line\rforged", "a\nb", "bell\a", "\u202egnp.exe",
		"\x1bPq#0\x1b\\", "训练步骤/前向", "🚀 step", "e\u0301", "👨\u200d👩\u200d👧", "🫠", "──", "مرحبا", "a\tb", "zero\u200bwidth",
		strings.Repeat("x", 10_000), "\xff\xfe",
	}
}

// ReleaseKeepsTheView releases what a screen keeps of its snapshot: what it shows
// stays, the spans go. held is its snapshot, asked for afterwards.
func ReleaseKeepsTheView(t testing.TB, s interface {
	screen.Screen
	screen.Releaser
}, held func() *store.Snapshot) {
	t.Helper()
	view := s.View()
	s.Release()
	if s.View() != view {
		t.Error("what is shown changed")
	}
	for _, r := range held().Runs {
		if r.Chunks != nil {
			t.Error("spans are kept")
		}
	}
}
