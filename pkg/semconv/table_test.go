package semconv_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// constant is one string constant of the package's source.
type constant struct{ name, value, doc string }

// constants reads the exported string constants, Version aside, in source
// order by name.
func constants(t *testing.T) map[string]constant {
	t.Helper()
	all := map[string]constant{}
	for _, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
				return true
			}
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING && spec.Names[0].Name != "Version" {
				value, _ := strconv.Unquote(lit.Value)
				all[spec.Names[0].Name] = constant{spec.Names[0].Name, value, flat(spec.Doc.Text())}
				if spec.Type != nil {
					t.Errorf("%s is typed: names are untyped constants", spec.Names[0].Name)
				}
			}
			return true
		})
	}
	return all
}

// sources parses the package's files without the tests.
func sources(t *testing.T) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestTableIsWhole holds constants and table against each other: every constant
// has its row, every row its constant, and the comment of a constant says what
// its row says.
func TestTableIsWhole(t *testing.T) {
	consts := constants(t)
	keys := map[string]string{}
	for _, f := range semconv.Fields() {
		c, ok := consts[f.Name]
		switch {
		case !ok:
			t.Errorf("the row of %s names the constant %s, which does not exist (or has two rows)", f.Key, f.Name)
		case c.value != f.Key:
			t.Errorf("%s is %q in the table and %q in the source", f.Name, f.Key, c.value)
		case c.doc != flat(f.Comment()):
			t.Errorf("comment of %s:\n got %s\nwant %s", f.Name, c.doc, f.Comment())
		case keys[f.Key] != "":
			t.Errorf("%s and %s are the same name", f.Name, keys[f.Key])
		}
		keys[f.Key] = f.Name
		delete(consts, f.Name)
	}
	for name := range consts {
		t.Errorf("%s has no row in the table", name)
	}
}

func TestRowsAreSane(t *testing.T) {
	for _, f := range semconv.Fields() {
		ns, ours := semconv.NamespaceOf(f.Key)
		switch {
		case f.Where == 0 || f.Where.String() == "nowhere":
			t.Errorf("%s goes nowhere", f.Key)
		case f.Where.Has(semconv.AsMetric) && (f.Where != semconv.AsMetric || f.Type != semconv.FloatType && f.Type != semconv.IntType || f.Unit == ""):
			t.Errorf("%s is a metric and more, or has no number or unit", f.Key)
		case f.Unit != "" && f.Type != semconv.IntType && f.Type != semconv.FloatType:
			t.Errorf("%s is a %s with the unit %s", f.Key, f.Type, f.Unit)
		case !ours && f.Presence != semconv.ReadOnly:
			t.Errorf("%s is written and belongs to no namespace", f.Key)
		case f.Doc == "" || strings.HasSuffix(f.Doc, "."):
			t.Errorf("%s: doc %q does not complete a sentence", f.Key, f.Doc)
		case ours && f.Stability() != ns.Stability || !ours && f.Stability() != semconv.Unspecified:
			t.Errorf("%s is %s in a namespace that is %s", f.Key, f.Stability(), ns.Stability)
		}
	}
}

// TestGoNames says that the constant of a name can be guessed from the name.
func TestGoNames(t *testing.T) {
	for _, f := range semconv.Fields() {
		if got := goName(f.Key); got != f.Name {
			t.Errorf("%s is called %s, want %s", f.Key, f.Name, got)
		}
	}
}

// goName spells a name in Go: words begin with a capital, initialisms are all
// capitals.
func goName(key string) string {
	special := map[string]string{
		"nv": "NV", "dl": "DL", "gpu": "GPU", "ai": "AI", "k8s": "K8S", "id": "ID", "uid": "UID", "uuid": "UUID", "pid": "PID",
		"tp": "TP", "pp": "PP", "dp": "DP", "cuda": "CUDA", "nccl": "NCCL", "tflops": "TFLOPS", "pci": "PCI", "rl": "RL",
		"qos": "QOS", "sluid": "SLUID", "nnodes": "NNodes", "ntasks": "NTasks",
	}
	var b strings.Builder
	for _, word := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '_' }) {
		if s, ok := special[word]; ok {
			b.WriteString(s)
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// TestFacts says which spellings are one fact, the newest first.
func TestFacts(t *testing.T) {
	got := map[string][]string{}
	for _, f := range semconv.Fields() {
		if f.Fact != "" {
			got[f.Fact] = append(got[f.Fact], f.Key)
		}
	}
	want := map[string][]string{
		"rank": {"nv.dl.rank", "dl.rank"}, "world_size": {"nv.dl.world_size", "dl.world_size"}, "local_rank": {"nv.dl.local_rank", "dl.local_rank"},
		"tp.size": {"nv.dl.topology.size.tp", "dl.tensor_parallel.size"}, "pp.size": {"nv.dl.topology.size.pp", "dl.pipeline_parallel.size"},
		"dp.size": {"nv.dl.topology.size.dp", "dl.data_parallel.size"},
		"tp":      {"dl.tensor_parallel.rank"}, "pp": {"dl.pipeline_parallel.rank"}, "dp": {"dl.data_parallel.rank"},
		"run": {"nemo.run.id"}, "attempt": {"nv.dl.run.uuid", "nemo.lens.run_uuid"}, "job_uuid": {"nv.dl.job.uuid", "nemo.lens.job_uuid"},
		"iter":      {"dl.iteration", "nv.dl.training.step", "rl.iteration", "megatron.iteration", "iteration"},
		"gpu.index": {"nv.gpu.index", "dl.gpu.index"}, "gpu.model": {"nv.gpu.model", "dl.gpu.name"}, "gpu.uuid": {"nv.gpu.uuid", "dl.gpu.uuid"},
		"role": {"nv.dl.role", "rl.worker_group"}, "cluster": {"slurm.cluster.name", "slurm.cluster"},
		"host": {"host.name"}, "service": {"service.name"}, "truncated": {"nemo.span.truncated"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
