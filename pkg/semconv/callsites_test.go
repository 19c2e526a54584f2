package semconv_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// coming is the packages that the conventions are written for and that do not
// exist yet. Until they do, a constant may wait for them without a call site;
// from the day their directory holds Go code, every constant must have one.
var coming = []string{"../resources", "../telemetry"}

// later is the names that only a later part of the viewer reads, each with that
// part. An entry must go when its name has a call site.
var later = map[string]string{
	"RLBucket": "the breakdown of RL runs in internal/analysis",
}

// TestCallSites finds the use of every constant outside this package and the
// tests: a name without a call site is dead, and goes stale.
func TestCallSites(t *testing.T) {
	used := selectors(t, "../..", "semconv")
	checkReadOnly(t, used)
	var waiting []string
	for _, f := range semconv.Fields() {
		if !used[f.Name] && later[f.Name] == "" {
			waiting = append(waiting, f.Name)
		}
	}
	if len(waiting) == 0 {
		return
	}
	if i := slices.IndexFunc(coming, func(dir string) bool { return !hasCode(dir) }); i >= 0 {
		t.Logf("%d of %d constants wait for %s: %s", len(waiting), len(semconv.Fields()), coming[i], strings.Join(waiting, ", "))
		return
	}
	t.Errorf("no call site in the SDK, the detectors or the viewer: %s", strings.Join(waiting, ", "))
}

// checkReadOnly grants no wait for the SDK to names that only the viewer reads.
func checkReadOnly(t *testing.T, used map[string]bool) {
	t.Helper()
	for _, f := range semconv.Fields() {
		part, waits := later[f.Name]
		switch {
		case waits && used[f.Name]:
			t.Errorf("%s has a call site: take it off the list of names that wait for %s", f.Name, part)
		case waits:
			t.Logf("%s waits for %s", f.Name, part)
		case f.Presence == semconv.ReadOnly && !used[f.Name]:
			t.Errorf("%s is read only and nobody reads it", f.Name)
		}
	}
}

// selectors collects the X of all pkg.X in the module's code, this package and
// tests aside.
func selectors(t *testing.T, root, pkg string) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipDir(d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !isCode(path) || filepath.Dir(path) == filepath.Join(root, "pkg", pkg):
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

func hasCode(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isCode(e.Name()) })
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
	write("pkg/semconv/s.go", "package semconv\nvar _ = semconv.Own\n")
	write("a/testdata/t.go", "package t\nvar _ = semconv.Data\n")
	write("a/broken.go", "package")
	used := selectors(t, dir, "semconv")
	if len(used) != 1 || !used["Used"] {
		t.Errorf("found %v, want Used alone", used)
	}
	if !hasCode(filepath.Join(dir, "a")) || hasCode(filepath.Join(dir, "pkg")) || hasCode(filepath.Join(dir, "none")) {
		t.Error("a directory with code is not told from one without")
	}
}
