package overviewscreen

import (
	"time"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// facts is what the run is.
type facts struct {
	id, by, service, user, job string
	world                      int
	sizes                      run.Sizes
	derived                    bool // some rank's place was computed, not sent
	hosts, attempts            int
	iteration                  int64
	has                        bool
	start                      uint64  // unix ns, sender's clock; 0 unknown
	ago                        float64 // seconds since the first data, NaN in a file
	spans                      uint64
}

func factsOf(s *store.Snapshot, r *store.Run, d *analysis.Diagnosis) facts {
	f := facts{id: r.ID, by: r.IDBy, service: r.Service, user: r.User, job: r.Job, world: r.WorldSize, sizes: r.Sizes,
		attempts: len(r.Attempts), iteration: d.Stall.Frontier, has: d.Stall.HasFrontier, start: r.Start,
		spans: r.Accounts[run.Traces].Kept + r.Accounts[run.Traces].Evicted}
	if s.Clock == store.ReceiverClock && r.First > 0 {
		f.ago = float64(s.Now-r.First) / 1e9
	}
	hosts := map[string]bool{}
	for _, p := range r.Processes {
		if p.ID.Host != "" {
			hosts[p.ID.Host] = true
		}
		f.derived = f.derived || p.Coord.Derived
	}
	f.hosts = len(hosts)
	return f
}

// topology is the sizes that were sent, "" for none.
func (f *facts) topology(derived string) string {
	text := ""
	for _, d := range []struct {
		name string
		n    int
	}{{"tp", f.sizes.TP}, {"cp", f.sizes.CP}, {"pp", f.sizes.PP}, {"dp", f.sizes.DP}, {"ep", f.sizes.EP}} {
		if d.n < 1 || d.n == 1 && (d.name == "cp" || d.name == "ep") {
			continue
		}
		if text != "" {
			text += " × "
		}
		text += d.name + " " + draw.Count(d.n)
	}
	if text != "" && f.derived {
		text += derived
	}
	return text
}

func spanCount(n uint64) string {
	if n == 1 {
		return "1 span"
	}
	return draw.Short(float64(n)) + " spans"
}

// facts is the run in a few words.
func (p *page) facts() {
	f := &p.of.facts
	pieces := []piece{{p.theme.Accent, f.id}}
	add := func(name, text string) {
		if text != "" {
			pieces = append(pieces, piece{theme.Style{}, name + text})
		}
	}
	if f.job != f.id {
		add("job ", f.job)
	}
	add("service ", f.service)
	add("user ", f.user)
	if f.world > 0 {
		add("world ", draw.Count(f.world))
	}
	add("", f.topology(p.theme.Glyphs.Derived))
	if f.has {
		add("iteration ", draw.Name(f.iteration))
	}
	if f.attempts > 1 {
		pieces = append(pieces, piece{p.theme.Warn, "attempt " + draw.Count(f.attempts)})
	}
	if f.start > 0 {
		add("since ", time.Unix(0, int64(f.start)).UTC().Format("2006-01-02 15:04:05")+" UTC")
	}
	if f.ago > 0 {
		add("received for ", draw.Seconds(f.ago))
	}
	add("", spanCount(f.spans))
	if p.size.height >= tall {
		add("id by ", f.by)
	}
	p.flow("run", pieces, p.room(2, 2, 3), "run", p.opens(screen.Runs))
}
