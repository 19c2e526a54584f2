package ui

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// notices is what the notice line says: an answer to the last key, else the
// gravest standing warning that was not dismissed.
type notices struct {
	said      string
	standing  []run.Notice // warnings and worse, gravest first, of this run and of all
	dismissed map[string]bool
}

func (n *notices) say(text string) { n.said = text }

// heard forgets the answer to the last key, and reports whether there was one.
func (n *notices) heard() bool {
	had := n.said != ""
	n.said = ""
	return had
}

// take keeps the warnings of all that is to be said.
func (n *notices) take(all []run.Notice) {
	n.standing = nil
	for _, level := range []run.Level{run.Critical, run.Warning} {
		for _, one := range all {
			if one.Level == level {
				n.standing = append(n.standing, one)
			}
		}
	}
}

func noticeKey(one run.Notice) string { return one.Code + "\x00" + one.Run }

// open is the standing warnings that were not dismissed.
func (n *notices) open() []run.Notice {
	var out []run.Notice
	for _, one := range n.standing {
		if !n.dismissed[noticeKey(one)] {
			out = append(out, one)
		}
	}
	return out
}

// dismiss puts all standing warnings away, and reports whether any was open.
// The header goes on counting them, Ingest goes on listing them.
func (n *notices) dismiss() bool {
	open := n.open()
	if n.dismissed == nil {
		n.dismissed = map[string]bool{}
	}
	for _, one := range open {
		n.dismissed[noticeKey(one)] = true
	}
	return len(open) > 0
}

// line is what the notice line says, "" when it is not there; where is the key of
// the screen that has the rest.
func (n *notices) line(where string) string {
	if n.said != "" {
		return n.said
	}
	open := n.open()
	switch len(open) {
	case 0:
		return ""
	case 1:
		return open[0].Text
	}
	return fmt.Sprintf("%s (+%d more: %s)", open[0].Text, len(open)-1, where)
}
