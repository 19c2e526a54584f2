package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	ranksscreen "github.com/beamline-hpc/lensview/internal/ui/ranks"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// command types a line on the command line.
func (p *program) command(line string) {
	p.press(":")
	p.typed(line)
	p.press("enter")
}

func TestEveryActionIsOnTheCommandLine(t *testing.T) {
	p := whole(t)
	for _, e := range p.app.opts.Screens {
		p.app.top = e.Name
		names := map[string]bool{}
		for _, one := range p.app.acts() {
			if names[one.name] {
				t.Errorf("%s: %q names two actions", e.Name, one.name)
			}
			if one.name == "" || one.about == "" || strings.ContainsAny(one.name, " \t") {
				t.Errorf("%s: action %+v", e.Name, one)
			}
			names[one.name] = true
		}
		missing := p.app.missing()
		for _, n := range p.app.keys.named() {
			if !names[n.name] && !missing[n.name] && n.name != "command" && n.name != "kill" {
				t.Errorf("%s: no action %q", e.Name, n.name)
			}
		}
		for _, b := range p.app.screenBindings(e.Name) {
			if !names[slug(b.Help().Desc)] {
				t.Errorf("%s: no action for %q", e.Name, b.Help().Desc)
			}
		}
	}
}

func TestCommandsDo(t *testing.T) {
	p := whole(t)
	p.command("ranks")
	p.wants(p.header(), "3 Ranks")
	p.command("group-by") // the screen's own, by the words of its help
	p.wants(p.view(), "by host")
	p.command("filter rank=3")
	p.wants(p.header(), "/rank=3")
	p.command("clear")
	p.lacks(p.header(), "/rank")
	p.command("pau") // the only one that begins like this
	p.wants(p.header(), "PAUSED")
	p.command("help")
	p.wants(p.view(), "Keys, type to search")
	p.press("esc")
	p.command("ranks-only 3-5")
	p.wants(p.header(), "/rank=3..5")
	p.command("quit")
	if !p.quit {
		t.Error(":quit does not quit")
	}
}

func TestCommandLineSaysWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		"fliter":     `no action "fliter"; did you mean "filter"?`,
		"zzz":        `no action "zzz"`,
		"run":        "run needs ID",
		"pause now":  "pause takes no argument",
		"c":          `"c" begins several: clear, copy`,
		"filter a=(": "",
	} {
		p := whole(t)
		p.command(line)
		if p.app.over == nil {
			t.Errorf("%q closed the command line", line)
		}
		p.wants(p.view(), want)
	}
}

func TestCommandLineCompletes(t *testing.T) {
	p := whole(t)
	p.press(":")
	p.typed("cle")
	p.wants(p.view(), "clear the filter")
	p.press("tab")
	if got := p.app.over.(*cmdline).input.Value(); got != "clear" {
		t.Errorf("Tab made %q", got)
	}
	p.press("ctrl+u")
	p.typed("run ")
	p.wants(p.view(), "run llama-70b")
	p.press("down", "enter")
	if p.app.over != nil || p.app.feed.run != "llama-70b" {
		t.Errorf("the run that was chosen is not in focus: %q", p.app.feed.run)
	}
	p.press(":")
	p.typed("last trace") // found by what it does
	p.press("esc", ":", "backspace")
	if p.app.over != nil {
		t.Error("backspace on an empty command line does not leave it")
	}
}

func TestCommandLineFits(t *testing.T) {
	p := whole(t)
	for _, size := range uitest.Sizes() {
		p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		p.press(":", "down", "down", "down", "down", "down", "down", "down", "down", "down")
		uitest.Inside(t, p.view(), size[0], size[1])
		p.wants(p.view(), "> ")
		p.typed("nonsense nobody knows")
		p.press("enter")
		uitest.Inside(t, p.view(), size[0], size[1])
		p.press("esc")
	}
}

func TestThemeCommand(t *testing.T) {
	p := start(t, training(t), func(o *Options) {
		o.Theme = theme.New(theme.Options{Profile: theme.ANSI16, Dark: true})
		o.Screens = everyScreen(o.Theme)
		o.Restyle = everyScreen
	})
	p.wants(p.view(), "\x1b[")
	p.command("theme mono")
	p.lacks(p.view(), "\x1b[")
	p.wants(p.view(), "llama-70b")
	p.command("theme light")
	p.wants(p.view(), "\x1b[")
	p.command("theme purple")
	p.wants(p.view(), "dark, light, mono")
}

// A screen's commands with arguments are the program's too.
type commander struct {
	probe
	got string
}

func (c *commander) Commands() []screen.Command {
	return []screen.Command{{Name: "sort", About: "sort by a column", Arg: "COLUMN", Values: func() []string { return []string{"age", "rank"} },
		Do: func(arg string) tea.Cmd { c.got = arg; return screen.Say("sorted") }}}
}

func TestCommandsOfScreens(t *testing.T) {
	c := &commander{probe: probe{name: "a"}}
	p := start(t, training(t), func(o *Options) { o.Screens = []Entry{{screen.Runs, c}, {screen.Ranks, ranksscreen.New(o.Theme)}} })
	p.command("sort age")
	if c.got != "age" {
		t.Errorf("the screen got %q", c.got)
	}
	p.wants(p.view(), "sorted")
	p.press(":")
	p.typed("sort r")
	offers := strings.Join(p.app.over.lines(80, 20), "\n")
	p.wants(offers, "sort rank")
	p.lacks(offers, "sort age")
}

func TestSlug(t *testing.T) {
	for about, want := range map[string]string{
		"sort": "sort", "Runs: which": "runs", "fold; again: to the parent": "fold", "its last trace": "its-last-trace", "half a page up": "half-a-page-up",
	} {
		if got := slug(about); got != want {
			t.Errorf("%q: %q, want %q", about, got, want)
		}
	}
}
