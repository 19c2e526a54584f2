package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func markdownOf(t *testing.T, r Report) string {
	t.Helper()
	var buf bytes.Buffer
	if err := WriteMarkdown(&buf, r); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (run with -update after a wanted change):\n%s", path, got)
	}
}

func TestMarkdown(t *testing.T) {
	out := markdownOf(t, build(t, simulated(t, slow), Options{Sources: []Source{{Path: "run.otlp.jsonl", Spans: 7, BadRecords: 1}}}))
	golden(t, "slow.md.golden", out)
	if n := strings.Count(out, "\n"); n > 60 {
		t.Errorf("%d lines are no message", n)
	}
}

// Words from telemetry make no table, link, mention, heading or HTML.
func TestMarkdownOfHostileWords(t *testing.T) {
	evil := "a|b`c`<img src=x>[x](http://evil)*y*\n# head\x1b[2J @all"
	r := Report{Runs: []Run{
		{ID: evil, Service: evil, Iterations: &Iterations{}, Verdict: &Verdict{State: "SLOW", Summary: evil, Evidence: []string{evil}, CannotTell: []string{evil}},
			Notices: []Notice{{"x", "warning", evil}}, Stragglers: []Straggler{{Unit: evil, Ranks: []int{1, 2}, Hosts: []string{evil}, Level: "warning"}}},
	}, Sources: []Source{{Path: evil}}}
	for line := range strings.Lines(markdownOf(t, r)) {
		for _, bad := range []string{"<img", "\n# head", "\x1b", "[x](", "*y*"} {
			outside := strings.Join(everySecond(strings.Split(strings.ReplaceAll(line, "\\`", ""), "`")), "")
			if strings.Contains(strings.ReplaceAll(outside, "\\"+bad[:1], ""), bad) {
				t.Errorf("%q is in %s", bad, line)
			}
		}
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 3 {
			t.Errorf("a row has another number of cells: %s", line)
		}
	}
}

// everySecond is what stands outside of code spans.
func everySecond(parts []string) (out []string) {
	for i := 0; i < len(parts); i += 2 {
		out = append(out, parts[i])
	}
	return out
}

func TestMarkdownOfNothing(t *testing.T) {
	if out := markdownOf(t, Report{}); !strings.HasPrefix(out, "No run: ") {
		t.Errorf("%q", out)
	}
}
