package semconv_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

var update = flag.Bool("update", false, "write the generated parts of docs/semconv.md")

const page = "../../docs/semconv.md"

// TestDocs compares the generated parts of docs/semconv.md with the table, and
// writes them with -update. The rest of the page is written by hand.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	want := got
	for name, part := range map[string]string{
		"namespaces": namespaceTable(), "spellings": spellingTable(), "integers": integerList(), "names": nameTables(),
	} {
		if want, err = replacePart(want, name, part); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the page is behind the table: go test ./pkg/semconv -update (-want +got)\n%s", diff)
	}
}

// TestDocsVersion finds the upstream version in the text.
func TestDocsVersion(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "`"+semconv.Version+"`") {
		t.Errorf("the page does not say that upstream is followed at %s", semconv.Version)
	}
}

// replacePart puts new text between the two markers of a part.
func replacePart(text, name, part string) (string, error) {
	begin, end := "<!-- generated: "+name+" -->\n", "<!-- end: "+name+" -->"
	head, rest, ok := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 || strings.Contains(tail, begin) {
		return "", fmt.Errorf("%s needs the markers %q and %q once each", page, begin, end)
	}
	return head + begin + "\n" + part + "\n" + end + tail, nil
}

func TestReplacePart(t *testing.T) {
	page := "a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb\n"
	got, err := replacePart(page, "x", "new\n")
	if want := "a\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nb\n"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, bad := range []string{"", "<!-- generated: x -->\n", page + page} {
		if _, err := replacePart(bad, "x", ""); err == nil {
			t.Errorf("%q has its markers once each", bad)
		}
	}
}

func namespaceTable() string {
	var b strings.Builder
	b.WriteString("| namespace | of | stability | for |\n| --- | --- | --- | --- |\n")
	for _, n := range semconv.Namespaces() {
		owner := "ours"
		if n.Upstream {
			owner = "upstream"
		}
		fmt.Fprintf(&b, "| `%s*` | %s | %s | %s |\n", n.Prefix, owner, n.Stability, n.Doc)
	}
	return b.String()
}

// spellingTable lists the facts that have more than one spelling.
func spellingTable() string {
	var facts []string
	keys := map[string][]string{}
	for _, f := range semconv.Fields() {
		if f.Fact != "" && !slices.Contains(facts, f.Fact) {
			facts = append(facts, f.Fact)
		}
		keys[f.Fact] = append(keys[f.Fact], "`"+f.Key+"`")
	}
	var b strings.Builder
	b.WriteString("| fact | spellings |\n| --- | --- |\n")
	for _, fact := range facts {
		if len(keys[fact]) > 1 {
			fmt.Fprintf(&b, "| `%s` | %s |\n", fact, strings.Join(keys[fact], ", "))
		}
	}
	return b.String()
}

func integerList() string {
	var b strings.Builder
	for _, f := range semconv.ResourceFields() {
		if semconv.ResourceTypes()[f.Key] == semconv.IntType {
			fmt.Fprintf(&b, "- `%s`\n", f.Key)
		}
	}
	return b.String()
}

// nameTables is one table per namespace, and one for the names that are read
// only.
func nameTables() string {
	const head = "| name | Go | type | unit | where | there | is |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	var b strings.Builder
	section := ""
	for _, f := range semconv.Fields() {
		title := "Read only"
		if f.Presence != semconv.ReadOnly {
			ns, _ := semconv.NamespaceOf(f.Key)
			title = "`" + ns.Prefix + "*`"
		}
		if title != section {
			if section != "" {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "### %s\n\n%s", title, head)
			section = title
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s | %s |\n", f.Key, f.Name, f.Type, f.Unit, f.Where, f.Presence, f.Doc)
	}
	return b.String()
}
