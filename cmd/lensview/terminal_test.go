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

func TestThemeFromTheTerminal(t *testing.T) {
	for _, test := range []struct {
		name string
		vars []string
		word string
		want theme.Options
	}{
		{"UTF-8, 256 colours", []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}, "auto", theme.Options{Profile: theme.ANSI256, Dark: true}},
		{"LANG=C", []string{"TERM=xterm-256color", "LANG=C"}, "auto", theme.Options{Profile: theme.ANSI256, Dark: true, ASCII: true}},
		{"LC_ALL before LANG", []string{"TERM=vt100", "LANG=C.UTF-8", "LC_ALL=POSIX"}, "auto", theme.Options{Profile: theme.ANSI16, Dark: true, ASCII: true}},
		{"no locale at all", []string{"TERM=vt100"}, "auto", theme.Options{Profile: theme.ANSI16, Dark: true, ASCII: true}},
		{"light background", []string{"TERM=vt100", "LANG=C.UTF-8", "COLORFGBG=0;15"}, "auto", theme.Options{Profile: theme.ANSI16}},
		{"light background, asked for dark", []string{"TERM=vt100", "LANG=C.UTF-8", "COLORFGBG=0;default;15"}, "dark", theme.Options{Profile: theme.ANSI16, Dark: true}},
		{"asked for light", []string{"TERM=xterm", "COLORTERM=truecolor", "LANG=C.UTF-8"}, "light", theme.Options{Profile: theme.TrueColor}},
		{"NO_COLOR", []string{"TERM=xterm", "COLORTERM=truecolor", "LANG=C.UTF-8", "NO_COLOR=1"}, "light", theme.Options{}},
		{"mono", []string{"TERM=xterm", "COLORTERM=truecolor", "LANG=C.UTF-8"}, "mono", theme.Options{Dark: true}},
	} {
		got, err := themeOptions(getenv(test.vars...), looks{theme: test.word})
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v; want %+v", test.name, got, err, test.want)
		}
	}
	if _, err := themeOptions(getenv(), looks{theme: "dork"}); err == nil || !strings.Contains(err.Error(), "auto, dark, light or mono") {
		t.Errorf("an unknown theme: %v", err)
	}
}
