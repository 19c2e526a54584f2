package store

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// shapeFor is the shape of attributes, as the store would intern it.
func shapeFor(t testing.TB, attrs ...run.Attr) (*otlp.Batch, *shape, []otlp.Attr) {
	b, rows := attrsBatch(t, attrs...)
	d := newDict(run.IterationKeys())
	_, at := d.encode(nil, b, rows)
	return b, d.shapes[at], rows
}

func TestIterationOfASpan(t *testing.T) {
	tests := []struct {
		name  string
		attrs []run.Attr
		want  int64
		base  int
		ok    bool
	}{
		{"none", []run.Attr{str("a", "b")}, 0, run.Unknown, false},
		{"an int", []run.Attr{num("dl.iteration", 7)}, 7, run.Unknown, true},
		{"a string", []run.Attr{str("megatron.iteration", "12")}, 12, 0, true},
		{"counted from 1", []run.Attr{num("nv.dl.training.step", 3)}, 3, 1, true},
		{"the exact name wins over the bare one", []run.Attr{num("iteration", 99), num("megatron.iteration", 4)}, 4, 0, true},
		{"what is no number is passed over", []run.Attr{str("nv.dl.training.step", "warmup"), num("iteration", 5)}, 5, run.Unknown, true},
		{"empty", []run.Attr{str("dl.iteration", "")}, 0, run.Unknown, false},
		{"the last of two", []run.Attr{num("dl.iteration", 1), num("dl.iteration", 2)}, 2, run.Unknown, true},
		{"negative", []run.Attr{num("dl.iteration", -1)}, -1, run.Unknown, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, sh, rows := shapeFor(t, tt.attrs...)
			n, base, ok := sh.iterationOf(b, rows)
			if n != tt.want || base != tt.base || ok != tt.ok {
				t.Errorf("iteration = %d from %d (%v), want %d from %d (%v)", n, base, ok, tt.want, tt.base, tt.ok)
			}
		})
	}
}

func TestSkippedSteps(t *testing.T) {
	tests := []struct {
		value run.Value
		want  bool
	}{
		{run.BoolValue(true), true}, {run.BoolValue(false), false},
		{run.IntValue(1), true}, {run.IntValue(0), false},
		{run.StringValue("true"), true}, {run.StringValue("1"), true}, {run.StringValue("0"), false}, {run.StringValue(""), false},
		{run.DoubleValue(0), false}, {run.Value{}, false},
	}
	for _, tt := range tests {
		b, sh, rows := shapeFor(t, run.Attr{Key: "megatron.skipped", Value: tt.value})
		if got := sh.isSkipped(b, rows); got != tt.want {
			t.Errorf("%s %v: %v, want %v", tt.value.Type, tt.value, got, tt.want)
		}
	}
	b, sh, rows := shapeFor(t, str("a", "b"))
	if sh.isSkipped(b, rows) {
		t.Error("a span without the attribute is skipped")
	}
}

func TestFindingKeys(t *testing.T) {
	_, sh, _ := shapeFor(t, num("a", 1), num("b", 2), num("a", 3))
	for key, want := range map[string]int{"a": 2, "b": 1, "c": -1, "": -1} {
		if got := sh.find(key); got != want {
			t.Errorf("%q is at %d, want %d", key, got, want)
		}
	}
	if got := sh.findAny([]string{"c", "b", "a"}); got != 1 {
		t.Errorf("the first of c, b, a is at %d, want 1", got)
	}
	if got := sh.findAny(nil); got != -1 {
		t.Errorf("none of no keys is at %d", got)
	}
}

func TestFormsAreInterned(t *testing.T) {
	d := newDict(nil)
	scope := &run.Scope{Name: "s"}
	forms := []form{{scope: scope, kind: 1}, {scope: scope, kind: 2}, {scope: scope, kind: 1, flags: 1}, {scope: scope, kind: 1, status: 2}, {kind: 1}}
	for round := range 2 {
		for i, f := range forms {
			if got := d.formOf(f); int(got) != i {
				t.Errorf("round %d: form %d is at %d", round, i, got)
			}
		}
	}
	if len(d.forms) != len(forms) {
		t.Errorf("forms = %d", len(d.forms))
	}
}

func TestScopesAreInterned(t *testing.T) {
	of := func(sc run.Scope) *otlp.Batch {
		k := otlp.NewBuilder(run.Traces)
		k.Resource(nil, 0, "")
		k.Scope(sc)
		s := sp(1, 0, "x", 0, 1)
		k.Span(&s)
		return decode(t, run.Traces, k.Bytes())
	}
	d := newDict(nil)
	a := run.Scope{Name: "n", Version: "v", Attrs: []run.Attr{num("k", 1)}}
	withSchema := a
	withSchema.Schema = "https://example"
	var got []*run.Scope
	for _, sc := range []run.Scope{a, a, withSchema, a} {
		b := of(sc)
		got = append(got, d.scope(b, &b.Scopes[0]))
	}
	if got[0] != got[1] || got[0] != got[3] || got[0] == got[2] {
		t.Errorf("scopes are not interned: %p %p %p %p", got[0], got[1], got[2], got[3])
	}
	if got[2].Schema != "https://example" || got[2].Attrs[0].Key != "k" {
		t.Errorf("scope = %+v", got[2])
	}
}
