package simulate

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// saying are the records whose text holds a phrase.
func (g *sent) saying(phrase string) (list []sentLog) {
	for _, l := range g.logs {
		if strings.Contains(l.Body.GetStringValue(), phrase) {
			list = append(list, l)
		}
	}
	return list
}

func TestLogs(t *testing.T) {
	c := small(Straggler{Rank: 2, Factor: 2, From: 3})
	c.LogEvery, c.CheckpointEvery, c.NaNEvery = 2, 3, 5
	got := collect(t, stream(t, c))
	for _, tc := range []struct {
		phrase   string
		severity int
		ranks    []int
	}{
		{"consumed samples", logInfo, []int{15, 15, 15}},
		{"saved the checkpoint of iteration", logInfo, []int{0, 0}},
		{"gradient norm of iteration 5 is NaN", logWarn, []int{0}},
		{"times the usual", logWarn, []int{15, 15}},
	} {
		list := got.saying(tc.phrase)
		if len(list) != len(tc.ranks) {
			t.Fatalf("%q %d times, want %d", tc.phrase, len(list), len(tc.ranks))
		}
		for i, l := range list {
			if int(l.SeverityNumber) != tc.severity || l.rank != tc.ranks[i] || l.TimeUnixNano == 0 || l.ObservedTimeUnixNano < l.TimeUnixNano {
				t.Errorf("%q: severity %d of rank %d at %d", tc.phrase, l.SeverityNumber, l.rank, l.TimeUnixNano)
			}
		}
	}
	if n := len(got.saying("is ready: tp")); n != 16 {
		t.Errorf("%d ranks are ready, want 16", n)
	}
	if n := len(got.saying("")); n != 16+3+2+1+2 {
		t.Errorf("%d records in all", n)
	}
}

// The training line of an iteration stands beside that iteration's step span.
func TestLogsPointToTheirStep(t *testing.T) {
	c := small()
	c.LogEvery = 1
	for _, oneTrace := range []bool{false, true} {
		c.OneTrace = oneTrace
		got := collect(t, stream(t, c))
		steps := map[string]sentSpan{}
		for _, s := range got.named(stepName) {
			steps[string(s.SpanId)] = s
		}
		list := got.saying("consumed samples")
		if len(list) != 6 {
			t.Fatalf("%d training lines, want 6", len(list))
		}
		for _, l := range list {
			s, ok := steps[string(l.SpanId)]
			if !ok || string(s.TraceId) != string(l.TraceId) || s.rank != l.rank {
				t.Fatalf("record %q points to no step of its rank", l.Body.GetStringValue())
			}
			if a, b := number(l.Attributes, semconv.DLIteration), number(s.Attributes, semconv.NVDLTrainingStep); a != b {
				t.Errorf("record of iteration %d points to step %d", a, b)
			}
		}
	}
}
