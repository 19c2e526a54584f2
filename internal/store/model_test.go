package store

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// model is what a store should show of the spans of one run, kept in the
// plainest way: a list in which versions are looked up by hand.
type model struct {
	spans   []run.Span // in order of arrival; Process is the rank
	account run.Account
	counted map[string]uint64 // finished spans by name, first versions only
}

func newModel() *model { return &model{counted: map[string]uint64{}} }

func (m *model) put(rank int, s run.Span) {
	s.Process, s.Scope = rank, run.Scope{Name: "t"}
	s.Marks |= run.Sane(s.Start, s.End)
	if s.Status == run.StatusError {
		s.Marks |= run.Failed
	}
	m.account.Received++
	at := slices.IndexFunc(m.spans, func(o run.Span) bool {
		return o.Process == rank && o.TraceID == s.TraceID && o.ID == s.ID && o.Start == s.Start
	})
	if at < 0 {
		m.account.Kept++
		m.add(s)
		return
	}
	m.again(at, s)
}

func (m *model) add(s run.Span) {
	m.spans = append(m.spans, s)
	if !s.Marks.Has(run.Open | run.Versions | run.InvalidTime) {
		m.counted[s.Name]++
	}
}

// again takes another version of the span at a place.
func (m *model) again(at int, s run.Span) {
	old := m.spans[at]
	wasOpen, isOpen := old.Marks.Has(run.Open), s.Marks.Has(run.Open)
	old.Marks &^= run.Versions
	switch {
	case sameSpan(old, s):
		m.account.Duplicates++
		return
	case isOpen && !wasOpen:
		m.account.Replaced++
		return
	case !wasOpen:
		s.Marks |= run.Versions
	}
	m.account.Replaced++
	m.spans = slices.Delete(m.spans, at, at+1)
	m.add(s)
}

func sameSpan(a, b run.Span) bool { return cmp.Equal(a, b, cmp.Comparer(run.Value.Equal)) }

// randomVersions makes spans of which many are versions of earlier ones.
type randomVersions struct {
	r    *rand.Rand
	made []run.Span
}

func (v *randomVersions) next() run.Span {
	if len(v.made) > 0 && v.r.IntN(3) == 0 {
		s := v.made[max(0, len(v.made)-1-v.r.IntN(60))]
		switch v.r.IntN(4) {
		case 0:
			s.End = s.Start + uint64(v.r.IntN(3))*ms
		case 1:
			s.Status = run.Status(v.r.IntN(3))
		case 2:
			s.Attrs = randomAttrs(v.r)
		}
		return s
	}
	from := uint64(v.r.IntN(1e6)) * ms
	s := sp(uint64(v.r.IntN(1<<20)+1), uint64(v.r.IntN(3)), fmt.Sprint("op-", v.r.IntN(5)), from, from+uint64(v.r.IntN(1e9)), randomAttrs(v.r)...)
	s.TraceID = traceID(uint64(v.r.IntN(300)))
	if v.r.IntN(5) == 0 {
		s.End = 0
	}
	if v.r.IntN(10) == 0 {
		s.Events = []run.Event{{Time: s.Start, Name: fmt.Sprint("e", v.r.IntN(3))}}
	}
	v.made = append(v.made, s)
	return s
}

// randomAttrs is a few attributes of all types, keys sometimes twice.
func randomAttrs(r *rand.Rand) (out []run.Attr) {
	for range r.IntN(5) {
		out = append(out, run.Attr{Key: fmt.Sprint("k", r.IntN(6)), Value: randomValue(r, 2)})
	}
	return out
}

func randomValue(r *rand.Rand, depth int) run.Value {
	switch k := r.IntN(8); {
	case k == 0:
		return run.Value{}
	case k == 1:
		return run.BoolValue(r.IntN(2) == 0)
	case k == 2:
		return run.IntValue(r.Int64() >> r.IntN(64))
	case k == 3:
		return run.DoubleValue(math.Float64frombits(r.Uint64()))
	case k == 4:
		return run.BytesValue([]byte(strings.Repeat("\x00\xff", r.IntN(4))))
	case k == 5 && depth > 0:
		return run.ArrayValue([]run.Value{randomValue(r, depth-1), randomValue(r, depth-1)})
	case k == 6 && depth > 0:
		return run.KVListValue([]run.Attr{{Key: "a", Value: randomValue(r, depth-1)}, {Key: "a", Value: randomValue(r, depth-1)}})
	}
	return run.StringValue(strings.Repeat("v", r.IntN(300)) + fmt.Sprint(r.IntN(50)))
}

// TestStoreEqualsAPlainModel sends random spans and versions of spans and
// compares everything that can be read with the model.
func TestStoreEqualsAPlainModel(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 11))
			f, m := newFixture(t), newModel()
			var by [3]randomVersions
			for i := range by {
				by[i].r = r
			}
			for range 250 {
				n := r.IntN(3)
				var spans []run.Span
				for range 1 + r.IntN(30) {
					s := by[n].next()
					spans = append(spans, s)
					m.put(n, s)
				}
				f.send(rank(n), spans...)
				if r.IntN(10) == 0 {
					f.Snapshot() // what follows must not change it
				}
			}
			compare(t, f, m)
		})
	}
}

func compare(t *testing.T, f *fixture, m *model) {
	t.Helper()
	snap := f.Snapshot()
	checkBalanced(t, snap)
	r := snap.Runs[0]
	if got := r.Accounts[run.Traces]; got != m.account {
		t.Errorf("account = %+v, want %+v", got, m.account)
	}
	got := live(r)
	for i := range got {
		got[i].Process = r.Processes[got[i].Process].ID.Rank
	}
	same := cmp.Comparer(run.Value.Equal)
	if d := cmp.Diff(m.spans, got, same); d != "" {
		t.Fatalf("spans differ (-want +got):\n%.3000s", d)
	}
	counted := map[string]uint64{}
	for _, n := range r.Names {
		if st := total(r, n.Text); st.Count > 0 {
			counted[n.Text] = st.Count
		}
	}
	if !maps.Equal(counted, m.counted) {
		t.Errorf("counted %v, want %v", counted, m.counted)
	}
	compareReads(t, r, m)
}

// compareReads looks spans up by trace, by process and time, and by attribute.
func compareReads(t *testing.T, r *Run, m *model) {
	t.Helper()
	ids := func(refs []Ref) (out []string) {
		for _, ref := range refs {
			s, ok := r.Span(ref)
			if !ok {
				t.Fatalf("%+v has no span", ref)
			}
			out = append(out, fmt.Sprint(s.ID, s.Start))
		}
		return out
	}
	want := func(keep func(run.Span) bool) (out []string) {
		for _, s := range m.spans {
			if keep(s) {
				out = append(out, fmt.Sprint(s.ID, s.Start))
			}
		}
		return out
	}
	for n := range uint64(300) {
		if d := cmp.Diff(want(func(s run.Span) bool { return s.TraceID == traceID(n) }), ids(r.Trace(traceID(n)))); d != "" {
			t.Fatalf("trace %d differs:\n%s", n, d)
		}
	}
	from, to := t0+200_000*ms, t0+400_000*ms
	for _, p := range r.Processes {
		in := func(s run.Span) bool {
			return s.Process == p.ID.Rank && s.Start <= to && (s.End >= from || s.Marks.Has(run.Open))
		}
		if d := cmp.Diff(want(in), ids(r.ProcessSpans(p.Index, from, to))); d != "" {
			t.Errorf("process %d differs:\n%s", p.Index, d)
		}
	}
	compareAttrs(t, r, m)
}

func compareAttrs(t *testing.T, r *Run, m *model) {
	t.Helper()
	k := NewKey("k3", "k1")
	i := 0
	r.EachSpan(func(c *Chunk, row int) bool {
		want, found := lastOf(m.spans[i].Attrs, "k3")
		if !found {
			want, found = lastOf(m.spans[i].Attrs, "k1")
		}
		if v, ok := c.Value(row, k); ok != found || !v.Equal(want) {
			t.Errorf("span %d: %v (%v), want %v (%v)", i, v, ok, want, found)
		}
		i++
		return !t.Failed()
	})
}

func lastOf(attrs []run.Attr, key string) (v run.Value, ok bool) {
	for _, a := range attrs {
		if a.Key == key {
			v, ok = a.Value, true
		}
	}
	return v, ok
}
