package ui

import (
	"errors"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

type exporting struct {
	probe
	out screen.Export
}

func (e *exporting) Export() screen.Export { return e.out }

// saved is what was written.
type saved struct {
	name, text string
	exact      bool
	err        error
}

func (s *saved) save(name string, exact bool, text string) (string, error) {
	s.name, s.exact, s.text = name, exact, text
	return "/home/ada/" + name, s.err
}

func TestExportOfTheView(t *testing.T) {
	var s saved
	p := start(t, training(t), func(o *Options) {
		o.Theme = theme.New(theme.Options{Profile: theme.TrueColor})
		o.Screens = everyScreen(o.Theme)
		o.Save = s.save
	})
	p.press("3", "e")
	if s.name != "lensview-ranks-llama-70b.txt" || s.exact {
		t.Errorf("saved as %q, exact %v", s.name, s.exact)
	}
	if strings.Contains(s.text, "\x1b") || !strings.Contains(s.text, "62 of 64 ranks seen") || !strings.HasSuffix(s.text, "\n") {
		t.Errorf("saved\n%s", s.text)
	}
	p.wants(p.view(), "exported to /home/ada/lensview-ranks-llama-70b.txt")
	p.command("export my file.txt")
	if s.name != "my file.txt" || !s.exact {
		t.Errorf("saved as %q, exact %v", s.name, s.exact)
	}
	s.err = errors.New("my file.txt exists")
	p.command("export my file.txt")
	p.wants(p.view(), "not exported: my file.txt exists")
}

func TestScreensExportMore(t *testing.T) {
	var s saved
	e := &exporting{probe: probe{name: "a"}, out: screen.Export{Ext: "csv", Text: "rank,step\n"}}
	p := start(t, training(t), func(o *Options) { o.Screens, o.Save = []Entry{{screen.Runs, e}}, s.save })
	p.press("e")
	if s.name != "lensview-runs-llama-70b.csv" || s.text != "rank,step\n" {
		t.Errorf("saved %+v", s)
	}
	e.out.Text = ""
	p.press("e")
	p.wants(p.view(), "nothing is here")
	p.app.opts.Save = nil
	p.press("e")
	p.wants(p.view(), "nothing can be written")
}

func TestExportNamesAreHarmless(t *testing.T) {
	for run, want := range map[string]string{
		"":                       "lensview-runs.txt",
		"../../etc/passwd":       "lensview-runs-.._.._etc_passwd.txt",
		"a b\x1b[2J":             "lensview-runs-a_b__2J.txt",
		strings.Repeat("x", 300): "lensview-runs-" + strings.Repeat("x", 40) + ".txt",
	} {
		if got := exportName(screen.Runs, run, "txt"); got != want {
			t.Errorf("%q: %q, want %q", run, got, want)
		}
	}
}
