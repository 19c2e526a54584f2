package simulate

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// What the schedule says without noise is what the model does with it.
func TestScheduleIsTheModels(t *testing.T) {
	for _, c := range []Config{{PP: 4, DP: 2, Microbatches: 2}, {PP: 4, DP: 2, Microbatches: 8}, {PP: 2, DP: 3, Microbatches: 4}} {
		for pp := range c.PP {
			c.Faults = []Fault{Straggler{Rank: pp * c.DP, Factor: 1.8}}
			m, err := newModel(c)
			if err != nil {
				t.Fatal(err)
			}
			l := newLane(m)
			l.compute(3, 0, 0, nil)
			slow := ends(l)
			l.compute(3, 1, 0, nil)
			got := heldUp(slow, ends(l))
			want := m.identify().ratio(pp, 1.8)
			m.Detail = ForwardBackward
			if coarse := m.identify().ratio(pp, 1.8); want != 1.8 || math.Abs(got/coarse-1) > .04 {
				t.Errorf("pp %d of %d, %d microbatches: the model's lane takes %.3f times as long, the schedule says %.3f, and %g of the worker", pp, c.PP, c.Microbatches, got, coarse, want)
			}
		}
	}
}

// ends is when each stage of a lane is done with its passes.
func ends(l *lane) (out []float64) {
	for _, end := range l.end {
		out = append(out, float64(end))
	}
	return out
}

// TestWhatCanBeTold: one row is one configuration, what is shown of its first
// fault, and a word of the reason.
func TestWhatCanBeTold(t *testing.T) {
	slow := Straggler{Rank: 5, Factor: 2}
	for name, tc := range map[string]struct {
		c    Config
		want string
	}{
		"one of two":                  {Config{DP: 2, TP: 4, Faults: []Fault{slow}}, "none [] 2 of its stage"},
		"one of two, elsewhere alike": {Config{PP: 4, DP: 2, Faults: []Fault{slow}}, "rank [5] "},
		"two of two":                  {Config{PP: 4, DP: 2, Faults: []Fault{slow, Straggler{Rank: 4, Factor: 2}}}, "none [] 2 of its stage"},
		"half of four":                {Config{DP: 4, TP: 2, Faults: []Fault{slow, Straggler{Rank: 0, Factor: 2}}}, "none [] half of its stage"},
		"a little":                    {Config{DP: 8, Faults: []Fault{Straggler{Rank: 5, Factor: 1.08}}}, "rank [5] 1.08 times"},
		"too late":                    {Config{DP: 8, Iterations: 40, Faults: []Fault{Straggler{Rank: 5, Factor: 2, From: 31}}}, "none [] too late"},
		"in time":                     {Config{DP: 8, Iterations: 40, Faults: []Fault{Straggler{Rank: 5, Factor: 2, From: 29}}}, "rank [5] "},
		"one lane":                    {Config{PP: 8, Faults: []Fault{slow}}, "none [] 1 of its stage"},
		"unseen":                      {Config{DP: 8, Faults: []Fault{slow, Silent{Rank: 5}}}, "none [] no rank of its worker"},
		"silent later":                {Config{DP: 8, Faults: []Fault{slow, Silent{Rank: 5, From: 3}}}, "none [] no rank of its worker"},
		"its peer is seen":            {Config{DP: 8, TP: 2, Faults: []Fault{slow, Silent{Rank: 5}}}, "worker [4 5] wait for each other"},
		"sampled, and it":             {Config{DP: 16, Faults: []Fault{Straggler{Rank: 4, Factor: 2}, Sampled{Every: 4}}}, "rank [4] "},
		"sampled, not it":             {Config{DP: 16, Faults: []Fault{slow, Sampled{Every: 4}}}, "none [] no rank of its worker"},
		"sampled, too few":            {Config{DP: 16, Faults: []Fault{Straggler{Rank: 8, Factor: 2}, Sampled{Every: 8}}}, "none [] 2 of its stage"},
		"no places, all alike":        {Config{DP: 8, Faults: []Fault{slow, Topology{TP: 3}}}, "rank [5] "},
		"no places":                   {Config{DP: 4, PP: 2, Faults: []Fault{slow, Topology{TP: 3}}}, "none [] without places"},
		"other places":                {Config{DP: 8, Faults: []Fault{slow, Topology{PP: 2, DP: 4}}}, "none [] not theirs"},
		"coarse, hidden by bubbles":   {Config{PP: 4, DP: 4, Microbatches: 2, Detail: ForwardBackward, Faults: []Fault{Straggler{Factor: 1.3}}}, "lane [0 4 8 12] less than 1.15"},
		"coarse, two lanes":           {Config{PP: 2, DP: 2, Detail: ForwardBackward, Faults: []Fault{Straggler{Factor: 2}}}, "none [] 2 lanes"},
		"coarse, two of four":         {Config{PP: 2, DP: 4, Detail: ForwardBackward, Faults: []Fault{Straggler{Factor: 2}, Straggler{Rank: 5, Factor: 2}}}, "none [] half of the lanes"},
		"coarse, lane unseen":         {Config{PP: 2, DP: 4, Detail: ForwardBackward, Faults: []Fault{Straggler{Rank: 1, Factor: 2}, Sampled{Every: 2}}}, "none [] no rank of its lane"},
		"host":                        {Config{DP: 8, RanksPerHost: 2, Faults: []Fault{SlowHost{Host: 1, Factor: 2}}}, "host [2 3] "},
		"host of one worker":          {Config{DP: 4, TP: 2, RanksPerHost: 2, Faults: []Fault{SlowHost{Host: 1, Factor: 2}}}, "worker [2 3] wait"},
		"one host":                    {Config{DP: 8, Faults: []Fault{SlowHost{Factor: 2}}}, "none [] too few of their like"},
		"host, coarse":                {Config{DP: 8, PP: 2, RanksPerHost: 2, Detail: ForwardBackward, Faults: []Fault{SlowHost{Host: 1, Factor: 2}}}, "lane [2 10 3 11] "},
		"host, steps":                 {Config{DP: 8, RanksPerHost: 2, Detail: StepOnly, Faults: []Fault{SlowHost{Factor: 2}}}, "none [] equally long"},
		"host, no places":             {Config{DP: 8, TP: 2, RanksPerHost: 4, Faults: []Fault{SlowHost{Factor: 2}, Topology{TP: 3}}}, "none [] without places"},
		"last stage":                  {Config{DP: 2, PP: 2, Faults: []Fault{SlowStage{Stage: 1, Factor: 2}}}, "stage [2 3] "},
		"last stage, a little":        {Config{DP: 2, PP: 2, Faults: []Fault{SlowStage{Stage: 1, Factor: 1.2}}}, "stage [2 3] less than 1.15"},
		"other stage":                 {Config{DP: 2, PP: 2, Faults: []Fault{SlowStage{Factor: 2}}}, "none [] by design"},
		"last stage, coarse":          {Config{DP: 2, PP: 2, Detail: ForwardBackward, Faults: []Fault{SlowStage{Stage: 1, Factor: 2}}}, "none [] look alike"},
		"last stage, sampled":         {Config{DP: 2, PP: 2, Faults: []Fault{SlowStage{Stage: 1, Factor: 2}, Sampled{Every: 2}}}, "none [] not every worker"},
		"link":                        {Config{DP: 4, PP: 2, Faults: []Fault{SlowLink{Delay: time.Second}}}, "none [] waiting"},
		"link, coarse":                {Config{DP: 4, PP: 2, Detail: ForwardBackward, Faults: []Fault{SlowLink{Lane: 1, Delay: 100 * time.Millisecond}}}, "lane [1 5] "},
		"link, coarse, a little":      {Config{DP: 4, PP: 2, Detail: ForwardBackward, Faults: []Fault{SlowLink{Lane: 1, Delay: time.Millisecond}}}, "lane [1 5] less than 1."},
		"rotating":                    {Config{DP: 4, Faults: []Fault{Rotating{Factor: 2}}}, "none [] another lane"},
		"rotating, sampled":           {Config{DP: 4, Faults: []Fault{Rotating{Factor: 2}, Sampled{Every: 2}}}, "none [] not every worker"},
		"hang, unseen":                {Config{DP: 4, Faults: []Fault{Hang{Rank: 1}, Silent{Rank: 1}}}, "none [] it sends nothing"},
		"freeze":                      {Config{DP: 4, Faults: []Fault{Freeze{Alive: true}}}, "none [] same place"},
		"freeze, dead":                {Config{DP: 4, Faults: []Fault{Freeze{}}}, "none [] is lost"},
		"silent":                      {Config{DP: 4, Faults: []Fault{Silent{Rank: 1}}}, "none [] trains on"},
		"sizes that fit":              {Config{DP: 8, Faults: []Fault{Topology{PP: 2, DP: 4}}}, "none [] nothing tells them"},
		"sizes that do not":           {Config{DP: 8, Faults: []Fault{Topology{PP: 3}}}, "none [] place no rank"},
		"restart":                     {Config{DP: 4, Faults: []Fault{Restart{Rank: 1, Iteration: 2}}}, "none [] started again"},
	} {
		t.Run(name, func(t *testing.T) {
			got := stream(t, tc.c).Truth().Injected[0]
			text := fmt.Sprintf("%s %v %s", got.Unit, got.Shown, got.Why)
			if got.Faint != strings.Contains(tc.want, "1.") {
				t.Errorf("faint is %t: %s", got.Faint, text)
			}
			head, why, _ := strings.Cut(tc.want, "] ")
			if !strings.HasPrefix(text, head+"]") || !strings.Contains(got.Why, why) {
				t.Errorf("got %s, want %s", text, tc.want)
			}
		})
	}
}
