package resources_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
)

var update = flag.Bool("update", false, "write the generated parts of docs/semconv.md")

const page = "../../docs/semconv.md"

// TestDocs compares two tables of the documentation with what the code does, and
// writes them with -update.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	for name, part := range map[string]string{"carrier": carrierTable(), "slurm": slurmTable()} {
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
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("the page is behind: go test ./pkg/resources -update (-want +got)\n%s", diff)
	}
}

// replacePart puts new text between the two markers of a part.
func replacePart(text, name, part string) (string, error) {
	begin, end := "<!-- generated: "+name+" -->\n", "<!-- end: "+name+" -->"
	before, rest, ok1 := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return "", fmt.Errorf("%s has no part between %q and %q", page, begin, end)
	}
	return before + begin + "\n" + part + "\n" + end + after, nil
}

func TestReplacePart(t *testing.T) {
	got, err := replacePart("a\n<!-- generated: x -->\nold<!-- end: x -->\nb", "x", "new\n")
	if want := "a\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nb"; got != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if _, err := replacePart("<!-- generated: x -->\n", "x", ""); err == nil {
		t.Error("a part without an end was found")
	}
}

func carrierTable() string {
	var b strings.Builder
	b.WriteString("| carrier | attributes | because |\n| --- | --- | --- |\n")
	for _, c := range carrierForms() {
		got, warnings := resources.Parse(c.carrier)
		text := "none"
		if len(got) > 0 {
			text = "`" + strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%q", got), "map["), "]") + "`"
		}
		if len(warnings) > 0 {
			text += ", one warning"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", c.carrier, text, c.why)
	}
	return b.String()
}

func slurmTable() string {
	var b strings.Builder
	b.WriteString("| attribute | from |\n| --- | --- |\n")
	b.WriteString("| `slurm.job.id` | `SLURM_ARRAY_JOB_ID` and `SLURM_ARRAY_TASK_ID` joined by `_` in an array, else `SLURM_JOB_ID` |\n")
	b.WriteString("| `slurm.job.id.raw` | `SLURM_JOB_ID` |\n")
	for _, row := range resources.SlurmVariables() {
		from := row[1]
		if row[2] != "" {
			from += ", else " + row[2]
		}
		if row[0] == "slurm.head_node.name" {
			from += ", only outside of a step"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", row[0], from)
	}
	return b.String()
}
