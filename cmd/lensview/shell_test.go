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
	secret := filepath.Join(t.TempDir(), "to ken'")
	if err := os.WriteFile(secret, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ program, format, script string }{
		{"dash", "sh", `eval "$(cat $LINES_FILE)"; printf '%s|%s|%s' "$LV_V" "$LV_S" "${LV_OLD-unset}"`},
		{"zsh", "sh", `eval "$(cat $LINES_FILE)"; printf '%s|%s|%s' "$LV_V" "$LV_S" "${LV_OLD-unset}"`},
		{"zsh", "sh", `eval $(cat $LINES_FILE); printf '%s|%s|%s' "$LV_V" "$LV_S" "${LV_OLD-unset}"`},
		{"csh", "csh", "eval `cat $LINES_FILE`; if ( ! $?LV_OLD ) set LV_OLD = unset; printf '%s|%s|%s' $LV_V:q $LV_S:q $LV_OLD:q"},
		{"tcsh", "csh", "eval `cat $LINES_FILE`; if ( ! $?LV_OLD ) set LV_OLD = unset; printf '%s|%s|%s' $LV_V:q $LV_S:q $LV_OLD:q"},
		{"fish", "fish", `source $LINES_FILE; set -q LV_OLD; or set LV_OLD unset; printf '%s|%s|%s' $LV_V $LV_S $LV_OLD`},
	} {
		if program, err := exec.LookPath(c.program); err == nil {
			for _, v := range []string{"plain", "it's", "$HOME", "a;b", "two words", "!x", `back\slash`} {
				all := []setting{{name: "LV_V", value: v}, {name: "LV_S", value: "x=", secret: secret}, {name: "LV_OLD", unset: true}}
				shellTakes(t, program, c.format, c.script, all, v+"|x=s3cret|unset")
			}
		}
	}
}

func shellTakes(t *testing.T, program, format, script string, all []setting, want string) {
	t.Helper()
	var out bytes.Buffer
	if err := shells()[format].write(&out, all); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-c", script}
	if format == "csh" {
		args = append([]string{"-f"}, args...)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = []string{"LINES_FILE=" + file, "LV_OLD=1", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	if got, err := cmd.CombinedOutput(); err != nil || string(got) != want {
		t.Errorf("%s: %q, want %q: %v", program, got, want, err)
	}
}
