package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

func (a *App) copy() tea.Cmd {
	text := ""
	if c, ok := a.screen().(screen.Copier); ok {
		text = c.CopyText()
	}
	return a.copyText(text)
}

// maxEcho is how long a copied text may be to be repeated in the answer.
const maxEcho = 40

// copyText sends a text to the clipboard of the terminal, and says so: whether it
// arrived, no terminal tells.
func (a *App) copyText(text string) tea.Cmd {
	switch {
	case text == "":
		return screen.Say("nothing is selected here that could be copied")
	case a.opts.Copy == nil:
		return screen.Say("this terminal takes no copies")
	}
	text = pasteable(text)
	return func() tea.Msg {
		if err := a.opts.Copy(text); err != nil {
			return screen.NoticeMsg{Text: "not copied: " + err.Error()}
		}
		what := text
		if n := len([]rune(text)); n > maxEcho || draw.Clean(text) != text {
			what = draw.Plural(n, "character")
		}
		return screen.NoticeMsg{Text: fmt.Sprintf("sent to the terminal's clipboard: %s%s", what, a.opts.CopyNote)}
	}
}

// pasteable is a text that drives no terminal into which it is pasted: what records
// and names say comes from others. Lines and tabs stay.
func pasteable(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j, p := range parts {
			parts[j] = draw.Clean(p)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}
