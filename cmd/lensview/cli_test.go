package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestErrorsAreOneLineWithTheWayOut(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"no terminal", nil, exitUsage, []string{"need a terminal", "lensview record", "lensview report"}},
		{"demo without a terminal", []string{"demo"}, exitUsage, []string{"need a terminal"}},
		{"unknown command", []string{"reprot"}, exitUsage, []string{`unknown command "reprot"`, `did you mean "report"`}},
		{"unknown flag", []string{"report", "--fromat", "json", "x"}, exitUsage, []string{"--fromat", "lensview report --help"}},
		{"no path", []string{"report"}, exitUsage, []string{"needs a PATH"}},
		{"missing file", []string{"report", "no/such/file"}, exitFailed, []string{"no/such/file"}},
		{"bad format", []string{"report", "--format", "xml", "testdata/hostile.jsonl"}, exitUsage, []string{`"xml"`, "json"}},
		{"bad filter", []string{"report", "--filter", "rank ~ 3", "testdata/hostile.jsonl"}, exitUsage, []string{"--filter", "col 6"}},
		{"bad size", []string{"report", "--memory", "lots", "testdata/hostile.jsonl"}, exitUsage, []string{`"lots"`, "512MiB"}},
		{"size without its unit", []string{"report", "--memory", "4", "testdata/hostile.jsonl"}, exitUsage, []string{"--memory 4", "16MiB", "bytes"}},
		{"a time without a unit", []string{"report", "--last", "5", "x"}, exitUsage, []string{`"5" for "--last"`, "such as 90s, 30m or 48h; see"}},
		{"a time in days", []string{"env", "--wait", "1d"}, exitUsage, []string{`"1d" for "--wait"`, "such as 90s"}},
		{"open nothing", []string{"open", t.TempDir()}, exitFailed, []string{"no file in"}},
		{"open from stdin", []string{"open", "-"}, exitUsage, []string{"keyboard", "report -"}},
		{"header without a value", []string{"simulate", "--header", "secret"}, exitUsage, []string{"--header number 1"}},
		{"endless file", []string{"simulate", "-o", "x"}, exitUsage, []string{"--iterations"}},
		{"no such run", []string{"report", "--run", "r9", "testdata/hostile.jsonl"}, exitFailed, []string{`no run "r9"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, _, errs := cli(t, "", tt.args...)
			if code != tt.code {
				t.Errorf("exit %d, want %d (%s)", code, tt.code, errs)
			}
			if strings.Count(errs, "\n") != 1 || strings.Contains(errs, "Usage:") {
				t.Errorf("not one line: %q", errs)
			}
			for _, want := range tt.want {
				if !strings.Contains(errs, want) {
					t.Errorf("%q lacks %q", errs, want)
				}
			}
		})
	}
}

func TestSecretsStayOutOfErrors(t *testing.T) {
	_, out, errs := cli(t, "", "simulate", "--iterations", "1", "--endpoint", "http://user:hunter2@127.0.0.1:1", "--header", "x-lensview-token=hunter3", "--protocol", "nope")
	if strings.Contains(out+errs, "hunter") {
		t.Errorf("a secret shows in %q %q", out, errs)
	}
}

func TestHostileTextIsShownAsPlaceholders(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		code, out, errs := cli(t, "", "report", "--format", format, "testdata/hostile.jsonl")
		if code != exitOK || strings.ContainsAny(out+errs, "\x1b\x07\u009b\u202e\r") {
			t.Errorf("%s: exit %d, output %q %q", format, code, out, errs)
		}
	}
}

func TestExportComesBackEqual(t *testing.T) {
	src := shared(t, "collector-mixed.otlp.jsonl.gz")
	first := filepath.Join(t.TempDir(), "first.jsonl")
	if code, _, errs := cli(t, "", "export", "-o", first, src); code != exitOK {
		t.Fatal(errs)
	}
	code, second, errs := cli(t, "", "export", first)
	if code != exitOK {
		t.Fatal(errs)
	}
	b, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) != second {
		t.Error("an export of an export differs from it")
	}
	if code, _, errs := cli(t, "", "export", "-o", first, src); code != exitFailed || !strings.Contains(errs, "exists") {
		t.Errorf("an existing file is not refused: exit %d, %q", code, errs)
	}
}

func TestDamageIsReportedAndNothingElseLost(t *testing.T) {
	good := spanLine(1, 1, false)
	in := "\ufeff" + good + "garbage\n" + spanLine(2, 1, false) + `{"resourceSpans":[{"reso`
	code, out, _ := cli(t, in, "report", "-")
	if code != exitOK {
		t.Fatalf("exit %d", code)
	}
	for _, want := range []string{"2 spans", "1 bad record", "stdin:2:", "incomplete last line"} {
		if !strings.Contains(out, want) {
			t.Errorf("report lacks %q:\n%s", want, out)
		}
	}
	if code, _, errs := cli(t, in, "report", "--strict", "-"); code != exitFailed {
		t.Errorf("--strict: exit %d, %s", code, errs)
	}
}

func TestNothingReadIsAnError(t *testing.T) {
	code, _, errs := cli(t, "\n", "report", "-")
	if code != exitFailed || !strings.Contains(errs, "nothing was read") {
		t.Errorf("exit %d, %q", code, errs)
	}
}
