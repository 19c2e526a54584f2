package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// commands is the root and all commands below it, but for those that the command
// library adds.
func commands(t *testing.T) []*cobra.Command {
	t.Helper()
	root := newRoot(env{getenv: getenv()})
	out := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.Name() != "help" && c.Name() != "completion" {
			out = append(out, c)
		}
	}
	return out
}

func TestEveryCommandHasExamples(t *testing.T) {
	for _, c := range commands(t) {
		code, out, _ := cli(t, "", append(strings.Fields(c.CommandPath())[1:], "--help")...)
		if code != exitOK || !strings.Contains(out, "Examples:\n  ") || !strings.Contains(out, "lensview") {
			t.Errorf("%s --help: exit %d\n%s", c.CommandPath(), code, out)
		}
	}
}

func TestExitCodesAreDocumented(t *testing.T) {
	_, out, _ := cli(t, "", "--help")
	for _, want := range []string{"0 done", "1 the work", "2 the command line", "3 'report --fail-on'", "128 + n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in the help", want)
		}
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, out, errs := cli(t, "", "completion", shell)
		if code != exitOK || !strings.Contains(out, "lensview") || errs != "" {
			t.Errorf("%s: exit %d, %d bytes, %q", shell, code, len(out), errs)
		}
	}
	if code, _, errs := cli(t, "", "completion", "tcsh"); code != exitUsage || strings.Count(errs, "\n") != 1 {
		t.Errorf("tcsh: exit %d, %q", code, errs)
	}
	_, out, _ := cli(t, "", "__complete", "rep")
	if !strings.Contains(out, "report") {
		t.Errorf("rep completes to %q", out)
	}
	_, out, _ = cli(t, "", "__complete", "demo", "--theme", "")
	if !strings.Contains(out, "mono") {
		t.Errorf("--theme completes to %q", out)
	}
}

func TestMan(t *testing.T) {
	code, out, errs := cli(t, "", "man")
	if code != exitOK || !strings.HasPrefix(out, ".TH \"LENSVIEW\" 1") || !strings.Contains(out, "lensview") || !strings.Contains(out, "Exit codes") {
		t.Errorf("exit %d, %s, %.300q", code, errs, out)
	}
	dir := filepath.Join(t.TempDir(), "man1")
	if code, _, errs := cli(t, "", "man", dir); code != exitOK {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for _, c := range commands(t) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "EXAMPLE") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if code, _, errs := cli(t, "", "man", "a", "b"); code != exitUsage || strings.Count(errs, "\n") != 1 {
		t.Errorf("two directories: exit %d, %q", code, errs)
	}
}

// A line that begins with a dot is a request to troff: only our own may.
func TestManEscapes(t *testing.T) {
	requests := []string{".TH", ".SH", ".PP", ".TP", ".B ", ".BI", ".BR", ".nf", ".fi"}
	for _, c := range commands(t) {
		for line := range strings.Lines(manPage(c)) {
			ours := line == "" || line[0] != '.' && line[0] != '\''
			for _, r := range requests {
				ours = ours || strings.HasPrefix(line, r)
			}
			if !ours {
				t.Errorf("%s: %q", c.CommandPath(), line)
			}
		}
	}
	if got := roff(".hidden\n'x' a\\b --flag"); got != "\\&.hidden\n\\&'x' a\\eb \\-\\-flag" {
		t.Errorf("escaped: %q", got)
	}
}
