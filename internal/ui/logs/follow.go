package logsscreen

import (
	"sort"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// follow keeps the newest record in focus as records arrive, until one moves
// away from it.
type follow struct {
	on   bool
	from uint64 // when off: records from this number on are new
}

// moved is called after the cursor was moved by hand: going to the last record
// follows again, leaving it stops.
func (m *Model) moved() {
	at, ok := m.table.Cursor()
	m.setFollow(!ok || at == len(m.seen.shown)-1)
}

func (m *Model) setFollow(on bool) {
	switch {
	case on == m.follow.on:
	case on:
		m.follow = follow{on: true}
	default:
		m.follow = follow{from: m.seen.end}
	}
	if on {
		m.table.MoveTo(len(m.seen.shown) - 1)
	}
}

// news is how many records came since following stopped.
func (m *Model) news() int {
	list := m.seen.shown
	return len(list) - sort.Search(len(list), func(i int) bool { return list[i] >= m.follow.from })
}

// followText says whether new records scroll, and how many wait.
func (m *Model) followText() string {
	if m.follow.on {
		return "following"
	}
	if n := m.news(); n > 0 {
		return draw.Count(n) + " new (" + m.data.Key(screen.Logs, "F") + ")"
	}
	return "not following (" + m.data.Key(screen.Logs, "F") + ")"
}
