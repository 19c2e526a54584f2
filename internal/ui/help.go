package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// help is all keys of a screen and of the program, narrowed by what is typed.
type help struct {
	theme   theme.Theme
	title   string
	entries []helpEntry
	search  draw.Input
	offset  int
	page    int // lines shown last
}

// helpEntry is a key, what it does, and how the command line calls that.
type helpEntry struct {
	section, key, what, command string
}

// newHelp lists the keys of the screen on top, those of the program, and behind
// them those of the other screens, so that a search finds what is elsewhere.
func (a *App) newHelp() *help {
	h := &help{theme: a.opts.Theme, title: a.screen().Title()}
	h.addScreen(a, a.top, a.screen().Title())
	missing := a.missing()
	for _, n := range a.keys.named() {
		if !missing[n.name] {
			command := n.name
			if n.name == "command" || n.name == "kill" {
				command = ""
			}
			h.add("Everywhere", *n.key, command)
		}
	}
	for _, o := range []overlay{&filterBar{}, &cmdline{}, &ranksBar{}} {
		for _, b := range o.keys() {
			h.add(titleOf(o), b, "")
		}
	}
	for _, e := range a.opts.Screens {
		if e.Name != a.top {
			h.addScreen(a, e.Name, "On "+e.Screen.Title()+" ("+a.keys.screenFor(e.Name)+")")
		}
	}
	return h
}

func titleOf(o overlay) string {
	switch o.(type) {
	case *filterBar:
		return "In the filter"
	case *cmdline:
		return "On the command line"
	}
	return "Asked for ranks"
}

func (h *help) addScreen(a *App, name screen.Name, section string) {
	for _, b := range a.screenBindings(name) {
		command := ""
		if name == a.top {
			command = slug(b.Help().Desc)
		}
		h.add(section, b.Binding, command)
	}
}

func (h *help) add(section string, b key.Binding, command string) {
	if b.Enabled() && b.Help().Key != "" {
		h.entries = append(h.entries, helpEntry{section, b.Help().Key, b.Help().Desc, command})
	}
}

func (h *help) keys() []key.Binding {
	return []key.Binding{bind("Esc", "close", "esc"), bind("type", "to search"), bind("↑/↓", "scroll", "up", "down")}
}

func (h *help) key(k tea.KeyMsg) (tea.Msg, bool) {
	switch k.String() {
	case "esc", "enter":
		return nil, true
	case "?":
		return nil, true
	case "down":
		h.offset++
	case "up":
		h.offset--
	case "pgdown":
		h.offset += h.page
	case "pgup":
		h.offset -= h.page
	default:
		if h.search.HandleKey(k) {
			h.offset = 0
		}
	}
	return nil, false
}

func (h *help) matching() []helpEntry {
	want := strings.ToLower(strings.TrimSpace(h.search.Value()))
	var out []helpEntry
	for _, e := range h.entries {
		if strings.Contains(strings.ToLower(e.section+" "+e.key+" "+e.what+" :"+e.command), want) {
			out = append(out, e)
		}
	}
	return out
}

func (h *help) lines(width, height int) []string {
	input, _ := h.search.View(h.theme, max(0, width-len(helpPrompt)))
	lines := []string{draw.NewLine(width).Add(h.theme.Title, helpPrompt).Drawn(input, width-len(helpPrompt)).String()}
	body := h.body(width)
	h.page = max(1, height-1)
	h.offset = max(0, min(h.offset, len(body)-h.page))
	body = body[h.offset:]
	if len(body) > h.page {
		body = body[:h.page]
	}
	lines = append(lines, body...)
	for len(lines) < height {
		lines = append(lines, draw.Spaces(width))
	}
	return lines
}

const helpPrompt = "Keys, type to search: "

func (h *help) body(width int) []string {
	var lines []string
	section := ""
	for _, e := range h.matching() {
		if e.section != section {
			section = e.section
			lines = append(lines, draw.NewLine(width).Add(h.theme.Group, section).String())
		}
		l := draw.NewLine(width).Space(2).Fit(h.theme.Key, e.key, 10, false).Space(1)
		l.Text(e.what)
		if e.command != "" {
			l.Right(h.theme.Dim, ":"+e.command)
		}
		lines = append(lines, l.String())
	}
	if len(lines) == 0 {
		lines = append(lines, draw.NewLine(width).Add(h.theme.Dim, "  no key does that").String())
	}
	return lines
}
