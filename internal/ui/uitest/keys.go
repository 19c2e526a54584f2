package uitest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// GlobalKeys are the keys of the program, read from its source beside the package
// of the screen under test: bind(help, what, keys...).
func GlobalKeys(t testing.TB) map[string]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../keys.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			addBound(out, call)
		}
		return true
	})
	for _, k := range []string{"1", "7", "/", "y", " ", "q", "esc"} {
		if !out[k] {
			t.Fatalf("%q is not among the global keys that were read: %v", k, out)
		}
	}
	return out
}

// addBound adds the keys of a call of bind.
func addBound(keys map[string]bool, call *ast.CallExpr) {
	if f, ok := call.Fun.(*ast.Ident); !ok || f.Name != "bind" {
		return
	}
	for _, arg := range call.Args[2:] {
		if lit, ok := arg.(*ast.BasicLit); ok {
			k, _ := strconv.Unquote(lit.Value)
			keys[k] = true
		}
	}
}

// KeysOf is the keys of bindings, each with what it does.
func KeysOf(bindings ...[]key.Binding) map[string]string {
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

// KeysShadowNothing checks that no key of a screen is one of the program, and none
// is taken twice.
func KeysShadowNothing(t testing.TB, s screen.Screen) {
	t.Helper()
	taken := GlobalKeys(t)
	for _, group := range s.FullHelp() {
		for _, b := range group {
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, k := range b.Keys() {
				if taken[k] {
					t.Errorf("%q (%s) is taken", k, b.Help().Desc)
				}
				taken[k] = true
			}
		}
	}
}
