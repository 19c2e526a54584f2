package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestFormsOfNames(t *testing.T) {
	for _, tt := range []struct {
		name, form string
		kind       idKind
	}{
		{"forward_backward", "forward_backward", noID},
		{"nv.mcore.layer.12.forward", "nv.mcore.layer.#.forward", smallNumber},
		{"layer12", "layer#", smallNumber},
		{"bf16_cast", "bf#_cast", smallNumber},
		{"session 1234", "session #", bigNumber},
		{"step1234567", "step#", bigNumber},
		{"req 3f2a9c4e00aa", "req #", hexID},
		{"deadbeef", "deadbeef", noID},
		{"12345678", "#", bigNumber},
		{"3f2a9c4e-0000-4aaa-8bbb-0123456789ab", "#", hexID},
		{"a 3f2a9c4e-0000-4aaa-8bbb-0123456789ab b", "a # b", hexID},
		{"GET /api/v2/items", "GET /api/v#/items", smallNumber},
		{"", "", noID}, {"步骤", "步骤", noID}, {"0x", "0x", noID},
	} {
		if form, kind := formOf(tt.name); form != tt.form || kind != tt.kind {
			t.Errorf("%q: %q, %d; want %q, %d", tt.name, form, kind, tt.form, tt.kind)
		}
	}
}

func TestUUIDs(t *testing.T) {
	good := "3f2a9c4e-0000-4AAA-8bbb-0123456789ab"
	if !isUUID(good) || !isUUID(good+" more") {
		t.Error("a uuid is none")
	}
	for i := range uuidLen {
		if bad := good[:i] + "x" + good[i+1:]; isUUID(bad) {
			t.Errorf("%s is a uuid", bad)
		}
		if isUUID(good[:i]) {
			t.Errorf("%s is a uuid", good[:i])
		}
	}
}

// FuzzForms looks for names that crash, and holds that a form has no more
// characters than its name.
func FuzzForms(f *testing.F) {
	for _, s := range []string{"layer.12", "3f2a9c4e-0000-4aaa-8bbb-0123456789ab", "a\x00b", "\xff9999999", "é12345"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		form, kind := formOf(name)
		if len(form) > len(name) || kind == noID && form != name {
			t.Errorf("%q becomes %q (%d)", name, form, kind)
		}
		if again, _ := formOf(form); strings.Count(again, "#") != strings.Count(form, "#") {
			t.Errorf("%q becomes %q becomes %q", name, form, again)
		}
	})
}

// A key is told once for each kind of place that it stands in.
func TestEachKeyOnce(t *testing.T) {
	f := newFeed(t)
	for rank := range 3 {
		f.spans(trainer(rank, 3, num("k", 1)), f.mk("a", 0, ms, num("k", 1), num("l", 2)), f.mk("b", 0, ms, num("k", 1)))
	}
	f.counter(trainer(0, 3), "m", []run.Attr{str("k", "v")}, []run.Attr{str("k", "w")})
	_, r := f.look()
	got := map[string]int{}
	eachKey(r, func(where, key string) { got[where+" "+key]++ })
	for _, want := range []string{"resource k", "span k", "span l", "metric k", "resource nv.dl.rank"} {
		if got[want] != 1 {
			t.Errorf("%s is told %d times", want, got[want])
		}
	}
}

func TestTextsOfBroken(t *testing.T) {
	for _, tt := range []struct {
		in   Broken
		want string
	}{
		{Broken{Code: UnknownKey, Where: "span", Name: "dl.rnak", Advice: "did you mean dl.rank?"}, "dl.rnak is no known span attribute: did you mean dl.rank?"},
		{Broken{Code: VaryingDouble, Name: "loss", On: "step", Count: 51, Examples: []string{"1", "2"}, Advice: "record it as a metric"},
			"loss is a number that varies on span step (more than 50 values, such as 1, 2): record it as a metric"},
		{Broken{Code: IDsInNames, Count: 1234, Examples: []string{"a1"}, Advice: "x"}, "1,234 span names differ in an id alone, such as a1: x"},
	} {
		if got := tt.in.Text(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// Values of hostile senders do not grow the answer.
func TestConventionsAreBounded(t *testing.T) {
	f := newFeed(t)
	for i := range 40 {
		var attrs []run.Attr
		for k := range 40 {
			attrs = append(attrs, dbl(fmt.Sprintf("key%d.%d", i, k), float64(i)))
		}
		f.spans(trainer(0, 1), f.mk(strings.Repeat("long", 200)+fmt.Sprint(i), 0, ms, attrs...))
	}
	_, r := f.look()
	for _, b := range Conventions(r) {
		if len(b.Text()) > 1000 {
			t.Errorf("%d characters: %.100s", len(b.Text()), b.Text())
		}
	}
}

// Simulated ranks on hosts with skewed clocks: the offsets that were injected are
// found, whatever the order in which the ranks send.
func TestClocksOfASimulatedRun(t *testing.T) {
	s := simulated(t, simulate.Config{Seed: 4, DP: 32, RanksPerHost: 8, Iterations: 12, HostSkew: 5e9})
	h := HealthOf(s, Scope{Run: s.Runs[0]})
	if len(h.Clocks) != 4 {
		t.Fatalf("%d hosts", len(h.Clocks))
	}
	widest := 0.0
	for _, c := range h.Clocks {
		if c.Ranks != 8 || c.Residual > 0.01 {
			t.Errorf("%+v", c)
		}
		widest = max(widest, c.Offset, -c.Offset)
	}
	if widest < 0.1 || widest > 10 {
		t.Errorf("offsets up to %v s of 5", widest)
	}
	even := simulated(t, simulate.Config{Seed: 4, DP: 32, RanksPerHost: 8, Iterations: 12})
	for _, c := range HealthOf(even, Scope{Run: even.Runs[0]}).Clocks {
		if c.Offset > 0.01 || c.Offset < -0.01 {
			t.Errorf("clocks that agree: %+v", c)
		}
	}
}

// The worst clock is far off, and by more than its steps vary.
func TestWorstClock(t *testing.T) {
	for _, tt := range []struct {
		clocks []HostClock
		want   string
	}{
		{nil, ""}, {[]HostClock{{Host: "a", Offset: 0.9}}, ""}, {[]HostClock{{Host: "a", Offset: 2, Residual: 1}}, ""},
		{[]HostClock{{Host: "a", Offset: 2}, {Host: "b", Offset: -3}}, "b"},
	} {
		if c, ok := worstClock(tt.clocks); c.Host != tt.want || ok != (tt.want != "") {
			t.Errorf("%v: %+v, %t", tt.clocks, c, ok)
		}
	}
}

// Healthy simulated runs have complete and timely telemetry.
func TestHealthOfHealthyRuns(t *testing.T) {
	for seed := range uint64(5) {
		s := simulated(t, simulate.Config{Seed: seed, TP: 2, PP: 2, DP: 4, Iterations: 30, CheckpointEvery: 10})
		if ns := HealthNotices(s, s.Runs[0]); len(ns) != 0 {
			t.Errorf("seed %d: %v", seed, ns)
		}
	}
}

// Growth of a key that has many values is told by the minute.
func TestGrowth(t *testing.T) {
	for _, tt := range []struct {
		in   store.KeyStat
		want float64
	}{
		{store.KeyStat{Distinct: 61, First: 0, GrewAt: 60e9}, 60}, {store.KeyStat{Distinct: 31, First: 100e9, GrewAt: 130e9}, 60},
	} {
		if got := perMinute(tt.in); got != tt.want {
			t.Errorf("%+v grows by %v, want %v", tt.in, got, tt.want)
		}
	}
	for _, in := range []store.KeyStat{{}, {Distinct: 1, GrewAt: 5e9}, {Distinct: 10, First: 5, GrewAt: 5}} {
		if got := perMinute(in); !math.IsNaN(got) {
			t.Errorf("%+v grows by %v", in, got)
		}
	}
}

// The checks do not depend on the order in which ranks came.
func TestChecksDoNotDependOnOrder(t *testing.T) {
	send := func(order []int) map[string]string {
		f := newFeed(t)
		for _, rank := range order {
			f.step(trainer(rank, 4, append(sizes(2, 1, 2), str("nv.gpu.uuid", fmt.Sprint("G", rank/2)), str("nv.dl.software.nccl", fmt.Sprint(rank%2)))...), 1, 0, sec, 0)
		}
		_, r := f.look()
		return noticeTexts(Checks(r))
	}
	want := send([]int{0, 1, 2, 3})
	for _, order := range [][]int{{3, 2, 1, 0}, {2, 0, 3, 1}} {
		if d := cmp.Diff(want, send(order)); d != "" {
			t.Errorf("%v (-in order +got):\n%s", order, d)
		}
	}
}
