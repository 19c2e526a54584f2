package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	runsscreen "github.com/beamline-hpc/lensview/internal/ui/runs"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// head is what the header and the notice line say of the run in focus. It is
// summed up off the event loop, once per snapshot and run.
type head struct {
	line runsscreen.Headline
	of   summedUp
	job  screen.Job[string, answered] // the question is the run

	kept *runsscreen.Kept // the job's
}

// summedUp is what a headline is of.
type summedUp struct {
	snapshot *store.Snapshot
	run      string
}

type answered struct {
	line runsscreen.Headline
	all  []run.Notice // of the instance and of the run
}

// headMsg is an answer on its way back.
type headMsg struct{ msg tea.Msg }

// sumUp starts a new headline when the snapshot or the run is another.
func (a *App) sumUp() tea.Cmd {
	s, id := a.feed.shown, a.feed.run
	now := summedUp{s, id}
	if a.head.of == now {
		return nil
	}
	a.head.of = now
	kept := a.head.kept
	return toHead(a.head.job.Start(id, func() answered {
		out := answered{all: screen.Instance(s)}
		if r := s.Run(id); r != nil {
			out.line = runsscreen.HeadlineOf(s, r, kept)
			out.all = append(out.all, out.line.Notices...)
		}
		return out
	}))
}

func toHead(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return headMsg{cmd()} }
}

func (a *App) headed(m headMsg) tea.Cmd {
	answer, fresh, _, next := a.head.job.Take(m.msg)
	if fresh {
		a.head.line = answer.line
		a.notices.take(answer.all)
		a.resize()
	}
	return toHead(next)
}
