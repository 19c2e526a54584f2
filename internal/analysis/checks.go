package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// The resource attributes that are compared between ranks. Older spellings are
// read too (run.Aliases).
const (
	gpuUUID  = "nv.gpu.uuid"
	gpuIndex = "nv.gpu.index"
)

var softwareKeys = [...]string{
	"nv.dl.software.torch", "nv.dl.software.cuda", "nv.dl.software.nccl",
	"nv.dl.software.transformer_engine", "nv.gpu.driver_version",
}

// problems are what is wrong with the shape of a role, as sentences.
func problems(r *store.Run, ps Presence) []string {
	var out []string
	for _, n := range shapeNotices(r, ps) {
		out = append(out, n.Text)
	}
	return out
}

// Checks are the topology and configuration checks that need no diagnosis: what
// a run's processes say about themselves and each other. What the store has
// noticed already is not said again.
func Checks(r *store.Run) []run.Notice {
	ps := MainRole(r)
	out := shapeNotices(r, ps)
	sizes := sizesOf(r, ps)
	if _, err := run.NewLayout(sizes, ps.World, run.Order{}); err != nil && sentSizes(sizes) {
		out = append(out, notice(r, "topology", run.Warning, err.Error()))
	}
	c := newChecker(r, ps)
	for _, f := range c.checks() {
		if n, bad := f(); bad {
			out = append(out, n)
		}
	}
	return slices.DeleteFunc(out, func(n run.Notice) bool { return noticed(r, n) })
}

// noticed reports whether the store says of a run what n says.
func noticed(r *store.Run, n run.Notice) bool {
	return slices.ContainsFunc(r.Notices, func(o run.Notice) bool { return o.Code == n.Code })
}

// RunNotices is what is to be said of a run without a diagnosis: what the store and
// the cardinality say, then what Checks has found, now or a while ago. What the
// store has noticed since is not said twice.
func RunNotices(s *store.Snapshot, r *store.Run, checks []run.Notice) []run.Notice {
	out := slices.Concat(r.Notices, CardinalityNotices(s, r))
	for _, n := range checks {
		if !noticed(r, n) {
			out = append(out, n)
		}
	}
	return out
}

func sentSizes(s run.Sizes) bool { return s.TP > 0 || s.PP > 0 || s.DP > 0 }

func notice(r *store.Run, code string, level run.Level, text string) run.Notice {
	return run.Notice{Code: code, Level: level, Text: text, Run: r.ID}
}

// shapeNotices tell of ranks that are missing or there twice, and of sizes that
// differ.
func shapeNotices(r *store.Run, ps Presence) []run.Notice {
	var out []run.Notice
	if n := len(ps.NeverSeen); n > 0 && ps.Seen > 1 {
		out = append(out, notice(r, "ranks-missing", run.Info,
			fmt.Sprintf("%s of %s ranks seen, never %s", thousands(ps.Seen), thousands(ps.World), list("rank", ps.NeverSeen))))
	}
	if len(ps.Duplicate) > 0 {
		out = append(out, notice(r, "ranks-duplicate", run.Warning,
			fmt.Sprintf("%s claimed by more than one process at the same time", list("rank", ps.Duplicate))))
	}
	if text := differing(r, ps); text != "" {
		out = append(out, notice(r, "sizes-differ", run.Warning, text))
	}
	return out
}

// differing names the parallel sizes and world sizes on which ranks of a role
// disagree.
func differing(r *store.Run, ps Presence) string {
	var out []string
	sizes := map[string]func(run.Identity) int{
		"tp":         func(id run.Identity) int { return id.Sizes.TP },
		"pp":         func(id run.Identity) int { return id.Sizes.PP },
		"dp":         func(id run.Identity) int { return id.Sizes.DP },
		"world size": func(id run.Identity) int { return id.WorldSize },
	}
	for _, name := range []string{"tp", "pp", "dp", "world size"} {
		values := map[int]bool{}
		for _, i := range ps.grid {
			if n := sizes[name](r.Processes[i].ID); n != run.Unknown {
				values[n] = true
			}
		}
		if seen := slices.Sorted(maps.Keys(values)); len(seen) > 1 {
			out = append(out, name+" "+join(seen, " and "))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "ranks disagree on " + strings.Join(out, ", ")
}

// list writes ranks as ranges, and no more than a line can hold: "ranks 0–3, 7".
func list(word string, sorted []int) string {
	const most = 8
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		part := strconv.Itoa(sorted[i])
		if j > i {
			part += "–" + strconv.Itoa(sorted[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	if len(sorted) != 1 {
		word += "s"
	}
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return word + " " + strings.Join(parts, ", ")
}

// join writes numbers, and no more than a line can hold.
func join(n []int, sep string) string {
	const most = 8
	var parts []string
	for _, v := range n[:min(len(n), most)] {
		parts = append(parts, strconv.Itoa(v))
	}
	if more := len(n) - most; more > 0 {
		parts = append(parts, thousands(more)+" more")
	}
	return strings.Join(parts, sep)
}

// checker looks at the processes that stand for the ranks of a role.
type checker struct {
	run   *store.Run
	ranks []*store.Process // by rank
	world int
}

func newChecker(r *store.Run, ps Presence) *checker {
	c := &checker{run: r, world: ps.World}
	for _, i := range ps.processes() {
		c.ranks = append(c.ranks, r.Processes[i])
	}
	return c
}

// checks are those that can find something. Services that send no run id make a
// run of each process, so a run of one has to cost little.
func (c *checker) checks() []func() (run.Notice, bool) {
	if len(c.ranks) < 2 {
		return []func() (run.Notice, bool){c.oneRank, c.gpuIndex}
	}
	return []func() (run.Notice, bool){c.tpAcrossHosts, c.sharedGPU, c.gpuIndex, c.versions, c.attempts}
}

func (c *checker) oneRank() (run.Notice, bool) {
	if len(c.ranks) != 1 || c.world <= 1 {
		return run.Notice{}, false
	}
	return notice(c.run, "one-rank", run.Warning, fmt.Sprintf(
		"only rank %d of %s sends data: no comparison between ranks; set NEMO_LENS_EXPORT_STRATEGY=all_ranks",
		c.ranks[0].ID.Rank, thousands(c.world))), true
}

func (c *checker) tpAcrossHosts() (run.Notice, bool) {
	type group struct {
		host, other string
		rank        int
	}
	groups := map[run.Coord]*group{}
	var split []*group
	for _, p := range c.ranks {
		at := p.Coord
		if at.TP == run.Unknown || at.PP == run.Unknown || at.DP == run.Unknown || p.ID.Host == "" {
			continue
		}
		at.TP, at.EP, at.Derived = 0, 0, false
		g := groups[at]
		switch {
		case g == nil:
			groups[at] = &group{host: p.ID.Host, rank: p.ID.Rank}
		case g.host != p.ID.Host && g.other == "":
			g.other = p.ID.Host
			split = append(split, g)
		}
	}
	if len(split) == 0 {
		return run.Notice{}, false
	}
	text := fmt.Sprintf("the tensor-parallel group of rank %d spans hosts %s and %s", split[0].rank, split[0].host, split[0].other)
	return notice(c.run, "tp-across-hosts", run.Warning, text+more(len(split)-1, "group does so", "groups do so")), true
}

// more counts what a sentence leaves out.
func more(n int, one, many string) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return "; 1 more " + one
	}
	return fmt.Sprintf("; %s more %s", thousands(n), many)
}

func (c *checker) sharedGPU() (run.Notice, bool) {
	owner := map[string]int{}
	spellings := run.Aliases(gpuUUID).Keys
	text, found := "", 0
	for _, p := range c.ranks {
		uuid := attribute(p, spellings)
		if uuid == "" {
			continue
		}
		if rank, ok := owner[uuid]; !ok {
			owner[uuid] = p.ID.Rank
		} else if found++; found == 1 {
			text = fmt.Sprintf("ranks %d and %d say that they use the same GPU %s", rank, p.ID.Rank, short(uuid))
		}
	}
	if found == 0 {
		return run.Notice{}, false
	}
	return notice(c.run, "gpu-shared", run.Warning, text+more(found-1, "rank shares its GPU", "ranks share their GPU")), true
}

// gpuIndex finds ranks whose place on the node is not their GPU's: where every
// process sees only its own GPU, all say 0, which is no mistake.
func (c *checker) gpuIndex() (run.Notice, bool) {
	var odd []int
	beyondZero := false
	var spellings []string
	for _, p := range c.ranks {
		if p.ID.LocalRank == run.Unknown {
			continue
		}
		if spellings == nil {
			spellings = run.Aliases(gpuIndex).Keys
		}
		index, err := strconv.Atoi(attribute(p, spellings))
		if err != nil {
			continue
		}
		beyondZero = beyondZero || index > 0
		if index != p.ID.LocalRank {
			odd = append(odd, p.ID.Rank)
		}
	}
	if len(odd) == 0 || !beyondZero {
		return run.Notice{}, false
	}
	return notice(c.run, "gpu-index", run.Info, list("rank", odd)+": the GPU index is not the local rank"), true
}

func (c *checker) versions() (run.Notice, bool) {
	var mixed []string
	for _, key := range softwareKeys {
		values := map[string]bool{}
		spellings := run.Aliases(key).Keys
		for _, p := range c.ranks {
			if v := attribute(p, spellings); v != "" {
				values[v] = true
			}
		}
		if seen := slices.Sorted(maps.Keys(values)); len(seen) > 1 {
			mixed = append(mixed, key+" "+strings.Join(seen[:min(3, len(seen))], ", "))
		}
	}
	if len(mixed) == 0 {
		return run.Notice{}, false
	}
	return notice(c.run, "versions-mixed", run.Warning, "ranks run different software: "+strings.Join(mixed, "; ")), true
}

// attribute is a resource attribute in any of its spellings, "" when not sent.
// Finding the spellings costs more than this, so it is done once for all
// processes.
func attribute(p *store.Process, spellings []string) string {
	for _, k := range spellings {
		for i := len(p.Resource) - 1; i >= 0; i-- {
			if p.Resource[i].Key == k && p.Resource[i].Value.Type != run.Empty {
				return p.Resource[i].Value.String()
			}
		}
	}
	return ""
}
