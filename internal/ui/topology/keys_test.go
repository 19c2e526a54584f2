package topologyscreen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.Copier   = (*Model)(nil)
	_ screen.Targeter = (*Model)(nil)
)

// globalKeys are the keys of the program, read from its source: bind(help, what,
// keys...), and those that are kept for screens to come.
func globalKeys(t *testing.T) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../keys.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{"2": true, "5": true, "8": true, "9": true, "0": true, "D": true, ":": true}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "bind" {
			for _, arg := range call.Args[2:] {
				if lit, ok := arg.(*ast.BasicLit); ok {
					k, _ := strconv.Unquote(lit.Value)
					out[k] = true
				}
			}
		}
		return true
	})
	if !out["/"] || !out["q"] || !out["esc"] {
		t.Fatalf("the global keys were not read: %v", out)
	}
	return out
}

func keysOf(bindings ...[]key.Binding) map[string]string {
	out := map[string]string{}
	for _, group := range bindings {
		for _, b := range group {
			for _, k := range b.Keys() {
				out[k] = b.Help().Desc
			}
		}
	}
	return out
}

func TestKeysShadowNothing(t *testing.T) {
	global := globalKeys(t)
	seen := map[string]bool{}
	for _, group := range New(plain()).FullHelp() {
		for _, b := range group {
			for _, k := range b.Keys() {
				if global[k] || seen[k] {
					t.Errorf("%q (%s) is taken", k, b.Help().Desc)
				}
				seen[k] = true
			}
		}
	}
}

func TestEveryKeyIsInTheHelp(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	listed := keysOf(m.FullHelp()...)
	check := func(b key.Binding) {
		for _, k := range b.Keys() {
			if listed[k] == "" {
				t.Errorf("%q is not listed", k)
			}
		}
	}
	for _, a := range m.actions() {
		check(a.on)
	}
	for _, u := range []unit{ranks, workers} {
		m.cell = u
		m.arrange()
		if n := len(m.ShortHelp()); n != 5 {
			t.Errorf("the footer has %d keys", n)
		}
		for _, b := range m.ShortHelp() {
			check(b)
		}
	}
}

func TestKeysWithoutDataDoNoHarm(t *testing.T) {
	for name, m := range map[string]*Model{"new": New(plain()), "empty": open(t, ofRanks(t, 0), "")} {
		m.SetSize(80, 22)
		for k := range keysOf(m.FullHelp()...) {
			uitest.Press(m, k)
			m.Update(uitest.Click(10, 5))
			uitest.Inside(t, m.View(), 80, 22)
		}
		if m.Title() != "Topology" || m.Capturing() || m.CopyText() != "" && name == "new" {
			t.Errorf("%s: %q copies %q", name, m.Title(), m.CopyText())
		}
	}
}
