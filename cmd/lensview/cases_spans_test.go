package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The same ids on several ranks stay apart, and that is said.
func TestRanksWithTheSameIDs(t *testing.T) {
	rank := func(n int, end int64) string {
		return tr(res(n), sp(span1, "", "root", 0, end), sp(span2, span1, "child", 100*milli, end-100*milli))
	}
	r := reported(t, rank(0, sec)+rank(1, 1500*milli))
	if s := r.Runs[0].Spans; s.Kept != 4 || s.Duplicates != 0 || s.Replaced != 0 || r.Traces.StartsBeforeParent != 0 {
		t.Errorf("spans %+v", s)
	}
	root, child := statOf(t, r, "root"), statOf(t, r, "child")
	if root.Count != 2 || *root.Max != 1.5 || child.Count != 2 || *child.Mean != 1.05 {
		t.Errorf("root %+v, child %+v", root, child)
	}
	if n := r.Runs[0].Notices; len(n) != 1 || n[0].Code != "shared-span-ids" || !strings.Contains(n[0].Text, "ranks 0, 1 ") {
		t.Errorf("notices %+v", n)
	}
}

// What is sent again counts once; a finished version replaces the open one; of
// two finished ones the first has counted.
func TestSpansSentAgain(t *testing.T) {
	batch := tr(res(0), sp(span1, "", "root", 0, sec), sp(span2, span1, "child", 100*milli, 900*milli))
	open := tr(res(0), raw(span3, span1, "job", fmt.Sprint(at0), "0"))
	done := tr(res(0), sp(span3, span1, "job", 0, 2*sec))
	failed := tr(res(0), sp(span3, span1, "job", 0, 2*sec, `"status":{"code":2}`))
	for name, tt := range map[string]struct {
		in                       string
		kept, duplicates, others uint64
	}{
		"a batch twice":             {batch + batch, 2, 2, 0},
		"open, then finished":       {batch + open + done, 3, 0, 1},
		"finished, then open":       {batch + done + open, 3, 0, 1},
		"two outcomes":              {batch + open + done + failed, 3, 0, 2},
		"the same outcome twice":    {batch + done + done + done, 3, 2, 0},
		"open twice, then finished": {batch + open + open + done, 3, 1, 1},
	} {
		r := reported(t, tt.in)
		if s := r.Runs[0].Spans; s.Kept != tt.kept || s.Duplicates != tt.duplicates || s.Replaced != tt.others || uint64(r.Traces.DuplicatesDropped) != tt.duplicates {
			t.Errorf("%s: %+v, %d duplicates dropped", name, s, r.Traces.DuplicatesDropped)
		}
		if root := statOf(t, r, "root"); root.Count != 1 {
			t.Errorf("%s: root %+v", name, root)
		}
		if tt.kept == 3 && (statOf(t, r, "job").Count != 1 || *statOf(t, r, "job").Max != 2) {
			t.Errorf("%s: job %+v", name, statOf(t, r, "job"))
		}
	}
}

// The order of arrival changes nothing; a root that never comes leaves an
// orphan.
func TestOrderOfArrival(t *testing.T) {
	lines := []string{tr(res(0), sp(span2, span1, "child", sec, 9*sec)), tr(res(0), sp(span3, span2, "grandchild", 2*sec, 8*sec)), tr(res(0), sp(span1, "", "train", 0, 10*sec))}
	first := reported(t, lines[0]+lines[1]+lines[2])
	for _, order := range [][]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		in := ""
		for _, i := range order {
			in += lines[i]
		}
		if d := differ(first, reported(t, in)); d != "" {
			t.Errorf("order %v (-first +this)\n%s", order, d)
		}
	}
	if r := reported(t, lines[0]+lines[1]); r.Traces.OrphanSpans != 1 || r.Traces.Count != 1 {
		t.Errorf("without the root: %+v", r.Traces)
	}
	if r := reported(t, tr(res(0), sp(span1, span2, "a", 0, sec), sp(span2, span1, "b", 0, sec))); r.Traces.ParentCycles != 1 || r.Traces.OrphanSpans != 0 {
		t.Errorf("spans that are each other's parents: %+v", r.Traces)
	}
}

// Clocks of hosts differ: times stay as sent, in the report and in an export.
func TestSkewedClocks(t *testing.T) {
	in := tr(res(0, text("host.name", "nodeA")), sp(span1, "", "step", 0, 10*sec)) +
		tr(res(1, text("host.name", "nodeB")), sp(span2, span1, "child", -2*sec, 3*sec))
	r := reported(t, in)
	if r.Traces.StartsBeforeParent != 1 || *statOf(t, r, "child").Max != 5 {
		t.Errorf("%+v, child %+v", r.Traces, statOf(t, r, "child"))
	}
	if code, out, errs := cli(t, in, "export", "-"); code != exitOK || !strings.Contains(out, fmt.Sprintf(`"startTimeUnixNano":"%d"`, at0-2*sec)) {
		t.Errorf("exit %d, %s: the export has other times:\n%s", code, errs, out)
	}
}

// A span that is still open has no duration, until it ends.
func TestOpenSpans(t *testing.T) {
	job := strings.Replace(tr(res(0), raw(span1, "", "job", fmt.Sprint(at0), "0")), `,"endTimeUnixNano":"0"`, "", 1)
	var work []string
	for i := range 50 {
		work = append(work, sp(nth(i), span1, "work", int64(i)*sec, int64(i+1)*sec))
	}
	open := job + tr(res(0), work...)
	r := reported(t, open)
	if s := r.Runs[0].Spans; s.Kept != 51 || s.InvalidTime != 0 || len(r.Runs[0].SpanStats) != 1 || statOf(t, r, "work").Count != 50 {
		t.Errorf("spans %+v, statistics %+v", s, r.Runs[0].SpanStats)
	}
	if s := statOf(t, reported(t, open+tr(res(0), sp(span1, "", "job", 0, 60*sec))), "job"); s.Count != 1 || *s.Max != 60 {
		t.Errorf("job after its end: %+v", s)
	}
}

// Nearest rank, from one span on; none is not 0; sums beyond 64 bits.
func TestPercentilesOfFew(t *testing.T) {
	up := func(name string, n int, unit int64) (spans []string) {
		for i := range n {
			spans = append(spans, sp(fmt.Sprintf("%08x%08x", len(name)*1000+n, i), "", name, 0, int64(i+1)*unit))
		}
		return spans
	}
	long := make([]string, 3000)
	for i := range long {
		long[i] = sp(fmt.Sprintf("ffff%012x", i), "", "long", 0, 32e14)
	}
	r := reported(t, tr(res(0), slices.Concat(up("twenty", 20, milli), up("hundred", 100, milli), up("two", 2, sec), up("one", 1, 7*milli), long)...)+
		tr(res(0), sp(nth(1), "", "zero", 0, 0), sp(nth(2), "", "none", 0, -1)))
	for name, want := range map[string][]float64{
		"twenty": {20, .010, .019, .020, .020}, "hundred": {100, .050, .095, .099, .100}, "two": {2, 1, 2, 2, 2},
		"one": {1, .007, .007, .007, .007}, "long": {3000, 32e5, 32e5, 32e5, 32e5}, "zero": {1, 0, 0, 0, 0},
	} {
		s := statOf(t, r, name)
		if d := cmp.Diff(want, []float64{float64(s.Count), *s.P50, *s.P95, *s.P99, *s.Max}); d != "" || s.Few != (s.Count < 100) {
			t.Errorf("%s, few %v (-want +got)\n%s", name, s.Few, d)
		}
	}
	if s := statOf(t, r, "long"); *s.Mean != 32e5 || s.Total != 96e8 {
		t.Errorf("mean %v, total %v", *s.Mean, s.Total)
	}
	if s := statOf(t, r, "none"); s.P50 != nil || s.P95 != nil || s.P99 != nil || s.Mean != nil || s.Max != nil {
		t.Errorf("percentiles of no span: %+v", s)
	}
}
