package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// awkward are values that shells would like to read their own way.
func awkward() []string {
	return []string{"", "plain", "two words", "it's", `a"b`, "$HOME `id` $(id)", `back\slash\`, "*?[x]", "!history", "a;b&c|d<e>f", "ümlaut", "line\nbreak", "~", "#no", "-n", "a=b,c%20d"}
}

// What sh makes of the lines is what was meant, with quotes around the command
// substitution or without.
func TestShellTakesWhatIsMeant(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "to ken'")
	if err := os.WriteFile(secret, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, v := range awkward() {
		var out bytes.Buffer
		all := []setting{{name: "LV_V", value: v}, {name: "LV_S", value: "x=", secret: secret}, {name: "LV_OLD", unset: true}}
		if err := shells()["sh"].write(&out, all); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "s3cret") {
			t.Fatal("the secret is printed")
		}
		cmd := exec.Command("sh", "-c", `eval "$LINES"; printf '%s|%s|%s' "$LV_V" "$LV_S" "${LV_OLD-unset}"`)
		cmd.Env = []string{"LINES=" + out.String(), "LV_OLD=1", "PATH=" + os.Getenv("PATH")}
		got, err := cmd.Output()
		if err != nil || string(got) != v+"|x=s3cret|unset" {
			t.Errorf("%q: %q, %v", v, got, err)
		}
	}
}

func TestQuotes(t *testing.T) {
	for _, c := range []struct{ in, sh, csh, fish string }{
		{"plain/x:1", "plain/x:1", "plain/x:1", "plain/x:1"},
		{"", "''", "''", "''"},
		{"it's", `'it'\''s'`, `'it'\''s'`, `'it\'s'`},
		{"a!b", "'a!b'", `'a\!b'`, "'a!b'"},
		{`a\b`, `'a\b'`, `'a\b'`, `'a\\b'`},
	} {
		if got := quotePOSIX(c.in); got != c.sh {
			t.Errorf("sh %q: %s", c.in, got)
		}
		if got := quoteCsh(c.in); got != c.csh {
			t.Errorf("csh %q: %s", c.in, got)
		}
		if got := quoteFish(c.in); got != c.fish {
			t.Errorf("fish %q: %s", c.in, got)
		}
	}
}

// Where these shells are installed, they are asked too.
func TestOtherShells(t *testing.T) {
	for name, script := range map[string]string{
		"csh":  "eval `cat $LINES_FILE`; printf '%s' $LV_V:q",
		"fish": "source $LINES_FILE; printf '%s' $LV_V",
	} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		for _, v := range []string{"plain", "it's", "$HOME", "a;b"} {
			file := filepath.Join(t.TempDir(), "lines")
			var out bytes.Buffer
			if err := shells()[name].write(&out, []setting{{name: "LV_V", value: v}}); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "-c", script)
			cmd.Env = []string{"LINES_FILE=" + file, "PATH=" + os.Getenv("PATH"), "HOME=/"}
			if got, err := cmd.Output(); err != nil || string(got) != v {
				t.Errorf("%s: %q: %q, %v", name, v, got, err)
			}
		}
	}
}
