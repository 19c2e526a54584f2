package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// naive is the meaning of the language written down once more, slowly and from
// full spans: no three-valued logic, no dictionaries, nothing decided ahead.
type naive struct {
	run  *store.Run
	proc *store.Process
	span run.Span
}

func (n naive) eval(at *node) bool {
	switch at.kind {
	case isNot:
		return !n.eval(at.kids[0])
	case isAnd:
		for _, k := range at.kids {
			if !n.eval(k) {
				return false
			}
		}
		return true
	case isOr:
		for _, k := range at.kids {
			if n.eval(k) {
				return true
			}
		}
		return false
	}
	return n.term(at.term)
}

func (n naive) term(t *term) bool {
	if t.vals == nil {
		return strings.Contains(strings.ToLower(n.span.Name), t.contains)
	}
	v, ok := n.value(t)
	if !ok {
		return false
	}
	hit := false
	for _, want := range t.vals {
		hit = hit || n.holds(t.op, v, want)
	}
	return hit != t.op.negative()
}

func (n naive) holds(op operator, v run.Value, want value) bool {
	if want.re != nil {
		return regexp.MustCompile(want.text).MatchString(v.String())
	}
	got, isNum := v.Number()
	isNum = isNum && !math.IsNaN(got) && !math.IsInf(got, 0)
	if want.isSpan {
		return isNum && got >= want.num.f && got <= want.hi.f
	}
	var c int
	switch {
	case want.isNum && isNum:
		c, _ = v.Compare(run.StringValue(wantText(want)))
	case want.isNum && op.ordered():
		return false
	default:
		c = strings.Compare(v.String(), want.text)
	}
	return map[operator]bool{opGt: c > 0, opGe: c >= 0, opLt: c < 0, opLe: c <= 0}[op] || !op.ordered() && c == 0
}

// wantText writes a number: a duration's text has a unit.
func wantText(v value) string {
	if v.num.whole {
		return strconv.FormatInt(v.num.i, 10)
	}
	return strconv.FormatFloat(v.num.f, 'g', -1, 64)
}

func (n naive) value(t *term) (run.Value, bool) {
	text := func(s string) (run.Value, bool) { return run.StringValue(s), s != "" }
	count := func(i int) (run.Value, bool) { return run.IntValue(int64(i)), i != run.Unknown }
	switch t.key {
	case "rank":
		return count(n.proc.ID.Rank)
	case "pp":
		return count(n.proc.Coord.PP)
	case "host":
		return text(n.proc.ID.Host)
	case "role":
		return text(n.proc.ID.Role)
	case "name":
		return text(n.span.Name)
	case "class":
		return text(run.DefaultPhases().Of(n.span.Name).Class.String())
	case "dur":
		return run.IntValue(int64(n.span.End - n.span.Start)), !n.span.Marks.Has(run.InvalidTime | run.Open)
	case "truncated":
		return text(strconv.FormatBool(n.span.Marks.Has(run.Truncated)))
	case "error":
		return text(strconv.FormatBool(n.span.Status == run.StatusError))
	case "status":
		return text([]string{"unset", "ok", "error"}[n.span.Status])
	}
	return n.attribute(t.key)
}

func (n naive) attribute(key string) (run.Value, bool) {
	keys := run.Aliases(key).Keys
	for _, attrs := range [][]run.Attr{n.span.Attrs, n.proc.Resource} {
		for _, k := range keys {
			for i := len(attrs) - 1; i >= 0; i-- {
				if attrs[i].Key != k {
					continue
				}
				v := attrs[i].Value
				if v.Type == run.String && v.Str() == "" && len(keys) > 1 {
					continue
				}
				return v, true
			}
		}
	}
	return run.Value{}, false
}

// sentence writes a random filter.
func sentence(rng *rand.Rand, depth int) string {
	if depth > 0 {
		switch rng.IntN(5) {
		case 0:
			return "not " + sentence(rng, depth-1)
		case 1:
			return "(" + sentence(rng, depth-1) + " or " + sentence(rng, depth-1) + ")"
		case 2, 3:
			return sentence(rng, depth-1) + []string{" and ", " "}[rng.IntN(2)] + sentence(rng, depth-1)
		}
	}
	return clause(rng)
}

func clause(rng *rand.Rand) string {
	pick := func(s ...string) string { return s[rng.IntN(len(s))] }
	order := func() string { return pick("=", "!=", ">", ">=", "<", "<=") }
	n := func() string { return strconv.Itoa(rng.IntN(4)) }
	switch rng.IntN(12) {
	case 0:
		return "rank" + order() + n()
	case 1:
		return pick("dl.rank", "nv.dl.rank", "dl.pipeline_parallel.size", "level", "nowhere") + order() + n()
	case 2:
		return pick("rank", "pp", "dl.rank", "level") + pick(" in ", " not in ") + "(" + n() + "," + n() + ")"
	case 3:
		return pick("host", "role", "team", "tag") + pick("=", "!=") + pick("node-1", "node-2", "trainer", "blue", "a")
	case 4:
		return pick("host", "name", "tag", "loss") + pick("=~", "!~") + pick("^n", "[a-c]", "0", "step$")
	case 5:
		return pick("forward", "megatron", "step", "GET")
	case 6:
		return "dur" + order() + pick("100ms", "1s", "3s", "900ms")
	case 7:
		return pick("truncated", "error", "truncated=false", "error!=true")
	case 8:
		return "class" + pick("=", "!=") + pick("compute", "wait", "step", "other")
	case 9:
		return "loss" + order() + pick("0.25", "0.5", "1e-3", "abc")
	case 10:
		return pick("rank", "loss", "level", "big") + "=" + pick("0..1", "0.1..0.3", "2..9")[0:4]
	}
	return "big" + order() + pick("9007199254740992", "9007199254740993")
}

// TestMatcherAgainstNaive compares the two on random filters.
func TestMatcherAgainstNaive(t *testing.T) {
	r := zoo(t)
	rng := rand.New(rand.NewPCG(10, 11))
	matched, tried := 0, 0
	for range 3_000 {
		text := sentence(rng, 3)
		f, err := Parse(text)
		if err != nil {
			continue // "rank=0.1." and the like
		}
		m := f.Bind(r)
		r.EachSpan(func(c *store.Chunk, i int) bool {
			span := fullSpan(r, c, i)
			want := naive{r, r.Processes[c.Process(i)], span}.eval(f.root)
			if got := m.Span(c, i); got != want {
				t.Fatalf("%s: span %s is %v, want %v", text, describe(span), got, want)
			}
			pair, sure := m.Pair(c.Process(i), c.NameID(i))
			if sure && pair != want || want && (!pair || !m.Spans(c.Process(i)) || !m.Run()) {
				t.Fatalf("%s: span %s is %v, pair %v (sure %v)", text, describe(span), want, pair, sure)
			}
			tried++
			if want {
				matched++
			}
			return true
		})
	}
	if matched < tried/10 || matched > tried*9/10 {
		t.Errorf("%d of %d matched: the sentences are too dull", matched, tried)
	}
}

func fullSpan(r *store.Run, c *store.Chunk, i int) run.Span {
	s, _ := r.Span(c.Ref(i))
	return s
}

func describe(s run.Span) string { return fmt.Sprintf("%s %v", s.Name, s.Attrs) }
