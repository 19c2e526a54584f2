package simulate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// One of each kind, to be put into small().
func oneOfEach() []Fault {
	return []Fault{
		Straggler{Rank: 5, Factor: 1.5}, SlowStage{Stage: 1, Factor: 2}, SlowLink{Lane: 2, Delay: 30 * time.Millisecond},
		SlowHost{Host: 1, Factor: 1.5}, Rotating{Factor: 1.5}, Hang{Rank: 5, Iteration: 3}, Freeze{Iteration: 3, Alive: true},
		Silent{Rank: 5, From: 2}, Restart{Rank: 5, Iteration: 4, Back: 2, Down: 5 * time.Second}, Skew{By: 5 * time.Minute},
		SeededIDs{}, Truncated{Iteration: 3}, Sampled{Every: 4}, Topology{TP: 3}, Explosion{},
	}
}

func TestEveryKindIsListedAndParses(t *testing.T) {
	var listed []string
	for _, k := range FaultKinds() {
		listed = append(listed, k.Kind)
		f, err := ParseFault(k.Example)
		if err != nil || f.Kind() != k.Kind {
			t.Errorf("example %s: %v, %v", k.Example, f, err)
		}
		if !strings.HasPrefix(k.String(), k.Kind) || k.About == "" {
			t.Errorf("%s is not documented: %+v", k, k)
		}
	}
	var kinds []string
	for _, f := range oneOfEach() {
		kinds = append(kinds, f.Kind())
	}
	if d := cmp.Diff(kinds, listed, cmp.Transformer("sort", func(v []string) []string { return slices.Sorted(slices.Values(v)) })); d != "" {
		t.Errorf("kinds of this test and those listed: %s", d)
	}
}

func TestParseFault(t *testing.T) {
	for text, want := range map[string]Fault{
		"straggler:rank=5":                     Straggler{Rank: 5, Factor: 1.5},
		" straggler:rank=5, factor=2,from=3 ":  Straggler{Rank: 5, Factor: 2, From: 3},
		"slow-stage:stage=1,factor=3":          SlowStage{Stage: 1, Factor: 3},
		"slow-link":                            SlowLink{Delay: 30 * time.Millisecond},
		"slow-host:host=2":                     SlowHost{Host: 2, Factor: 1.5},
		"rotating":                             Rotating{Factor: 1.5},
		"hang:rank=3,at=9,within=2,alive=true": Hang{Rank: 3, Iteration: 9, Within: 2, Alive: true},
		"freeze:alive=false":                   Freeze{Iteration: 20},
		"silent:rank=1":                        Silent{Rank: 1},
		"restart:rank=1,at=5,back=1":           Restart{Rank: 1, Iteration: 5, Back: 1, Down: 10 * time.Second},
		"skew:by=1h":                           Skew{By: time.Hour},
		"seeded-ids:":                          SeededIDs{},
		"truncated:at=4":                       Truncated{Iteration: 4},
		"sampled":                              Sampled{Every: 2},
		"topology:tp=3,dp=4":                   Topology{TP: 3, DP: 4},
		"cardinality:rate=7":                   Explosion{PerSecond: 7},
	} {
		if got, err := ParseFault(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestParseFaultNamesTheLegalWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "choose one of straggler, slow-stage,",
		"slow":                       "choose one of straggler, slow-stage,",
		"straggler":                  "give rank, the rank: straggler:rank=5",
		"straggler:rnak=5":           "choose from rank, factor, from",
		"straggler:rank":             "not name=value",
		"straggler:rank=":            "not name=value",
		"straggler:rank=five":        "want a whole number",
		"straggler:rank=1,rank=2":    "rank is given twice",
		"straggler:rank=1,factor=x":  "want a number",
		"skew:by=5":                  "want a time",
		"hang:rank=1,alive=perhaps":  "want true or false",
		"seeded-ids:rank=1":          "takes no parameters",
		"cardinality:rate=1e400":     "want a number",
		"slow-link:delay=long,lane=": "not name=value",
	} {
		if f, err := ParseFault(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, f, err, want)
		}
	}
	_, err := ParseFaults([]string{"a", "rotating", "b"})
	if err == nil || strings.Count(err.Error(), "choose one of") != 2 {
		t.Errorf("two wrong ones: %v", err)
	}
}

func FuzzParseFault(f *testing.F) {
	for _, k := range FaultKinds() {
		f.Add(k.Example)
		f.Add(k.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		fault, err := ParseFault(text)
		if (fault == nil) == (err == nil) {
			t.Fatalf("%v, %v", fault, err)
		}
		if fault != nil {
			_, _ = New(small(fault))
		}
	})
}

func TestFaultsThatDoNotFit(t *testing.T) {
	for name, tc := range map[string]struct {
		c    Config
		want string
	}{
		"stage":             {small(SlowStage{Stage: 2, Factor: 2}), "stages 0 to 1"},
		"stage factor":      {small(SlowStage{Factor: 1}), "above 1"},
		"late stage":        {small(SlowStage{Factor: 2, From: 6}), "iterations 0 to 5"},
		"host":              {small(SlowHost{Host: 2, Factor: 2}), "hosts 0 to 1"},
		"split worker":      {Config{TP: 4, DP: 2, RanksPerHost: 2, Faults: []Fault{SlowHost{Factor: 2}}}, "hold whole workers"},
		"one lane":          {Config{PP: 4, Faults: []Fault{Rotating{Factor: 2}}}, "one lane"},
		"one lane, ids":     {Config{PP: 4, Faults: []Fault{SeededIDs{}}}, "one lane"},
		"no link":           {Config{DP: 4, Faults: []Fault{SlowLink{Delay: 1}}}, "one stage"},
		"last stage":        {small(SlowLink{Stage: 1, Delay: 1}), "stages 0 to 0"},
		"lane":              {small(SlowLink{Lane: 4, Delay: 1}), "lanes 0 to 3"},
		"no delay":          {small(SlowLink{}), "above 0"},
		"freeze and hang":   {small(Freeze{}, Hang{}), "give one"},
		"late freeze":       {small(Freeze{Iteration: 6}), "iterations 0 to 5"},
		"two restarts":      {small(Restart{Iteration: 2}, Restart{Iteration: 3}), "more than one restart"},
		"back too far":      {small(Restart{Iteration: 2, Back: 3}), "0 to 2"},
		"down for ever":     {small(Restart{Iteration: 2, Down: -1}), "down for"},
		"silent":            {small(Silent{Rank: 16}), "ranks 0 to 15"},
		"no skew":           {small(Skew{}), "clocks off by"},
		"every rank":        {small(Sampled{Every: 1}), "2 to 16"},
		"sizes as they are": {small(Topology{TP: 2}), "give others"},
		"sizes":             {small(Topology{TP: -1}), "must be 0"},
	} {
		if _, err := New(tc.c); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

// All faults that can be in one run are: nothing is lost by it.
func TestFaultsCompose(t *testing.T) {
	for _, end := range []Fault{Hang{Rank: 2, Iteration: 5}, Freeze{Iteration: 5}, Truncated{Iteration: 5}} {
		c := small(end)
		for _, f := range oneOfEach() {
			if k := f.Kind(); k != KindHang && k != KindFreeze && k != KindTruncated {
				c.Faults = append(c.Faults, f)
			}
		}
		s := stream(t, c)
		if n := len(s.Truth().Injected); n != 13 {
			t.Errorf("%d faults", n)
		}
		if got := collect(t, s); len(got.spans) == 0 || len(got.points) == 0 {
			t.Errorf("%s: nothing is sent", end.Kind())
		}
	}
}

// When all processes of an endless run are frozen, the stream ends: nothing
// would ever come.
func TestFrozenForEver(t *testing.T) {
	c := small(Freeze{Iteration: 2})
	c.Iterations = 0
	if got := collect(t, stream(t, c)); len(got.spans) == 0 || len(got.named(stepName)) > 32 {
		t.Errorf("%d steps ended, want at most 2 on each of 16 ranks", len(got.named(stepName)))
	}
}
