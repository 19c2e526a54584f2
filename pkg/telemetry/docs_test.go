package telemetry_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const page = "../../docs/sdk.md"

func readPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// firstProgram is the program that the page begins with.
func firstProgram(t *testing.T) string {
	t.Helper()
	m := regexp.MustCompile("(?s)```go\n(package main.*?)```").FindStringSubmatch(readPage(t))
	if m == nil {
		t.Fatal("no program on the page")
	}
	return m[1]
}

// TestTenLines: the first program of the page is ten lines or less in main. In a module
// elsewhere it builds against the three packages, without a network, and puts a span on
// the console.
func TestTenLines(t *testing.T) {
	program := firstProgram(t)
	body := program[strings.Index(program, "func main"):]
	if n := strings.Count(body, "\n"); n > 10 {
		t.Errorf("main has %d lines", n)
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := outsideModule(t, program)
	job := filepath.Join(dir, "job")
	build := exec.Command("go", "build", "-mod=mod", "-o", job, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(job)
	cmd.Env = append(os.Environ(), "NEMO_LENS_ENABLED=1", "NEMO_LENS_EXPORTER=console", "CUDA_VISIBLE_DEVICES=-1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"name":"hello"`) || !strings.Contains(string(out), `{"key":"to","value":{"stringValue":"world"}}`) {
		t.Errorf("%v: %s", err, out)
	}
}

// outsideModule is the directory of a module elsewhere with a program, which imports the
// two other packages too.
func outsideModule(t *testing.T, program string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err1 := os.ReadFile(filepath.Join(root, "go.mod"))
	sum, err2 := os.ReadFile(filepath.Join(root, "go.sum"))
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	const path = "github.com/beamline-hpc/lensview"
	outside := strings.Replace(string(mod), "module "+path, "module example.org/job", 1) +
		"\nrequire " + path + " v0.0.0\nreplace " + path + " => " + root + "\n"
	program = strings.Replace(program, "import (", "import (\n_ \""+path+"/pkg/resources\"\n_ \""+path+"/pkg/semconv\"\n", 1)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": outside, "go.sum": string(sum), "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPageNamesVariables: each variable that the code reads is on the page, and each
// that the page says has this library's prefix is read.
func TestPageNamesVariables(t *testing.T) {
	text := readPage(t)
	code, err := os.ReadFile("env.go")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	for _, m := range regexp.MustCompile(`r\.\w+\("([A-Z_]+)"`).FindAllStringSubmatch(string(code), -1) {
		read[m[1]] = true
		if !strings.Contains(text, "`"+m[1]+"`") {
			t.Errorf("%s is not on the page", m[1])
		}
	}
	if len(read) != 12 {
		t.Errorf("%d variables", len(read))
	}
	for _, m := range regexp.MustCompile(`NEMO_LENS_([A-Z_]+)`).FindAllStringSubmatch(text, -1) {
		if !read[m[1]] {
			t.Errorf("the page says NEMO_LENS_%s, which nobody reads", m[1])
		}
	}
}

// TestEverythingIsDocumented: each exported identifier and method of the three packages.
func TestEverythingIsDocumented(t *testing.T) {
	for _, dir := range []string{".", "../resources", "../semconv"} {
		p := docOf(t, dir)
		need := func(name, text string) {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s is not documented", dir, name)
			}
		}
		values := func(vs []*doc.Value) {
			for _, v := range vs {
				need(strings.Join(v.Names, ", "), v.Doc)
			}
		}
		need("the package", p.Doc)
		for _, f := range p.Funcs {
			need(f.Name, f.Doc)
		}
		for _, ty := range p.Types {
			need(ty.Name, ty.Doc)
			values(ty.Vars)
			for _, f := range append(ty.Funcs, ty.Methods...) {
				need(ty.Name+"."+f.Name, f.Doc)
			}
		}
		values(p.Vars)
		if dir != "../semconv" { // whose groups of names are documented one by one: TestTableIsWhole there
			values(p.Consts)
		}
	}
}

// docOf is a package as go doc shows it.
func docOf(t *testing.T, dir string) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range codeIn(t, dir) {
		if strings.HasSuffix(name, "_other.go") { // the same for other systems
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "example.org/"+filepath.Base(dir))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// codeIn is the files of a directory without tests.
func codeIn(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no code in %s: %v", dir, err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// TestImports: what a job links is no part of the viewer: of this module the three
// packages and what is theirs alone, and no terminal.
func TestImports(t *testing.T) {
	const module = "github.com/beamline-hpc/lensview/"
	own, err := filepath.Glob("internal/*")
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	for _, dir := range append(own, ".", "../resources", "../semconv") {
		for _, name := range codeIn(t, dir) {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				path := strings.Trim(i.Path.Value, `"`)
				if rest, ours := strings.CutPrefix(path, module); ours && !strings.HasPrefix(rest, "pkg/") || strings.Contains(path, "charmbracelet") {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
