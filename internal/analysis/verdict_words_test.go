package analysis

import (
	"strings"
	"testing"
)

// TestSharesHaveNoMinusZero holds that a little less than nothing is written as 0.
func TestSharesHaveNoMinusZero(t *testing.T) {
	for share, want := range map[float64]string{-0.001: " 0 % by", -0.01: " -1 % by", 0.004: " 0 % by", 0.986: " 99 % by"} {
		w := WhatIf{WorkerShare: 1.006, StageShare: share}
		if got := w.shares(); !strings.Contains(got, want) || !strings.Contains(got, "101 % of it") {
			t.Errorf("%v: %q, want %q in it", share, got, want)
		}
	}
}

// TestWhyAway holds that nobody is said to go on when all others have ended.
func TestWhyAway(t *testing.T) {
	for _, test := range []struct {
		name   string
		states []ProcessState
		away   int
		want   string
	}{
		{"others go on", []ProcessState{ProcessSilent, ProcessOK, ProcessOK}, 1, "while others go on"},
		{"some ended", []ProcessState{ProcessSilent, ProcessEnded, ProcessOK}, 1, "while others go on"},
		{"all others ended", []ProcessState{ProcessSilent, ProcessEnded, ProcessEnded}, 1, "the others have ended"},
		{"nobody else", []ProcessState{ProcessSilent}, 1, "while others go on"},
	} {
		var st Stall
		for i, s := range test.states {
			st.Processes = append(st.Processes, Standing{Rank: i, State: s})
		}
		if got := st.whyAway(test.away); !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q in it", test.name, got, test.want)
		}
	}
}
