package main

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func withTerm(terminal bool, vars ...string) env {
	return env{stdoutTerminal: terminal, getenv: getenv(vars...)}
}

// getenv reads NAME=value pairs.
func getenv(vars ...string) func(string) string {
	return func(name string) string {
		for _, v := range vars {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

func TestNeedTerminal(t *testing.T) {
	for _, tt := range []struct {
		env  env
		want string // "" for a terminal that will do
	}{
		{withTerm(true, "TERM=xterm-256color"), ""},
		{withTerm(true, "TERM=vt100"), ""},
		{withTerm(false, "TERM=xterm-256color"), "screens need a terminal;"},
		{withTerm(true), "TERM is not set"},
		{withTerm(true, "TERM=dumb"), "TERM is dumb"},
	} {
		err := needTerminal(tt.env)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "lensview report")) {
			t.Errorf("TERM %q: %v, want %q", tt.env.getenv("TERM"), err, tt.want)
		}
	}
}

func TestProfile(t *testing.T) {
	for want, vars := range map[theme.Profile][][]string{
		theme.None:      {{"TERM=xterm-256color", "NO_COLOR=1", "COLORTERM=truecolor"}},
		theme.TrueColor: {{"TERM=xterm", "COLORTERM=truecolor"}, {"TERM=xterm", "COLORTERM=24BIT"}},
		theme.ANSI256:   {{"TERM=tmux-256color"}},
		theme.ANSI16:    {{"TERM=vt100"}, {"TERM=screen", "NO_COLOR="}},
	} {
		for _, v := range vars {
			if got := profile(getenv(v...)); got != want {
				t.Errorf("%v: %v, want %v", v, got, want)
			}
		}
	}
}
