// Package internal_test holds the house to its arrows: which package may import
// which.
package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/beamline-hpc/lensview/"

// arrow is one row of the table in docs/ARCHITECTURE.md. A pattern ends in /* for
// the packages directly below; of two rows that fit the longer pattern counts. A
// package without a row has the row of the nearest package above it, and may
// import its own family.
type arrow struct {
	pkg string
	may []string
}

func arrows() []arrow {
	return []arrow{
		{"cmd/lensview", []string{"pkg/*", "internal/*", "internal/ingest/*", "internal/ui/*"}},

		{"pkg/semconv", nil},
		{"pkg/resources", []string{"pkg/semconv"}},
		{"pkg/telemetry", []string{"pkg/semconv", "pkg/resources"}},

		{"examples/trainjob", []string{"pkg/*"}}, // what a program outside may import

		{"internal/earlyterm", nil},
		{"internal/clean", nil},
		{"internal/run", []string{"pkg/semconv"}},
		{"internal/otlp", []string{"internal/run", "pkg/semconv"}},
		{"internal/store", []string{"internal/run", "internal/otlp"}},
		{"internal/ingest", []string{"internal/otlp", "internal/run"}},
		{"internal/record", []string{"internal/otlp", "internal/run"}},
		{"internal/query", []string{"internal/run", "internal/store"}},
		{"internal/analysis", []string{"internal/run", "internal/store"}},
		{"internal/report", []string{"internal/analysis", "internal/query", "internal/run", "internal/store", "internal/clean"}},
		{"internal/simulate", []string{"pkg/*", "internal/otlp", "internal/run"}},
		{"internal/simulate/simtest", []string{"internal/simulate", "internal/store", "internal/otlp", "internal/run"}}, // for tests

		{"internal/config", []string{"internal/run"}},

		{"internal/ui/theme", nil},
		{"internal/ui/draw", []string{"internal/ui/theme", "internal/clean"}},
		{"internal/ui/screen", []string{"internal/run", "internal/store", "internal/query", "internal/ui/theme"}},
		{"internal/ui/uitest", []string{ // fixtures and checks for the tests of screens
			"internal/run", "internal/otlp", "internal/store", "internal/query", "internal/simulate", "internal/simulate/*",
			"internal/ui/screen", "internal/ui/draw", "internal/ui/theme"}},
		{"internal/ui/*", []string{ // each screen, and never another one
			"internal/run", "internal/store", "internal/query", "internal/analysis",
			"internal/ui/screen", "internal/ui/draw", "internal/ui/theme"}},
		{"internal/ui", []string{ // all its screens; the filter line parses, the header draws notices
			"internal/ui/*", "internal/store", "internal/query", "internal/run"}},
	}
}

// onlyIn is the libraries that may not spread.
func onlyIn() []arrow {
	return []arrow{
		{"github.com/charmbracelet/", []string{"cmd/lensview", "internal/ui", "internal/ui/*"}},
		{"github.com/muesli/termenv", []string{"cmd/lensview", "internal/ui", "internal/ui/*"}},
	}
}

// refused says why pkg may not import path, or "" when it may. Both are relative
// to the module when they are ours.
func refused(pkg, path string) string {
	own, ours := strings.CutPrefix(path, module)
	if !ours {
		return refusedLibrary(pkg, path)
	}
	row, ok := rowOf(pkg)
	switch {
	case strings.HasPrefix(own, "cmd/"):
		return "commands are imported by nobody"
	case strings.HasPrefix(pkg, "pkg/") && strings.HasPrefix(own, "internal/"):
		return "pkg never imports internal"
	case !ok:
		return "the importing package has no row in internal/arrows_test.go: add one"
	case matchesAny(row.may, own) || family(row.pkg, pkg, own):
		return ""
	}
	return "no arrow leads there"
}

// family says that both are the package of a row or below it. Screens are
// strangers to each other though one row holds for all.
func family(rowPkg, pkg, own string) bool {
	if strings.HasSuffix(rowPkg, "/*") {
		parts := strings.SplitN(pkg, "/", strings.Count(rowPkg, "/")+2)
		rowPkg = strings.Join(parts[:min(len(parts), strings.Count(rowPkg, "/")+1)], "/")
	}
	return rowPkg != "internal/ui" && below(own, rowPkg)
}

func refusedLibrary(pkg, path string) string {
	for _, lib := range onlyIn() {
		if strings.HasPrefix(path, lib.pkg) && !matchesAny(lib.may, pkg) {
			return "only " + strings.Join(lib.may, ", ") + " may know the terminal"
		}
	}
	if pkg == "internal/earlyterm" && strings.Contains(path, ".") {
		return "earlyterm must be initialised before every library"
	}
	return ""
}

// rowOf finds the row of a package, or of the nearest package above it.
func rowOf(pkg string) (arrow, bool) {
	for ; pkg != "." && pkg != "internal" && pkg != "pkg" && pkg != "cmd"; pkg = filepath.ToSlash(filepath.Dir(pkg)) {
		best := arrow{}
		for _, a := range arrows() {
			if matches(a.pkg, pkg) && len(a.pkg) > len(best.pkg) {
				best = a
			}
		}
		for _, a := range arrows() { // a row of its own comes before a pattern
			if a.pkg == pkg {
				best = a
			}
		}
		if best.pkg != "" {
			return best, true
		}
	}
	return arrow{}, false
}

func matches(pattern, pkg string) bool {
	parent, wild := strings.CutSuffix(pattern, "/*")
	if !wild {
		return pattern == pkg
	}
	rest, ok := strings.CutPrefix(pkg, parent+"/")
	return ok && rest != "" && !strings.Contains(rest, "/")
}

func matchesAny(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, pkg) })
}

func below(pkg, top string) bool { return pkg == top || strings.HasPrefix(pkg, top+"/") }

// broken reads the imports of all non-test files below root and returns one
// line for each that is refused.
func broken(root string) ([]string, error) {
	var lines []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name := d.Name(); path != root && (name == "testdata" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		found, err := brokenIn(root, path)
		lines = append(lines, found...)
		return err
	})
	return lines, err
}

func brokenIn(root, path string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	rel = filepath.ToSlash(rel)
	var lines []string
	for _, imp := range file.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return nil, err
		}
		if why := refused(filepath.ToSlash(filepath.Dir(rel)), name); why != "" {
			lines = append(lines, rel+" imports "+name+": "+why)
		}
	}
	return lines, nil
}

func TestArrows(t *testing.T) {
	lines, err := broken("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		t.Error(line)
	}
}

// TestRefused proves that the table refuses and allows.
func TestRefused(t *testing.T) {
	tests := []struct {
		pkg, path string
		allowed   bool
	}{
		{"internal/run", module + "pkg/semconv", true},
		{"internal/run", module + "internal/store", false},
		{"internal/otlp", module + "internal/store", false},
		{"internal/store", module + "internal/otlp", true},
		{"internal/store", module + "internal/ui/draw", false},
		{"internal/store", module + "internal/query", false},
		{"internal/ingest", module + "internal/store", false},
		{"internal/query", module + "internal/analysis", false},
		{"internal/analysis", module + "internal/report", false},
		{"internal/analysis", "github.com/charmbracelet/lipgloss", false},
		{"internal/report", module + "internal/analysis", true},
		{"internal/report", module + "internal/ui/theme", false},
		{"internal/simulate", module + "pkg/telemetry", true},
		{"internal/simulate", module + "internal/store", false},
		{"internal/ui/theme", module + "internal/run", false},
		{"internal/ui/draw", module + "internal/ui/theme", true},
		{"internal/ui/draw", module + "internal/store", false},
		{"internal/ui/screen", module + "internal/ui/draw", false},
		{"internal/ui/ranks", module + "internal/analysis", true},
		{"internal/ui/ranks", module + "internal/ui/draw", true},
		{"internal/ui/ranks", module + "internal/ui/trace", false},
		{"internal/ui/ranks", module + "internal/ui/ranks/table", true},
		{"internal/ui/ranks/table", module + "internal/ui/draw", true},
		{"internal/ui/ranks/table", module + "internal/ui/trace", false},
		{"internal/ui/ranks", module + "internal/ui", false},
		{"internal/ui/ranks", module + "internal/ingest", false},
		{"internal/ui", module + "internal/ui/ranks", true},
		{"internal/ui", module + "internal/ingest", false},
		{"internal/ui", module + "internal/analysis", false},
		{"internal/ui", "github.com/charmbracelet/bubbletea", true},
		{"internal/otlp/wire", module + "internal/run", true},
		{"internal/otlp/wire", module + "internal/otlp", true},
		{"internal/otlp/wire", module + "internal/store", false},
		{"internal/brandnew", module + "internal/run", false},
		{"internal/brandnew", "strings", true},
		{"internal/earlyterm", "os", true},
		{"internal/earlyterm", "golang.org/x/term", false},
		{"pkg/semconv", module + "internal/run", false},
		{"pkg/semconv", module + "pkg/resources", false},
		{"pkg/resources", module + "pkg/semconv", true},
		{"pkg/telemetry", module + "pkg/resources", true},
		{"pkg/telemetry", module + "internal/otlp", false},
		{"cmd/lensview", module + "internal/ui/trace", true},
		{"cmd/lensview", module + "internal/store", true},
		{"examples/trainjob", module + "pkg/telemetry", true},
		{"examples/trainjob", module + "internal/store", false},
		{"cmd/other", module + "cmd/lensview", false},
		{"internal/ui", module + "cmd/lensview", false},
		{"tools/gen", module + "cmd/lensview", false},
	}
	for _, tt := range tests {
		if why := refused(tt.pkg, tt.path); (why == "") != tt.allowed {
			t.Errorf("%s → %s: allowed %t (%s)", tt.pkg, tt.path, why == "", why)
		}
	}
}

// TestBrokenIsFound proves that the reader sees a forbidden import in a file,
// and overlooks tests and test data.
func TestBrokenIsFound(t *testing.T) {
	root := t.TempDir()
	write := func(name, imported string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		code := "//go:build never\n\npackage p\n\nimport (\n\t\"fmt\"\n\tx \"" + imported + "\"\n)\n"
		if err := os.WriteFile(path, []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("internal/store/good.go", module+"internal/run")
	write("internal/store/bad.go", module+"internal/ui/draw")
	write("internal/store/bad_test.go", module+"internal/ui/draw")
	write("internal/store/testdata/bad.go", module+"internal/ui/draw")
	write("pkg/semconv/bad.go", module+"internal/run")
	lines, err := broken(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"internal/store/bad.go imports " + module + "internal/ui/draw: no arrow leads there",
		"pkg/semconv/bad.go imports " + module + "internal/run: pkg never imports internal",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	write("internal/run/broken.go", `"`)
	if _, err := broken(root); err == nil {
		t.Error("a file that cannot be read is passed over")
	}
}

// TestRowsExist keeps the table from growing stale: every package of this house
// has a row or a parent with one, and rows name no package twice.
func TestRowsExist(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range arrows() {
		if seen[a.pkg] {
			t.Errorf("%s has two rows", a.pkg)
		}
		seen[a.pkg] = true
	}
	dirs, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if info, err := os.Stat(d); err == nil && info.IsDir() && !seen["internal/"+d] {
			t.Errorf("internal/%s has no row", d)
		}
	}
}
