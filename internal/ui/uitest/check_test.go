package uitest

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestInsideCanFail(t *testing.T) {
	for _, test := range []struct {
		name, view    string
		width, height int
		ok            bool
	}{
		{"exact", "ab\ncd", 2, 2, true},
		{"narrower", "a\nb", 2, 2, true},
		{"styled", "\x1b[1mab\x1b[0m", 2, 1, true},
		{"wide characters", "训练", 4, 1, true},
		{"too wide", "abc", 2, 1, false},
		{"wide characters too wide", "训练", 3, 1, false},
		{"a line too many", "a\nb\nc", 2, 2, false},
		{"a line too few", "a", 2, 2, false},
		{"nothing in nothing", "", 0, 0, true},
		{"something in nothing", "a", 0, 5, false},
	} {
		if err := inside(test.view, test.width, test.height); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestStylesAreTakenOutAndNothingElse(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                        "plain",
		"\x1b[1;38;5;75mbold\x1b[0m x": "bold x",
		"\x1b[2J":                      "\x1b[2J",
		"\x1b]52;c;x\a":                "\x1b]52;c;x\a",
		"\x1b[":                        "\x1b[",
		"a\x1b[31mb\x1b[1Ac":           "ab\x1b[1Ac",
	} {
		if got := styles(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestKeysHaveTheirNames(t *testing.T) {
	for _, name := range []string{"enter", "esc", "tab", "shift+tab", "ctrl+d", "pgdown", "x", "G", "?", " "} {
		if got := Key(name).String(); got != name {
			t.Errorf("the key %q calls itself %q", name, got)
		}
	}
	if Key("jj").Type != tea.KeyRunes {
		t.Error("several runes are one message, as they arrive")
	}
}

func TestFixtureHasTheNumbersItPromises(t *testing.T) {
	s := Snapshot(t, Training{Run: "r", Ranks: 8, Steps: 5, Slow: 3, Quiet: 4})
	if len(s.Runs) != 1 || len(s.Runs[0].Processes) != 8 || s.Runs[0].WorldSize != 8 {
		t.Fatalf("runs %+v", s.Runs)
	}
	r := s.Runs[0]
	if got := s.Accounts[run.Traces]; got.Received != 8*5*3 || !got.Balanced() {
		t.Errorf("account %+v", got)
	}
	if n := len(r.Columns); n != 5 {
		t.Errorf("%d iterations, want 5", n)
	}
	for p := range r.Processes {
		cell, ok := r.Columns[3].Cell(p)
		want := float32(0.6)
		if p == 3 {
			want = 0.9
		}
		if !ok || cell.Step != 1 || cell.Compute != want {
			t.Errorf("process %d: step %v compute %v, want 1 and %v", p, cell.Step, cell.Compute, want)
		}
	}
	if got := s.Now - r.Last; got != 4e9 {
		t.Errorf("quiet for %d ns, want 4 s", got)
	}
}

var _ = Flag()

func TestGoldenOfColours(t *testing.T) {
	th := Coloured()
	GoldenColour(t, "styles", th.Bad.Render("bad")+"  "+th.Good.Render("good")+"   \n"+th.Selected.Render("selected"))
}
