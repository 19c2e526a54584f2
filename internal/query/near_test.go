package query

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/store"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"rank", "rank", 0}, {"rank", "", 4}, {"", "ab", 2},
		{"rnak", "rank", 1}, // exchanged
		{"rankk", "rank", 1}, {"ran", "rank", 1}, {"rink", "rank", 1},
		{"kitten", "sitting", 3}, {"abcdef", "badcfe", 3}, {"host", "hots", 1}, {"pp.size", "tp.size", 1},
	} {
		if got := distance(c.a, c.b, 100); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.a, c.b, c.want); got != c.want {
			t.Errorf("%q and %q: the limit itself is %d", c.a, c.b, got)
		}
	}
}

// It is a distance: nothing is as near as the same, both ways are as long, and no
// more letters differ than there are.
func TestDistanceIsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		b := make([]byte, r.IntN(7))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 5_000 {
		a, b := word(), word()
		d := distance(a, b, 100)
		if d != distance(b, a, 100) {
			t.Fatalf("%q to %q is %d, back %d", a, b, d, distance(b, a, 100))
		}
		if (d == 0) != (a == b) || d > max(len(a), len(b)) || d < max(len(a), len(b))-min(len(a), len(b)) {
			t.Fatalf("%q and %q: %d", a, b, d)
		}
		if limit := r.IntN(5) + 1; distance(a, b, limit) != min(d, limit) {
			t.Fatalf("%q and %q below %d: %d, want %d", a, b, limit, distance(a, b, limit), min(d, limit))
		}
	}
}

func TestNearest(t *testing.T) {
	all := []string{"rank", "role", "host", "tp", "dl.rank", "dl.tensor_parallel.size", "world_size"}
	for word, want := range map[string]string{
		"rnak": "rank", "RANK": "rank", "dl.rnak": "dl.rank", "dl.tensor_paralel.size": "dl.tensor_parallel.size", "hostt": "host", "tq": "tp",
		"completely": "", "": "", "x": "", "worldsize": "world_size",
	} {
		if got := Nearest(word, all); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Nearest("rank", nil); got != "" {
		t.Errorf("of nothing the nearest is %q", got)
	}
	if got := Nearest("rask", []string{"rank", "rast"}); got != "rank" {
		t.Errorf("of equally near ones the first: %q", got)
	}
}

func TestUnknownKeys(t *testing.T) {
	s := &store.Snapshot{Runs: []*store.Run{zoo(t)}}
	for text, want := range map[string][]UnknownKey{
		"rank=0 and host=x and forward": nil, // short keys and words are always known
		"dl.rank=0":                     nil, // another spelling of what was sent
		"loss>0.1 or team=blue":         nil,
		"dl.rnak=0":                     {{"dl.rnak", "dl.rank"}},
		"nosuch.key=1":                  {{"nosuch.key", ""}},
		"not teem=blue and (x.y.z=1 or teem!=red)": {{"teem", "team"}, {"x.y.z", ""}},
		"losss>0.1":      {{"losss", "loss"}},
		`"rank"=0`:       nil, // an attribute, of which others are spellings
		"":               nil,
		"rank in (0, 1)": nil,
	} {
		f, err := Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if d := cmp.Diff(want, Unknown(f, s, "r1")); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
	f, _ := Parse("nosuch.key=1")
	if got := Unknown(f, &store.Snapshot{}, ""); got != nil {
		t.Errorf("without a run %v are unknown: they may come yet", got)
	}
}
