package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestJudge(t *testing.T) {
	const now = 1_000 * 1e9
	grows := store.KeyStat{Exact: true, First: 1, GrewAt: now - 1e9}
	stat := func(distinct, once, series, perProcess int) store.KeyStat {
		k := grows
		k.Distinct, k.Once, k.Series, k.SeriesMax = distinct, once, series, perProcess
		return k
	}
	with := func(k store.KeyStat, change func(*store.KeyStat)) store.KeyStat { change(&k); return k }
	for _, c := range []struct {
		name   string
		stat   store.KeyStat
		word   string // "" for no finding
		reason string
	}{
		{"five models", stat(5, 0, 5, 5), "", ""},
		{"200 is fine", stat(200, 0, 200, 200), "", ""},
		{"201", stat(201, 0, 201, 201), "notice", "more than 200"},
		{"1,000", stat(1000, 0, 1000, 1000), "notice", "more than 200"},
		{"1,001", stat(1001, 0, 1001, 1001), "warning", "more than 1,000 values"},
		{"estimated", with(stat(5000, 0, 5000, 5000), func(k *store.KeyStat) { k.Exact = false }), "warning", "more than 1,000 values"},
		{"10,001", stat(10_001, 0, 10_001, 1), "critical", "more than 10,000 values"},
		{"three sets on 1,024 ranks", stat(3, 0, 3072, 3), "", ""},
		{"2,001 series in one process", stat(50, 0, 2001, 2001), "warning", "2,001 series in one process"},
		{"10,001 series in one process", stat(101, 0, 10_001, 10_001), "critical", "10,001 series"},
		{"overflow", with(stat(5, 0, 5, 5), func(k *store.KeyStat) { k.Overflow = true }), "critical", "otel.metric.overflow"},
		{"unbounded", stat(60, 54, 60, 60), "warning", "nearly every value is new"},
		{"50 are too few to tell", stat(50, 50, 50, 50), "", ""},
		{"many seen again", stat(60, 53, 90, 90), "", ""},
		{"no longer growing", with(stat(60, 60, 60, 60), func(k *store.KeyStat) { k.GrewAt = now - 100e9 }), "", ""},
		{"all at once", with(stat(60, 60, 60, 60), func(k *store.KeyStat) { k.First = k.GrewAt }), "", ""},
	} {
		f, bad := judge(c.stat, now, usual())
		word := ""
		if bad {
			word = f.Word()
		}
		if word != c.word || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, word, f.Reason, c.word, c.reason)
		}
	}
}

// TestExplodingKey sends a counter with 5,000 session ids beside a healthy one.
func TestExplodingKey(t *testing.T) {
	f := newFeed(t)
	var bad, good [][]run.Attr
	for i := range 5000 {
		bad = append(bad, []run.Attr{str("user.session.id", fmt.Sprintf("s-%04d", i)), str("gen_ai.request.model", "m1")})
	}
	for i := range 5 {
		good = append(good, []run.Attr{str("gen_ai.request.model", fmt.Sprint("model-", i))})
	}
	f.counter(trainer(0, 1), "requests", bad...)
	f.counter(trainer(0, 1), "tokens", good...)
	s, r := f.look()
	found := Cardinality(s, r)
	if len(found) != 1 {
		t.Fatalf("%d findings: %+v", len(found), found)
	}
	k := found[0]
	if k.Metric != "requests" || k.Key != "user.session.id" || k.Level != run.Warning || k.Series != 5000 || k.SeriesMax != 5000 {
		t.Errorf("%+v", k)
	}
	if k.Distinct < 4800 || k.Distinct > 5200 {
		t.Errorf("about 5,000 values, says %d", k.Distinct)
	}
	text := k.Text()
	for _, want := range []string{"requests", "user.session.id", "s-0000, s-0001, s-0002", "use a span attribute"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not name %q", text, want)
		}
	}
	n := CardinalityNotices(s, r)
	if len(n) != 1 || n[0].Level != run.Warning || n[0].Code != "cardinality" || n[0].Text != text || n[0].Run != "run-1" {
		t.Errorf("notices %+v", n)
	}
}

func TestOverflowBlamesTheLargestKey(t *testing.T) {
	r := &store.Run{Cardinality: []store.KeyStat{
		{Metric: "m", Key: "otel.metric.overflow", Distinct: 1, Exact: true, Overflow: true},
		{Metric: "m", Key: "id", Distinct: 1999, Exact: true, Overflow: true},
		{Metric: "n", Key: "k", Distinct: 300, Exact: true},
		{Metric: "a", Key: "k", Distinct: 1500, Exact: true},
	}}
	var got []string
	for _, f := range Cardinality(&store.Snapshot{}, r) {
		got = append(got, f.Metric+"/"+f.Key+"/"+f.Word())
	}
	if want := "m/id/critical a/k/warning n/k/notice"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n := CardinalityNotices(&store.Snapshot{}, r); len(n) != 2 {
		t.Errorf("%d notices, want 2: a notice is no warning", len(n))
	}
}

// A sender that puts data into the keys, one value each, cannot fill the header
// or a line of it.
func TestManyFindingsAreFewNotices(t *testing.T) {
	r := &store.Run{}
	for i := range 5000 {
		r.Cardinality = append(r.Cardinality, store.KeyStat{
			Metric: "m", Key: fmt.Sprintf("key %04d %s", i, strings.Repeat("é", 10_000)), Distinct: 1, Exact: true, SeriesMax: 5000,
		})
	}
	n := CardinalityNotices(&store.Snapshot{}, r)
	if len(n) != mostNotices+1 || !strings.HasPrefix(n[mostNotices].Text, "4,980 more metric attributes") {
		t.Fatalf("%d notices, the last %q", len(n), n[len(n)-1].Text)
	}
	if text := n[0].Text; len(text) > 600 || !strings.HasPrefix(text, "key 0000 éé") || !strings.Contains(text, "é… has 1 values on metric m") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}

func TestShort(t *testing.T) {
	for _, r := range []string{"a", "é", "训", "🚀", "\xff"} {
		if got := []rune(short(strings.Repeat(r, 10_000))); len(got) != 120 || got[119] != '…' {
			t.Errorf("%q: %d characters", r, len(got))
		}
		if long := strings.Repeat(r, 120); short(long) != long {
			t.Errorf("%q: 120 are changed", r)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s", n, got)
		}
	}
}
