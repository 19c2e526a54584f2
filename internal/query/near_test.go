package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/store"
)

func TestUnknown(t *testing.T) {
	s := zooSnapshot(t)
	for text, want := range map[string][]UnknownKey{
		"":                             nil,
		"rank=0 and host=node-1":       nil, // facts are never unknown
		"forward":                      nil, // neither are words
		"rnak=0":                       {{"rnak", "rank"}},
		"hots=a or (not rnak=0)":       {{"hots", "host"}, {"rnak", "rank"}},
		"rnak=0 or rnak=1":             {{"rnak", "rank"}},
		"nothing.like.it.anywhere = 1": {{Key: "nothing.like.it.anywhere"}},
	} {
		f, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, Unknown(f, s, "")); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	f, _ := Parse("rnak=0")
	if got := Unknown(f, &store.Snapshot{}, ""); got != nil {
		t.Errorf("without a run %v is unknown: it may come yet", got)
	}
}

// Every key that the run has is known, under every spelling.
func TestWhatWasSentIsKnown(t *testing.T) {
	s := zooSnapshot(t)
	r := s.Runs[0]
	keys := r.SpanKeys(1000)
	for _, p := range r.Processes {
		for _, a := range p.Resource {
			keys = append(keys, a.Key)
		}
	}
	for _, k := range keys {
		f, err := Parse(Quote(k) + "=1")
		if err != nil {
			continue // a key that no filter can name
		}
		if got := Unknown(f, s, ""); got != nil {
			t.Errorf("%q was sent, and is unknown", k)
		}
	}
}

func TestNearest(t *testing.T) {
	all := []string{"filter", "rank", "ranks-only", "quit"}
	for word, want := range map[string]string{
		"fliter": "filter", "filtr": "filter", "rakn": "rank", "qiut": "quit", "Rank": "rank", "zzz": "", "": "", "r": "",
	} {
		if got := Nearest(word, all); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"same", "same", 0}, {"abcdef", "uvwxyz", 5}} {
		if got := distance(test.a, test.b, 5); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
