package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/config"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// configured is a configuration file of some text.
func configured(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Configured rows change what spans mean, in the report and on screen.
func TestConfiguredPhasesReachTheData(t *testing.T) {
	path := configured(t, "[[phase]]\nname = \"my.step\"\nphase = \"iteration\"\nclass = \"step\"\n")
	line := strings.ReplaceAll(spanLine(1, 1, false), "train_step", "my.step")
	if !strings.Contains(line, "my.step") {
		t.Skip("the line has no step span to rename")
	}
	_, plain, _ := cli(t, line, "report", "--format", "json", "-")
	code, with, errs := cli(t, line, "report", "--config", path, "--format", "json", "-")
	if code != exitOK || with == plain {
		t.Errorf("exit %d, %s: the report is the same with the row", code, errs)
	}
}

func TestConfigurationErrorsAreOneLineWithTheirPlace(t *testing.T) {
	path := configured(t, "theme = \"dark\"\nmouse = maybe\n")
	code, _, errs := cli(t, "", "report", "--config", path, "testdata/hostile.jsonl")
	if code != exitUsage || !strings.HasPrefix(errs, "lensview: "+path+":2: ") || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d, %q", code, errs)
	}
	if code, _, errs := cli(t, "", "report", "--config", "no/such.toml", "testdata/hostile.jsonl"); code != exitUsage || !strings.Contains(errs, "no/such.toml") {
		t.Errorf("exit %d, %q", code, errs)
	}
}

// Configured thresholds change what report and diff judge, and both say so.
func TestConfiguredThresholdsReachTheAnswers(t *testing.T) {
	path := configured(t, "[thresholds]\nstraggler-ratio = 1.5\nstraggler-critical = 2\n")
	const words = "judged by own thresholds: straggler-ratio 1.5 (default 1.1), straggler-critical 2 (default 1.2)"
	file := filepath.Join(t.TempDir(), "run.jsonl")
	if code, _, errs := cli(t, "", "simulate", "--tp", "1", "--pp", "1", "--dp", "4", "--iterations", "12", "--speed", "0",
		"--fault", "straggler:rank=2,factor=1.3", "-o", file); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, args := range [][]string{
		{"report", file}, {"report", "--format", "markdown", file}, {"diff", file, file}, {"diff", "--format", "markdown", file, file},
	} {
		_, plain, _ := cli(t, "", args...)
		code, with, errs := cli(t, "", append(args, "--config", path)...)
		if code != exitOK || strings.Contains(plain, "thresholds") || !strings.Contains(with, words) {
			t.Errorf("%q: exit %d %s\n%s", args, code, errs, with)
		}
		if args[0] == "report" && (!strings.Contains(plain, "straggler (") || strings.Contains(with, "straggler (")) {
			t.Errorf("%q: named without %v, with %v", args, strings.Contains(plain, "straggler ("), strings.Contains(with, "straggler ("))
		}
	}
	for _, args := range [][]string{{"report", "--format", "json", file}, {"diff", "--format", "json", file, file}} {
		var got struct{ Thresholds map[string]float64 }
		_, out, _ := cli(t, "", append(args, "--config", path)...)
		if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Thresholds) != 2 || got.Thresholds["straggler-ratio"] != 1.5 {
			t.Errorf("%q: %v, %v", args, got.Thresholds, err)
		}
	}
}

func TestThresholdErrorsNameTheLine(t *testing.T) {
	path := configured(t, "[thresholds]\nstall-least = 3\n")
	for _, args := range [][]string{{"report", "x"}, {"diff", "x", "y"}} {
		code, _, errs := cli(t, "", append(args, "--config", path)...)
		if want := path + ":2: stall-least is a time from 10s to 24h"; code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d, %q; want %s", args, code, errs, want)
		}
	}
}

func TestLooksFromConfiguration(t *testing.T) {
	no := false
	for _, test := range []struct {
		flags looks
		file  config.Config
		want  looks
	}{
		{looks{theme: "auto"}, config.Config{}, looks{theme: "auto"}},
		{looks{theme: "auto"}, config.Config{Theme: "light", Mouse: &no}, looks{theme: "light", noMouse: true}},
		{looks{theme: "dark"}, config.Config{Theme: "light"}, looks{theme: "dark"}},
	} {
		if got := test.flags.with(&test.file); got != test.want {
			t.Errorf("%+v with %+v: %+v", test.flags, test.file, got)
		}
	}
}

// Keys that do not fit are told with the line they stand on.
func TestConfiguredKeysThatDoNotFit(t *testing.T) {
	for text, want := range map[string]string{
		"[keys]\nquit = \"y\"\n":               ":2: \"y\" is both copy and quit",
		"[keys]\nhelp = \"F\"\nqiut = \"x\"\n": ":3: there is no action \"qiut\"",
		"[keys.ranks]\nturn-the-order = \"q\"": ":2: on ranks \"q\" is both turn-the-order and quit",
		"[keys.rank]\nsort = \"q\"":            ":1: there is no screen \"rank\"; there are runs",
	} {
		path := configured(t, text)
		c, err := config.Load(path, true)
		if err != nil {
			t.Fatal(err)
		}
		th := theme.New(theme.Options{})
		_, err = ui.New(ui.Options{Theme: th, Source: newNoted(store.Config{Files: true}), Screens: screens(th), Keys: ownKeys(c)})
		if err == nil || !strings.Contains(refused(c, err).Error(), path+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What the README shows works.
func TestConfigurationOfTheReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(text), "\n    theme = ")
	block, _, end := strings.Cut(block, "\n\n`lensview")
	if !ok || !end {
		t.Fatal("the README has no configuration")
	}
	path := configured(t, "theme = "+strings.ReplaceAll(block, "\n    ", "\n"))
	c, err := config.Load(path, true)
	if err != nil {
		t.Fatal(err)
	}
	th := theme.New(theme.Options{})
	source := newNoted(store.Config{Files: true, Receiver: func() run.Receiver { return run.Receiver{} }})
	if _, err := ui.New(ui.Options{Theme: th, Source: source, Screens: screens(th), Keys: ownKeys(c)}); err != nil {
		t.Error(refused(c, err))
	}
	if c.Thresholds.StallLeast != 60 || c.Thresholds.StragglerRatio != 1.15 {
		t.Errorf("thresholds %+v", c.Thresholds)
	}
	if len(c.Phases) != 1 || c.Keys["trace"]["next-error"] == nil {
		t.Errorf("%+v", c)
	}
}
