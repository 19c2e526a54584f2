package semconv_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// own is what writes and reads the names: the SDK with its detectors, and the viewer.
// What only makes data up for it, or shows how it is used, needs no name of its own.
var own = []string{"pkg/resources", "pkg/telemetry", "internal", "cmd"}

// made is packages in own that only make data up.
var made = []string{"internal/simulate", "internal/ui/uitest"}

// TestCallSites finds the use of every constant in the SDK, the detectors or the viewer,
// without exception: a name without a call site is dead, and goes stale.
func TestCallSites(t *testing.T) {
	used := map[string]bool{}
	for _, dir := range own {
		maps.Copy(used, selectors(t, "../..", dir, "semconv"))
	}
	for _, f := range semconv.Fields() {
		if !used[f.Name] && !spelling(f, used) {
			t.Errorf("%s (%s) has no call site in the SDK, the detectors or the viewer", f.Name, f.Key)
		}
	}
}

// spelling reports whether a name is read as an older spelling of one that is used: the
// viewer takes the spellings of a fact from the table (internal/run, Aliases), so that a
// filter that says one finds the other.
func spelling(f semconv.Field, used map[string]bool) bool {
	return f.Presence == semconv.ReadOnly && used["Fields"] && f.Fact != "" &&
		slices.ContainsFunc(semconv.Fields(), func(g semconv.Field) bool { return g.Fact == f.Fact && g.Presence != semconv.ReadOnly && used[g.Name] })
}

// TestReadOnlyIsRead holds the names that the SDK does not write to their word: the
// viewer reads them, and the SDK leaves them alone.
func TestReadOnlyIsRead(t *testing.T) {
	viewer, sdk := selectors(t, "../..", "internal", "semconv"), selectors(t, "../..", "pkg/telemetry", "semconv")
	maps.Copy(sdk, selectors(t, "../..", "pkg/resources", "semconv"))
	all := maps.Clone(viewer)
	maps.Copy(all, sdk)
	for _, f := range semconv.Fields() {
		if f.Presence != semconv.ReadOnly {
			continue
		}
		if !viewer[f.Name] && !spelling(f, all) {
			t.Errorf("%s is read only and the viewer does not read it", f.Name)
		}
		if sdk[f.Name] {
			t.Errorf("%s is read only and the SDK has it", f.Name)
		}
	}
}

// selectors collects the X of all pkg.X in the code below a directory, tests and what
// only makes data up aside.
func selectors(t *testing.T, root, dir, pkg string) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (skipDir(d.Name()) || isMade(root, path)):
			return filepath.SkipDir
		case d.IsDir() || !isCode(path):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Logf("not read: %v", err)
			return nil
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == pkg {
					used[sel.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}

func skipDir(name string) bool {
	return name == "testdata" || name == "node_modules" || len(name) > 1 && name[0] == '.' && name != ".."
}

func isCode(path string) bool {
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
}

func isMade(root, dir string) bool {
	at, err := filepath.Rel(root, dir)
	return err == nil && slices.Contains(made, filepath.ToSlash(at))
}

// TestSelectorsSee proves that the search can fail and can find.
func TestSelectorsSee(t *testing.T) {
	dir := t.TempDir()
	write := func(name, code string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/a.go", "package a\nvar _ = semconv.Used // semconv.Commented\n")
	write("a/a_test.go", "package a\nvar _ = semconv.Tested\n")
	write("internal/simulate/s.go", "package simulate\nvar _ = semconv.Made\n")
	write("a/testdata/t.go", "package t\nvar _ = semconv.Data\n")
	write("a/broken.go", "package")
	used := selectors(t, dir, ".", "semconv")
	if len(used) != 1 || !used["Used"] {
		t.Errorf("found %v, want Used alone", used)
	}
}
