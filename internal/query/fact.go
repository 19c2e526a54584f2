package query

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// aboutProcess reports whether the term reads a fact of the process.
func (t *term) aboutProcess() bool { return t.on >= onRank && t.on <= onJob }

// matchProcess compares a fact of the run or the process. One that was not sent
// matches nothing.
func (t *term) matchProcess(r *store.Run, p *store.Process) bool {
	if t.on == onRun {
		return t.matchText(r.ID)
	}
	if t.shape == integer {
		n := t.number(r, p)
		return n != run.Unknown && t.matchInt(int64(n))
	}
	s := t.text(p)
	return s != "" && t.matchText(s)
}

func (t *term) text(p *store.Process) string {
	switch t.on {
	case onHost:
		return p.ID.Host
	case onRole:
		return p.ID.Role
	case onService:
		return p.ID.Service
	case onUser:
		return p.ID.User
	}
	return p.ID.Job
}

func (t *term) number(r *store.Run, p *store.Process) int {
	switch t.on {
	case onRank:
		return p.ID.Rank
	case onLocalRank:
		return p.ID.LocalRank
	case onWorldSize:
		return p.ID.WorldSize
	}
	if t.on >= onTPSize {
		return size(t.on, p.ID.Sizes, r.Sizes)
	}
	return coordinate(t.on, p.Coord)
}

func coordinate(on subject, c run.Coord) int {
	return [...]int{c.TP, c.PP, c.DP, c.CP, c.EP}[on-onTP]
}

// size is what the process sent; for CP and EP, which no producer sends, what
// the run's sizes leave for them.
func size(on subject, own, whole run.Sizes) int {
	return [...]int{own.TP, own.PP, own.DP, whole.CP, whole.EP}[on-onTPSize]
}

// otherNames is the name under which the store counts spans beyond its limit of
// names; each of them keeps its own.
const otherNames = "(other names)"

// matchName compares what a span name says.
func (t *term) matchName(n store.Name) bool {
	switch t.on {
	case onPhase:
		return n.Phase.Name != "" && t.matchText(n.Phase.Name)
	case onClass:
		return t.matchText(n.Phase.Class.String())
	}
	return t.matchNameText(n.Text)
}

func (t *term) matchNameText(name string) bool {
	if t.vals == nil {
		return strings.Contains(strings.ToLower(name), t.contains)
	}
	return t.matchText(name)
}

// matchSpan compares a fact of the span itself.
func (t *term) matchSpan(c *store.Chunk, i int) bool {
	switch t.on {
	case onDur:
		ns, ok := elapsed(c, i)
		return ok && t.matchInt(ns)
	case onStatus:
		return t.matchText(statusWord(c.Status(i)))
	case onError:
		return t.matchFlag(c.Status(i) == run.StatusError)
	case onKind:
		return t.matchText(kindWord(c.Kind(i)))
	case onTruncated:
		return t.matchFlag(c.Marks(i).Has(run.Truncated))
	case onTrace:
		return t.matchText(c.TraceID(i).String())
	}
	return t.matchText(c.ID(i).String())
}

// elapsed is the time between start and end, also of a truncated span: how long
// it had been running is what one asks of it. Open spans and those without sane
// times have none.
func elapsed(c *store.Chunk, i int) (int64, bool) {
	if c.Marks(i).Has(run.InvalidTime | run.Open) {
		return 0, false
	}
	return int64(c.End(i) - c.Start(i)), true
}

func (t *term) matchFlag(set bool) bool {
	return (set == (t.vals[0].text == "true")) == (t.op == opEq)
}

func statusWord(s run.Status) string {
	words := shortKey("status").Words
	if int(s) < len(words) {
		return words[s]
	}
	return words[0]
}

func kindWord(k run.Kind) string {
	words := shortKey("kind").Words
	if int(k) < len(words) {
		return words[k]
	}
	return words[0]
}
