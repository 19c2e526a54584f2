package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// cmdline does things by name, with completion.
type cmdline struct {
	theme  theme.Theme
	acts   []act
	input  draw.Input
	offers []offer
	chosen int // of offers; -1 when none is
	err    string
}

// offer is one way to go on.
type offer struct {
	text, key, about string
	more             bool // an argument follows
}

func newCmdline(t theme.Theme, acts []act) *cmdline {
	c := &cmdline{theme: t, acts: acts}
	c.edited()
	return c
}

// parts is the action's name and, behind the first blank, its argument.
func (c *cmdline) parts() (name, arg string, hasArg bool) {
	name, arg, hasArg = strings.Cut(strings.TrimLeft(c.input.Value(), " "), " ")
	return name, strings.TrimSpace(arg), hasArg
}

func (c *cmdline) edited() {
	c.offers, c.chosen, c.err = nil, -1, ""
	name, arg, hasArg := c.parts()
	if !hasArg {
		c.offers = c.matching(strings.ToLower(name))
		return
	}
	if at, ok := c.exact(name); ok && at.values != nil {
		for _, v := range at.values() {
			if strings.Contains(strings.ToLower(v), strings.ToLower(arg)) {
				c.offers = append(c.offers, offer{text: at.name + " " + v})
			}
		}
	}
}

// matching is the actions whose name begins with what was typed, then those whose
// name or description contains it.
func (c *cmdline) matching(want string) []offer {
	var first, rest []offer
	for _, one := range c.acts {
		o := offer{text: one.name, key: one.key, about: one.about, more: one.needs}
		switch {
		case strings.HasPrefix(one.name, want):
			first = append(first, o)
		case strings.Contains(one.name+" "+strings.ToLower(one.about), want):
			rest = append(rest, o)
		}
	}
	return append(first, rest...)
}

func (c *cmdline) exact(name string) (act, bool) {
	for _, one := range c.acts {
		if strings.EqualFold(one.name, name) {
			return one, true
		}
	}
	return act{}, false
}

// find is the action of a name, or of the only name that begins like this.
func (c *cmdline) find(name string) (act, error) {
	if one, ok := c.exact(name); ok {
		return one, nil
	}
	var starts []string
	for _, one := range c.acts {
		if strings.HasPrefix(one.name, strings.ToLower(name)) {
			starts = append(starts, one.name)
		}
	}
	switch len(starts) {
	case 1:
		one, _ := c.exact(starts[0])
		return one, nil
	case 0:
		if near := query.Nearest(name, c.names()); near != "" {
			return act{}, fmt.Errorf("there is no action %q; did you mean %q?", name, near)
		}
		return act{}, fmt.Errorf("there is no action %q; ↑ and ↓ go through all", name)
	}
	return act{}, fmt.Errorf("%q begins several: %s", name, strings.Join(starts, ", "))
}

func (c *cmdline) names() []string {
	var out []string
	for _, one := range c.acts {
		out = append(out, one.name)
	}
	return out
}

func (c *cmdline) keys() []key.Binding {
	return []key.Binding{
		bind("Enter", "do it", "enter"), bind("Esc", "cancel", "esc"),
		bind("Tab", "complete", "tab"), bind("↑/↓", "choose", "up", "down"),
	}
}

func (c *cmdline) key(k tea.KeyMsg) (tea.Msg, bool) {
	switch k.String() {
	case "esc":
		return nil, true
	case "enter":
		return c.enter()
	case "tab":
		c.complete(max(0, c.chosen))
	case "down":
		c.choose(1)
	case "up":
		c.choose(-1)
	case "backspace":
		if c.input.Value() == "" {
			return nil, true
		}
		fallthrough
	default:
		if c.input.HandleKey(k) {
			c.edited()
		}
	}
	return nil, false
}

func (c *cmdline) choose(by int) {
	places := len(c.offers) + 1
	c.chosen = (c.chosen+1+by+places)%places - 1
}

func (c *cmdline) complete(n int) {
	if n >= len(c.offers) {
		return
	}
	text := c.offers[n].text
	if c.offers[n].more {
		text += " "
	}
	c.input.Set(text)
	c.edited()
}

// enter does what is typed or chosen; what needs an argument waits for it.
func (c *cmdline) enter() (tea.Msg, bool) {
	if c.chosen >= 0 {
		c.complete(c.chosen)
	}
	name, arg, _ := c.parts()
	if name == "" {
		return nil, true
	}
	one, err := c.find(name)
	switch {
	case err != nil:
		c.err = err.Error()
		return nil, false
	case one.needs && arg == "":
		c.input.Set(one.name + " ")
		c.edited()
		c.err = one.name + " needs " + one.arg
		return nil, false
	case arg != "" && one.arg == "":
		c.err = one.name + " takes no argument"
		return nil, false
	}
	return doMsg(func() tea.Cmd { return one.do(arg) }), true
}

const cmdPrompt = ":"

func (c *cmdline) lines(width, height int) []string {
	field, _ := c.input.View(c.theme, max(0, width-len(cmdPrompt)))
	last := []string{
		draw.NewLine(width).Add(c.theme.Dim, strings.Repeat(c.theme.Glyphs.Rule, width)).String(),
		draw.NewLine(width).Add(c.theme.Key, cmdPrompt).Drawn(field, width-len(cmdPrompt)).String(),
	}
	if c.err != "" {
		for _, l := range draw.Wrap(c.theme.Glyphs.Bad+" "+c.err, width) {
			last = append(last, draw.NewLine(width).Add(c.theme.Bad, l).String())
		}
	} else {
		last = append(last, c.hint(width))
	}
	return append(c.offerLines(width, max(0, min(maxOffers, height-len(last)))), last...)
}

// hint is what may follow the name, else how many actions there are.
func (c *cmdline) hint(width int) string {
	name, _, _ := c.parts()
	text := "  " + draw.Plural(len(c.offers), "action") + "; type to search"
	if one, ok := c.exact(name); ok {
		text = "  " + one.name + " " + one.arg + "  " + one.about
	}
	return draw.NewLine(width).Add(c.theme.Dim, text).String()
}

func (c *cmdline) offerLines(width, most int) []string {
	first := max(0, c.chosen-most+1)
	var lines []string
	for i, o := range c.offers[min(first, len(c.offers)):min(len(c.offers), first+most)] {
		style, mark := theme.Style{}, "  "
		if first+i == c.chosen {
			style, mark = c.theme.Selected, c.theme.Glyphs.Cursor+" "
		}
		l := draw.NewLine(width).Add(style, mark).Fit(style, o.text, min(28, width/2), false)
		lines = append(lines, l.Space(1).Fit(c.theme.Key, o.key, 9, false).Add(c.theme.Dim, o.about).String())
	}
	return lines
}
