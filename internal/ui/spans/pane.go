package spansscreen

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// pane is the histogram of one group, and what is known of its spans.
type pane struct {
	choice  choice
	asker   screen.Resting[pick, picked]
	version uint64 // of the snapshot that was asked last
	last    picked
}

// choice is whether there is a histogram: by the room for it, unless decided.
type choice uint8

const (
	byRoom choice = iota
	always
	never
)

func (p *pane) toggle(visible bool) {
	p.choice = always
	if visible {
		p.choice = never
	}
}

// pick is the question for the spans of one group.
type pick struct {
	question
	key     string // identity of the group
	buckets int
	most    int
}

type picked struct {
	pick
	analysis.Picked
	err error
}

// target is the group that is looked into.
type target struct {
	key  string
	by   []string
	path []analysis.Branch
}

// target is the row in focus, or the one whose slowest spans are shown.
func (m *Model) target() (target, bool) {
	if m.slow != nil {
		return m.slow.target, true
	}
	at, ok := m.focus()
	if !ok {
		return target{}, false
	}
	return target{m.shown.list[at].key, m.seen.by, m.shown.path(at)}, true
}

// look asks for the spans of the target, as far as something shows them.
func (m *Model) look() tea.Cmd {
	to, ok := m.target()
	q := pick{question: m.question(), key: to.key}
	if m.layout().pane > 0 {
		q.buckets = buckets
	}
	if m.slow != nil {
		q.most = mostSlow
	}
	p := &m.pane
	if !ok || q.buckets+q.most == 0 || q == p.asker.Asked() && p.version == m.data.Snapshot.Version {
		return nil
	}
	p.version = m.data.Snapshot.Version
	d := m.data
	opt := analysis.PickOptions{By: slices.Clone(to.by), Path: to.path, Buckets: q.buckets, Most: q.most}
	return p.asker.Start(q, func(ctx context.Context) picked {
		found, err := analysis.Pick(ctx, scopesOf(d, opt.By), opt)
		return picked{q, found, err}
	})
}

// looked takes the answer to look.
func (m *Model) looked(msg tea.Msg) (next tea.Cmd, mine bool) {
	found, fresh, mine, next := m.pane.asker.Take(msg)
	if fresh && found.err == nil {
		m.pane.last = found
		if m.slow != nil && m.slow.key == found.key && found.most > 0 {
			m.slow.take(m.theme, found.Picked)
		}
	}
	return next, mine
}
