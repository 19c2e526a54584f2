package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

const whole = `# lensview
theme = "light"
mouse = false

[keys]
quit = "Q"
pause = ["space", "f5"]

[keys.trace]
next-error = "ctrl+x"

[[phase]]
name = "mylib.step*"
phase = "iteration"
class = "step"

[[phase]]
name = "mylib.io"
phase = "checkpoint"
class = "io"
`

func TestWhole(t *testing.T) {
	c, err := parse("config.toml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if c.Theme != "light" || c.Mouse == nil || *c.Mouse {
		t.Errorf("theme %q, mouse %v", c.Theme, c.Mouse)
	}
	keys := map[string]map[string][]string{"": {"quit": {"Q"}, "pause": {"space", "f5"}}, "trace": {"next-error": {"ctrl+x"}}}
	if d := cmp.Diff(keys, c.Keys); d != "" {
		t.Errorf("keys (-want +got):\n%s", d)
	}
	rows := []run.PhaseRow{{Glob: "mylib.step*", Phase: "iteration", Class: run.Step}, {Glob: "mylib.io", Phase: "checkpoint", Class: run.IO}}
	if d := cmp.Diff(rows, c.Phases); d != "" {
		t.Errorf("phases (-want +got):\n%s", d)
	}
}

func TestErrorsNameTheLineAndWhatIsLegal(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"theme = \"dork\"", `c:1: theme "dork": use auto, dark, light, mono`},
		{"\n\nthem = \"dark\"", `c:3: there is no setting "them"; there are theme, mouse, [keys]`},
		{"theme = ", "c:1: "},
		{"theme = \"dark\"\ntheme = \"light\"", "c:2: "},
		{"mouse = 3", "c:1: "},
		{"[keys]\nquit = 3", `c:2: a key is a text such as "x"`},
		{"[keys]\na = \"b\"\nquit = [\"x\", 3]", "c:3: a key is"},
		{"[keys]\ntrace = \"f7\"\n[keys.trace]\nnext-error = \"E\"", "c:3: key trace should be a table, not a value; in [keys.SCREEN] the key that opens the screen stands, too"},
		{"[keys.trace]\ntrace = 3", "c:1: a key is a text"},
		{"[keys]\nquit = []", "c:2: an action needs a key"},
		{"[keys]\nx = \"y\"\n[keys.trace]\n# z\n\"next-error\" = \"\"", "c:5: a key is"},
		{"[[phase]]\nname = \"a\"\nphase = \"p\"\nclass = \"gpu\"", `c:4: class "gpu": use other, step, compute, wait, io`},
		{"[[phase]]\nname = \"a\"\nphase = \"p\"\n\n[[phase]]\nname = \"b{\"\nphase = \"p\"", "c:5: [[phase]]: "},
		{"[[phase]]\nname = \"a\"\n", "c:1: [[phase]]: glob \"a\" has no phase"},
		{"[thresholds]\nstraggler-ratoi = 1.2", `c:2: there is no threshold "straggler-ratoi"; did you mean straggler-ratio?; there are straggler-ratio, straggler-critical`},
		{"[thresholds]\nx = 1", `c:2: there is no threshold "x"; there are straggler-ratio`},
		{"[thresholds]\n\nstraggler-ratio = 0.9", "c:3: straggler-ratio is a number from 1.01 to 10, such as 1.1 (compute over"},
		{"[thresholds]\nstraggler-ratio = \"high\"", "c:2: straggler-ratio is a number from 1.01 to 10"},
		{"[thresholds]\nstraggler-ratio = 0", "c:2: straggler-ratio is a number from 1.01"},
		{"[thresholds]\nstraggler-z = nan", "c:2: straggler-z is a number from 1 to 100"},
		{"[thresholds]\nstraggler-z = inf", "c:2: straggler-z is a number from 1 to 100"},
		{"[thresholds]\nstall-least = 45", `c:2: stall-least is a time from 10s to 24h, such as "30s"`},
		{"[thresholds]\nstall-least = \"soon\"", `c:2: stall-least is a time from 10s`},
		{"[thresholds]\nstall-first = \"1s\"", `c:2: stall-first is a time from 30s to 24h, such as "15m"`},
		{"[thresholds]\nvalues-notice = 300.5", "c:2: values-notice is a whole number from 10 to 1,000,000,000, such as 200"},
		{"[thresholds]\nslowdown = 1.2\n[thresholds.shift]\na = 1", "c:3: shift is a number from 0.001 to 10"},
		{"thresholds = 3", "c:1: "},
		{"[thresholds]\nstraggler-ratio = 1.5", "c:2: straggler-ratio is 1.5 and straggler-critical is 1.2: the second must not be below the first; set both"},
		{"[thresholds]\nstraggler-ratio = 1.5\nstraggler-critical = 1.4", "c:3: straggler-ratio is 1.5 and straggler-critical is 1.4"},
		{"[thresholds]\nvalues-warning = 20_000\nshift = 0.05", "c:2: values-warning is 20,000 and values-critical is 10,000"},
		{"[thresholds]\nshift = 0.05\nbubble = 0\nslowdown = 0", "c:3: bubble is"},
		{"[[phase]]\nname = \"a\"\nkind = \"x\"", `c:3: there is no setting "phase.kind"; there are name, phase, class`},
	} {
		_, err := parse("c", []byte(test.text))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\n got %v\nwant %s", test.text, err, test.want)
		}
	}
}

func TestThresholds(t *testing.T) {
	text := "[thresholds]\nstraggler-ratio = 1.3\nstraggler-critical = 2\nstall-least = \"2m\"\nvalues-notice = 500\nshare-material = 0.05 # 5 points\n"
	c, err := parse("c", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := run.Thresholds{StragglerRatio: 1.3, StragglerCritical: 2, StallLeast: 120, ValuesNotice: 500, ShareMaterial: 0.05}
	if d := cmp.Diff(want, c.Thresholds); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if c, err := parse("c", []byte("[thresholds]\n")); err != nil || c.Thresholds != (run.Thresholds{}) {
		t.Errorf("an empty table: %+v, %v", c, err)
	}
}

// Every threshold may be set to its default, its least and its most, as the text of
// its error writes them.
func TestEveryThresholdTakesWhatItSaysIsLegal(t *testing.T) {
	for _, x := range run.ThresholdTable() {
		for _, v := range []float64{x.Least, x.Default, x.Most} {
			text := strings.ReplaceAll(x.Text(v), ",", "")
			if x.Unit == run.Seconds {
				text = `"` + text + `"`
			}
			c := &Config{Path: "c"}
			c, err := parse(c.Path, []byte("[thresholds]\n"+x.Name+" = "+text))
			if err != nil {
				if !strings.Contains(err.Error(), "set both") {
					t.Errorf("%s = %s: %v", x.Name, text, err)
				}
				continue
			}
			if x.Of(c.Thresholds) != v {
				t.Errorf("%s = %s: read as %v", x.Name, text, x.Of(c.Thresholds))
			}
		}
	}
}

func TestKeyErrorsOfOthersNameTheLine(t *testing.T) {
	c, err := parse("c", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	for want, key := range map[string][2]string{"c:6: no": {"", "quit"}, "c:7: no": {"", "pause"}, "c:10: no": {"trace", "next-error"}, "c:9: no": {"trace", "gone"}} {
		if got := c.KeyError(key[0], key[1], os.ErrInvalid).Error(); !strings.HasPrefix(got, want[:strings.Index(want, " ")]) {
			t.Errorf("%v: %s, want %s", key, got, want)
		}
	}
}

func TestPath(t *testing.T) {
	for _, test := range []struct{ xdg, home, want string }{
		{"/cfg", "/home/ada", "/cfg/lensview/config.toml"}, {"", "/home/ada", "/home/ada/.config/lensview/config.toml"},
		{"relative", "/home/ada", "/home/ada/.config/lensview/config.toml"}, {"", "", ""},
	} {
		env := map[string]string{"XDG_CONFIG_HOME": test.xdg, "HOME": test.home}
		if got := Path(func(n string) string { return env[n] }); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

func TestLoad(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "config.toml")
	if c, err := Load(missing, false); err != nil || c.Path != "" {
		t.Errorf("no file: %+v, %v", c, err)
	}
	if _, err := Load(missing, true); err == nil {
		t.Error("a file that was asked for is not there, and nothing is said")
	}
	if err := os.WriteFile(missing, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(missing, false); err != nil || c.Theme != "light" {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := Load("", true); err != nil || c.Theme != "" {
		t.Errorf("no home: %+v, %v", c, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("[keys]\n[keys.x]\na=1")
	f.Add("[[phase]]\nname=\"{\"")
	f.Add("[thresholds]\nshift=0.5\nstall-least=\"1m\"")
	f.Add("[thresholds.shift]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parse("c", []byte(text))
		if err != nil && !strings.HasPrefix(err.Error(), "c:") {
			t.Errorf("no line in %q", err)
		}
		if err == nil {
			if name, err := c.Thresholds.Check(); err != nil {
				t.Errorf("thresholds that were taken do not fit: %s: %v", name, err)
			}
			if _, err := run.NewPhases(c.Phases); err != nil {
				t.Errorf("rows that were taken do not fit: %v", err)
			}
		}
	})
}

// The key that opens a screen, and those on it, in one table.
func TestKeysOfAScreenAndTheOneThatOpensIt(t *testing.T) {
	c, err := parse("c", []byte("[keys.trace]\ntrace = \"f7\"\nnext-error = \"E\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string][]string{"": {"trace": {"f7"}}, "trace": {"next-error": {"E"}}}
	if d := cmp.Diff(want, c.Keys); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
