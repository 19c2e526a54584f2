package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// export writes the view to a file: what the screen exports, else what is drawn,
// as plain text. Without a name one is made, and one that exists is not touched.
func (a *App) export(file string) tea.Cmd {
	if a.opts.Save == nil {
		return screen.Say("nothing can be written from here")
	}
	what := screen.Export{Ext: "txt"}
	if e, ok := a.screen().(screen.Exporter); ok {
		what = e.Export()
	} else {
		what.Text = a.plainView()
	}
	if what.Text == "" {
		return screen.Say("nothing is here that could be exported")
	}
	name, exact := file, file != ""
	if !exact {
		name = exportName(a.top, a.feed.run, what.Ext)
	}
	return func() tea.Msg {
		path, err := a.opts.Save(name, exact, what.Text)
		if err != nil {
			return screen.NoticeMsg{Text: "not exported: " + err.Error()}
		}
		return screen.NoticeMsg{Text: "exported to " + path}
	}
}

// plainView is the header and the screen without styles and blanks at the end.
func (a *App) plainView() string {
	lines := trimmed(append([]string{ansi.Strip(a.header())}, strings.Split(ansi.Strip(a.screen().View()), "\n")...))
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// exportName is a file name of harmless characters.
func exportName(name screen.Name, run, ext string) string {
	keep := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}
	out := "lensview-" + string(name)
	if run != "" {
		run = strings.Map(keep, run)
		out += "-" + run[:min(len(run), 40)]
	}
	return out + "." + ext
}
