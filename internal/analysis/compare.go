package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Side is one of the two things that are compared: a run, or a window of its
// iterations.
type Side struct {
	Name        string // for a person: a path, a run id, "iterations 10–20"
	Scope       Scope
	First, Last int64 // iterations as sent, bounds included; both 0 for all
}

func (s Side) whole() bool { return s.First == 0 && s.Last == 0 }

func (s Side) has(iteration int64) bool {
	return s.whole() || s.First <= iteration && iteration <= s.Last
}

// ChangeLevel is how much a difference matters, in the report's words.
type ChangeLevel string

// The magnitudes.
const (
	Same     ChangeLevel = "none"
	Moderate ChangeLevel = "moderate"
	Material ChangeLevel = "material"
)

// SideFacts is what one side is.
type SideFacts struct {
	Name        string
	Run         string
	World       int   // run.Unknown when not sent
	Ranks       int   // that were compared
	Steps       int   // clean iterations that were compared
	First, Last int64 // of them, as sent; valid when Steps > 0
	GlobalBatch int   // run.Unknown when not sent
	Sequence    int   // tokens of a sample, run.Unknown when not sent

	Slow Stragglers // over the compared iterations
}

// Difference is a figure of both sides. Medians are seconds (of a rate: its unit).
// Change is B/A − 1 with its 95 % bootstrap interval; NaN where it cannot be told.
type Difference struct {
	Name      string // the phase word, or the span name where it has none
	Class     string
	A, B      float64
	Change    float64
	Low, High float64
	Level     ChangeLevel
	Follows   string // of a wait that changed as much as compute did: the phase that it waits for; its Level is none
}

// ShareShift is how a class's exclusive share of the step moved: A and B are
// shares, Change is their difference.
type ShareShift struct {
	Class     string
	A, B      float64
	Change    float64
	Low, High float64
	Level     ChangeLevel
}

// AttributeDiff is a resource attribute that all processes of a side agree on and
// the sides do not. "" is one that a side did not send.
type AttributeDiff struct{ Key, A, B string }

// Comparison is the answer to "what changed".
type Comparison struct {
	A, B SideFacts
	// Differ says why times cannot be compared like with like: another world size,
	// global batch or sequence length. Differences are shown then and none is judged.
	Differ     []string
	CannotTell []string
	Step       Difference   // of whole steps
	Phases     []Difference // largest change in seconds first
	Shares     []ShareShift // largest first
	Rate       *Difference  // tokens/s per GPU, nil when a side sends none
	Resources  []AttributeDiff
	OnlyA      []string // span names
	OnlyB      []string
	Thresholds run.Thresholds // by which it was judged: those of side A
}

// Comparable reports that times may be compared like with like.
func (c *Comparison) Comparable() bool { return len(c.Differ) == 0 }

// Flagged is the differences that matter, steps among them.
func (c *Comparison) Flagged() []Difference {
	var out []Difference
	for _, d := range append([]Difference{c.Step}, c.Phases...) {
		if d.Level != Same && d.Level != "" {
			out = append(out, d)
		}
	}
	return out
}

// leastSteps is from how many clean steps of each side on times are compared.
const leastSteps = 5

// Compare compares two sides, which may be of one run or of two snapshots. Its
// only error is the context's.
func Compare(ctx context.Context, a, b Side) (Comparison, error) {
	sa, err := newSideSample(ctx, a)
	if err != nil {
		return Comparison{}, err
	}
	sb, err := newSideSample(ctx, b)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{A: sa.facts(a), B: sb.facts(b), Thresholds: a.Scope.Run.Thresholds.Filled()}
	c.A.Slow, c.B.Slow = slowOf(a), slowOf(b)
	c.Differ = differ(c.A, c.B)
	c.Resources = diffResources(a.Scope, b.Scope)
	c.OnlyA, c.OnlyB = onlyNames(sa, sb), onlyNames(sb, sa)
	c.Rate = compareRates(a, b, c.A, c.B, &c.Thresholds)
	for _, s := range []SideFacts{c.A, c.B} {
		if s.Steps < leastSteps {
			c.CannotTell = append(c.CannotTell, fmt.Sprintf("%s has %s, %d are needed to compare times", s.Name, count(s.Steps, "clean step"), leastSteps))
		}
	}
	c.times(sa, sb)
	return c, nil
}

// differ says in what the sides are not alike.
func differ(a, b SideFacts) []string {
	var out []string
	for _, x := range []struct {
		what string
		a, b int
	}{{"world size", a.World, b.World}, {"global batch size", a.GlobalBatch, b.GlobalBatch}, {"sequence length", a.Sequence, b.Sequence}} {
		if x.a != x.b && x.a != run.Unknown && x.b != run.Unknown {
			out = append(out, fmt.Sprintf("%s differs: %s and %s", x.what, thousands(x.a), thousands(x.b)))
		}
	}
	return out
}

func (c *Comparison) times(sa, sb *sideSample) {
	c.Step = Difference{Name: run.PhaseIteration, Class: run.Step.String(), A: math.NaN(), B: math.NaN(), Change: math.NaN(), Low: math.NaN(), High: math.NaN(), Level: Same}
	if len(c.CannotTell) > 0 {
		return
	}
	var keys []phaseKey
	for key := range sa.phases {
		if sb.phases[key] != nil {
			keys = append(keys, key)
		}
	}
	classes := keysOfBoth(sa.shares, sb.shares)
	if sa.w.run == sb.w.run && slices.Equal(sa.attempts(), sb.attempts()) { // windows of one start: the same workers on the same devices
		sa.samePlacement()
		sb.samePlacement()
	}
	among, amongShares := 1+len(keys), len(classes)
	if !c.Comparable() {
		among, amongShares = 0, 0
	}
	c.Step = compareValues(c.Step, sa.step, sb.step, among, &c.Thresholds)
	for _, key := range keys {
		c.Phases = append(c.Phases, compareValues(Difference{Name: key.name, Class: key.class}, sa.phases[key], sb.phases[key], among, &c.Thresholds))
	}
	c.follow()
	slices.SortFunc(c.Phases, func(x, y Difference) int {
		return cmp.Or(cmp.Compare(math.Abs(y.B-y.A), math.Abs(x.B-x.A)), cmp.Compare(x.Name, y.Name))
	})
	for class := range classes {
		c.Shares = append(c.Shares, compareShares(class, sa.shares[class], sb.shares[class], amongShares, &c.Thresholds))
	}
	slices.SortFunc(c.Shares, func(x, y ShareShift) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Change), math.Abs(x.Change)), cmp.Compare(x.Class, y.Class))
	})
}

// follow takes waits that changed as much as compute did, or less, out of what is
// flagged: the ranks wait for each other's compute, so what makes that longer makes
// the waiting in its waits longer. Waits that changed by more, the other way, or
// alone are news of their own.
func (c *Comparison) follow() {
	for i := range c.Phases {
		w := &c.Phases[i]
		if w.Level == Same || w.Class != run.Wait.String() {
			continue
		}
		for _, x := range c.Phases {
			within := w.Change > 0 && w.Low <= x.High || w.Change < 0 && w.High >= x.Low
			if x.Level != Same && x.Class == run.Compute.String() && within && w.Change*x.Change > 0 {
				w.Level, w.Follows = Same, x.Name
				break
			}
		}
	}
}

func keysOfBoth[V any](a, b map[string]V) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

// judge is the word for a change whose interval excludes 0. Among 0 others it is
// not judged.
func (s changeSpread) judge(change, moderate, material float64, among int) ChangeLevel {
	switch size := math.Abs(change); {
	case among == 0 || !(s.widerLow > 0 || s.widerHigh < 0) || !(size >= moderate):
		return Same
	case size >= material:
		return Material
	}
	return Moderate
}

// compareRates compares tokens/s per GPU, which tells something even where worlds
// differ.
func compareRates(a, b Side, fa, fb SideFacts, limits *run.Thresholds) *Difference {
	va, vb := ratesOf(a, fa), ratesOf(b, fb)
	if len(va) < leastSteps || len(vb) < leastSteps {
		return nil
	}
	d := compareValues(Difference{Name: "tokens/s per GPU"}, &measured{steps: va}, &measured{steps: vb}, 1, limits)
	return &d
}

func ratesOf(s Side, f SideFacts) []float64 {
	q := Find(Quantities(s.Scope), "tokens_per_sec")
	if q == nil || f.World < 1 {
		return nil
	}
	from, to := extentOf(s)
	var out []float64
	for _, p := range q.Line {
		if p.Marks&(Gap|NotFinite) == 0 && (s.whole() || from <= p.Time && p.Time <= to) {
			out = append(out, p.Value/float64(f.World))
		}
	}
	return out
}

// extentOf is the time of a side's iterations, by the clocks of its ranks.
func extentOf(s Side) (from, to uint64) {
	from = math.MaxUint64
	for _, c := range s.Scope.Run.Columns {
		if !s.has(c.Iteration) {
			continue
		}
		from, to = min(from, uint64(c.Base)), max(to, uint64(c.Base))
		if m := columnMedian(c, len(s.Scope.Run.Processes)); m > 0 {
			to = max(to, uint64(c.Base)+uint64(m*1e9))
		}
	}
	return from, to
}
