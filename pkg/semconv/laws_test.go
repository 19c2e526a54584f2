package semconv_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// layer makes a map of the bytes of s: "a1b2" is a=1, b=2.
func layer(s string) map[string]string {
	m := map[string]string{}
	for i := 0; i+1 < len(s); i += 2 {
		m[s[i:i+1]] = s[i+1 : i+2]
	}
	return m
}

// FuzzCompose holds the merge against its meaning, key by key.
func FuzzCompose(f *testing.F) {
	f.Add("a1b2", "a3c4", "b5d6")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, c, d, o string) {
		current, defaults, overrides := layer(c), layer(d), layer(o)
		got := semconv.Compose(current, defaults, overrides)
		for key, value := range got {
			want, ok := overrides[key]
			if !ok {
				want, ok = current[key]
			}
			if !ok {
				want, ok = defaults[key]
			}
			if !ok || want != value {
				t.Errorf("%q is %q, want %q, %t", key, value, want, ok)
			}
		}
		for _, m := range []map[string]string{current, defaults, overrides} {
			for key := range m {
				if _, ok := got[key]; !ok {
					t.Errorf("%q is lost", key)
				}
			}
		}
	})
}

// FuzzNormalize says what may become of one hostile value under every typed
// key, and that doing it twice changes nothing more.
func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"7", " +007 ", "", "3.5", "٣", "\xff\x00", strings.Repeat("9", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		types := semconv.ResourceTypes()
		in := map[string]any{"example.id": s}
		for key := range types {
			in[key] = s
		}
		once, warnings := semconv.Normalize(in, types)
		n, valid := semconv.ParseInt(s)
		if valid != (len(warnings) == 0) || !valid && len(warnings) != len(types) {
			t.Errorf("%q: %d warnings for %d keys, valid %t", s, len(warnings), len(types), valid)
		}
		if once["example.id"] != any(s) {
			t.Errorf("%q: an untyped value became %v", s, once["example.id"])
		}
		for key := range types {
			got, there := once[key]
			dropped := !valid && strings.HasPrefix(key, "slurm.")
			if there == dropped || there && valid && got != any(n) || there && !valid && got != any(s) {
				t.Errorf("%q: %s became %v, %t", s, key, got, there)
			}
		}
		twice, _ := semconv.Normalize(once, types)
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Errorf("%q: the second time differs:\n%s", s, diff)
		}
	})
}

// TestFieldsAreFresh says that no caller can change the table of another.
func TestFieldsAreFresh(t *testing.T) {
	semconv.Fields()[0].Key = "changed"
	if semconv.Fields()[0].Key == "changed" {
		t.Error("Fields hands out its own table")
	}
	semconv.Namespaces()[0].Prefix = "changed"
	if semconv.Namespaces()[0].Prefix == "changed" {
		t.Error("Namespaces hands out its own table")
	}
}

// TestFieldSets says which rows the sets hold: what is written to a resource,
// and nothing twice.
func TestFieldSets(t *testing.T) {
	sets := map[string][]semconv.Field{"nv.dl.": semconv.DLFields(), "nv.gpu.": semconv.GPUFields(), "slurm.": semconv.SlurmFields()}
	all := map[string]bool{}
	for prefix, fields := range sets {
		for _, f := range fields {
			if !strings.HasPrefix(f.Key, prefix) || !f.Where.Has(semconv.OnResource) || f.Presence == semconv.ReadOnly {
				t.Errorf("%s is in the set of %s", f.Key, prefix)
			}
			all[f.Key] = true
		}
	}
	want := map[string]bool{}
	for _, name := range expand(written) {
		f, _ := semconv.Lookup(name)
		if ns, _ := semconv.NamespaceOf(name); f.Where.Has(semconv.OnResource) && sets[ns.Prefix] != nil {
			want[name] = true
		}
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	resource := map[string]bool{}
	for _, f := range semconv.ResourceFields() {
		resource[f.Key] = true
	}
	if !maps.Equal(resource, all) || len(semconv.ResourceFields()) != len(all) {
		t.Error("ResourceFields is not the three sets together")
	}
}

func TestParseInt(t *testing.T) {
	tests := map[string]struct {
		n  int64
		ok bool
	}{
		" +007 ": {7, true}, "-12": {-12, true}, "9007199254740993": {9007199254740993, true}, "\v\f\r1": {1, true},
		"1 ": {1, true}, "\u00a01": {0, false}, "1\u2003": {0, false}, "+ 1": {0, false}, "": {0, false}, "-": {0, false}, "99999999999999999999": {0, false},
	}
	for in, want := range tests {
		if n, ok := semconv.ParseInt(in); n != want.n || ok != want.ok {
			t.Errorf("ParseInt(%q) = %d, %t; want %d, %t", in, n, ok, want.n, want.ok)
		}
	}
}
