package main

import (
	"fmt"
	"slices"
	"sync"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// noted is the store as the screens see it: with what the commands themselves
// have to say, such as a file that could not be read, and with what the receivers
// say of themselves and of requests that never reached the store.
type noted struct {
	*store.Store
	receiver func() run.Receiver
	also     []addition // made before the screens look
	mu       sync.Mutex
	notices  []run.Notice
	repeated uint64 // notices that were there already
}

// addition is something that snapshots show and the store knows nothing of.
type addition interface {
	Version() uint64 // rises with every change
	add(*store.Snapshot)
}

// newNoted makes a store. c.Receiver must not be nil.
func newNoted(c store.Config) *noted {
	return &noted{Store: store.New(c), receiver: c.Receiver}
}

func (n *noted) note(notice run.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notices = append(n.notices, notice)
}

// beside is what the additions' versions add up to.
func (n *noted) beside() (version uint64) {
	for _, a := range n.also {
		version += a.Version()
	}
	return version
}

// maxNotes bounds what libraries may say; beyond it only a repeated one is counted.
const maxNotes = 200

// once is note, but one that was said before is counted.
func (n *noted) once(notice run.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.notices {
		if n.notices[i].Code == notice.Code && n.notices[i].Text == notice.Text {
			n.notices[i].Count++
			n.repeated++
			return
		}
	}
	if len(n.notices) < maxNotes {
		n.notices = append(n.notices, notice)
	}
}

// Version rises with the store's, with every note, and with every notice of the
// receivers.
func (n *noted) Version() uint64 {
	n.mu.Lock()
	notes := uint64(len(n.notices)) + n.repeated
	n.mu.Unlock()
	return n.Store.Version() + notes + repeats(n.receiver().Notices) + n.beside()
}

// Snapshot is the store's with the notes so far and with what the receivers say.
func (n *noted) Snapshot() *store.Snapshot {
	n.mu.Lock()
	notices, notes := slices.Clone(n.notices), uint64(len(n.notices))+n.repeated
	n.mu.Unlock()
	beside := n.beside() // before what they add, so that no change is missed
	s := *n.Store.Snapshot()
	s.Version += beside + notes + repeats(s.Receiver.Notices)
	s.Notices = slices.Concat(notices, refusals(s.Receiver.Refused), s.Receiver.Notices, s.Notices)
	for _, a := range n.also {
		a.add(&s)
	}
	return &s
}

// repeats is how often notices were given.
func repeats(notices []run.Notice) (n uint64) {
	for _, one := range notices {
		n += max(1, one.Count)
	}
	return n
}

// refusals says what was turned away: what a sender was told, a person must not
// have to look for in the sender's log.
func refusals(all []run.Refusal) []run.Notice {
	var out []run.Notice
	for _, r := range all {
		text := "refused: " + r.Text
		if r.Count > 1 {
			text = fmt.Sprintf("refused %d times: %s", r.Count, r.Text)
		}
		out = append(out, run.Notice{Code: "refused-" + r.Code, Level: run.Warning, Text: text, Count: r.Count, At: r.At})
	}
	return out
}
