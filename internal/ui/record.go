package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// record starts a recording, in a directory or one that is made for it, or stops
// the one there is.
func (a *App) record(dir string) tea.Cmd {
	if a.opts.Record == nil {
		return screen.Say("nothing is received here that could be recorded")
	}
	return func() tea.Msg {
		did, err := a.opts.Record(dir)
		if err != nil {
			return screen.NoticeMsg{Text: "recording: " + err.Error()}
		}
		return screen.NoticeMsg{Text: did}
	}
}

// files is what the header says of a recording and of files being read.
func (a *App) files() []field {
	t, s := a.opts.Theme, a.feed.newest
	var out []field
	if r := s.Recording; r != nil {
		if r.Failing != "" || r.Lost.Requests > 0 {
			out = append(out, field{t.Glyphs.Bad + " REC", t.Bad, 0})
		} else {
			out = append(out, field{t.Glyphs.Live + " REC", t.Bad, 1})
		}
	}
	l := s.Loading
	if l == nil || l.Finished || l.Following {
		return out
	}
	text := "reading"
	if share, ok := l.Fraction(); ok {
		text += fmt.Sprintf(" %.0f%%", 100*share)
	}
	if left, ok := l.Remaining(); ok && left.Seconds() >= 1 {
		text += " " + draw.Duration(float64(left)) + " left"
	}
	return append(out, field{text, t.Accent, 1})
}
