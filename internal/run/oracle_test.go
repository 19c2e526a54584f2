package run_test

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// enumerated works the groups of a dimension out the slow way: it counts
// through all places in the order's sequence, the first dimension fastest, and
// puts ranks together whose places differ along that dimension only.
func enumerated(sizes run.Sizes, order string, dim run.Dim) [][]int {
	o, _ := run.ParseOrder(order)
	place := map[run.Dim]int{}
	var groups [][]int
	byRest := map[string]int{}
	world := sizes.TP * sizes.CP * sizes.DP * sizes.PP
	for rank := range world {
		rest := ""
		for _, d := range []run.Dim{run.DimTP, run.DimCP, run.DimDP, run.DimPP} {
			if d != dim {
				rest += string(rune('0'+place[d])) + "."
			}
		}
		i, ok := byRest[rest]
		if !ok {
			i = len(groups)
			byRest[rest] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], rank)
		for _, d := range o.Dims() { // count one up
			if d == run.DimEP {
				continue
			}
			if place[d]++; place[d] < sizes.Of(d) {
				break
			}
			place[d] = 0
		}
	}
	return groups
}

// TestGroupsAgainstCounting holds the arithmetic of layouts against counting.
func TestGroupsAgainstCounting(t *testing.T) {
	for _, order := range []string{"tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "pp-dp-cp-tp", "dp-tp-pp-cp", "cp-pp-tp-dp"} {
		for _, s := range []run.Sizes{{2, 1, 1, 2, 4}, {2, 3, 1, 2, 2}, {1, 2, 1, 5, 1}, {4, 1, 1, 1, 3}} {
			l := layout(t, s, s.TP*s.CP*s.DP*s.PP, order)
			for _, d := range []run.Dim{run.DimTP, run.DimCP, run.DimDP, run.DimPP} {
				if diff := cmp.Diff(enumerated(s, order, d), l.Groups(d)); diff != "" {
					t.Errorf("%s %+v, %s groups (-counted +got):\n%s", order, s, d, diff)
				}
			}
		}
	}
}

// regex is what a glob means, as a regular expression.
func regex(glob string) *regexp.Regexp {
	s := regexp.QuoteMeta(glob)
	if rest, ok := strings.CutPrefix(s, `\*\.`); ok {
		s = `(?:\*\.)?` + rest
	}
	if rest, ok := strings.CutSuffix(s, `\.\*`); ok {
		s = rest + `(?:\.\*)?`
	}
	return regexp.MustCompile(`(?s)^` + strings.ReplaceAll(s, `\*`, `.*`) + `$`)
}

// FuzzGlob holds the matcher against regular expressions.
func FuzzGlob(f *testing.F) {
	for _, s := range [][2]string{{"*.a.*", "a"}, {"a*b*c", "axbxbc"}, {"*ab*ab*", "abab"}, {"*.x", ".x"}, {"x.*", "x."}, {"a*a", "a"}, {"*a**b*", "ab"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, glob, name string) {
		if name == "" || strings.ContainsAny(glob, "{}") || len(glob) > 40 || !isASCII(glob+name) {
			return
		}
		p, err := run.NewPhases([]run.PhaseRow{{Glob: glob, Phase: "fuzz"}})
		if err != nil || run.DefaultPhases().Of(name) != (run.Phase{}) {
			return // an all-literal built-in row may win
		}
		if got, want := p.Of(name).Name == "fuzz", regex(glob).MatchString(name); got != want {
			t.Errorf("glob %q, name %q: match %t, want %t", glob, name, got, want)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || r < ' ' })
}

// numbers is every hard case of comparing numbers across types, as sent and as
// what it is exactly.
func numbers() []struct {
	v run.Value
	x *big.Float
} {
	type row = struct {
		v run.Value
		x *big.Float
	}
	var rows []row
	for _, n := range []int64{0, 1, -1, 2, 1<<53 - 1, 1 << 53, 1<<53 + 1, -(1<<53 + 1), math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1} {
		x := new(big.Float).SetPrec(200).SetInt64(n)
		rows = append(rows, row{num(n), x}, row{str(x.Text('f', 0)), x})
	}
	for _, f := range []float64{0, 0.5, -0.5, 1.5, -1.5, 1 << 53, 1<<53 + 2, 1 << 62, 1 << 63, -1 << 63, 1e300, -1e300, 5e-324} {
		rows = append(rows, row{dbl(f), new(big.Float).SetPrec(200).SetFloat64(f)})
	}
	return rows
}

// TestCompareIsExact holds every pair of them against arbitrary precision.
func TestCompareIsExact(t *testing.T) {
	for _, a := range numbers() {
		for _, b := range numbers() {
			got, ok := a.v.Compare(b.v)
			if want := a.x.Cmp(b.x); !ok || got != want {
				t.Errorf("%s %s Compare %s %s = %d, %t; want %d", a.v.Type, a.v, b.v.Type, b.v, got, ok, want)
			}
			if a.v.Same(b.v) != (got == 0) {
				t.Errorf("%s %s and %s %s: Same and Compare differ", a.v.Type, a.v, b.v.Type, b.v)
			}
		}
	}
}

func TestCompareSorts(t *testing.T) {
	rows := numbers()
	values := make([]run.Value, len(rows))
	for i, r := range rows {
		values[i] = r.v
	}
	slices.SortFunc(values, func(a, b run.Value) int { c, _ := a.Compare(b); return c })
	for i := range values[1:] {
		if c, _ := values[i].Compare(values[i+1]); c > 0 {
			t.Errorf("%s stands before %s", values[i], values[i+1])
		}
	}
}

// TestSpellingsMeanTheSame sends every fact in each of its spellings: the
// identity is one, or it is no part of the identity in any of them.
func TestSpellingsMeanTheSame(t *testing.T) {
	for _, fact := range []string{"rank", "world_size", "local_rank", "tp.size", "pp.size", "dp.size", "tp", "pp", "dp", "role", "run", "attempt", "job_uuid", "host", "service"} {
		var first run.Identity
		sent := 0
		for _, key := range run.Aliases(fact).Keys {
			if key == fact {
				continue // an attribute that only bears the fact's name
			}
			id := run.Identify(attrs(key, "3"))
			if cmp.Equal(id, nobody()) {
				t.Errorf("%s: nothing is read from %s", fact, key)
			}
			if sent++; sent == 1 {
				first = id
			} else if diff := cmp.Diff(first, id); diff != "" {
				t.Errorf("%s: %s means something else (-newest +got):\n%s", fact, key, diff)
			}
		}
		if sent == 0 {
			t.Errorf("%s has no spelling", fact)
		}
	}
}
