package logsscreen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// However records come, are evicted and are filtered, what is shown and counted is
// what a plain loop over the records that are held finds, and the roll-up counts all
// that ever came.
func TestShownIsWhatAPlainLoopFinds(t *testing.T) {
	for _, filter := range []string{"", "rank=1", "rank in (0, 2) and not record"} {
		dice := rand.New(rand.NewPCG(7, uint64(len(filter))))
		f := newFeed(t, 4<<20)
		m := open(t, f.Snapshot(), filter)
		sent := [run.SeverityCount]uint64{}
		for round := range 12 {
			for range dice.IntN(120) {
				severity := uint8(dice.IntN(26))
				body := fmt.Sprintf("%s %d %s", []string{"record", "message"}[dice.IntN(2)], f.now, strings.Repeat("x", dice.IntN(3000)))
				rec := record(severity, body, uint64(dice.IntN(1000)))
				sent[rec.Level()]++
				f.now++ // else it is one that is sent again
				f.send(trainer(dice.IntN(4)), rec)
			}
			for range dice.IntN(3) {
				uitest.Press(m, []string{"s", "S", "k", "F"}[dice.IntN(4)])
			}
			s := f.Snapshot()
			uitest.Give(t, m, uitest.Data(t, s, filter))
			if len(s.Runs) == 0 {
				continue
			}
			r := s.Runs[0]
			if r.LogLevels != sent {
				t.Fatalf("round %d: %v over the whole run, want %v", round, r.LogLevels, sent)
			}
			checkShown(t, m, filter)
		}
		if m.records.run.Accounts[run.Logs].Evicted == 0 {
			t.Error("nothing was evicted: the test is of little use")
		}
	}
}

func checkShown(t *testing.T, m *Model, filter string) {
	t.Helper()
	bound := uitest.Filter(t, filter).Bind(m.records.run)
	var want []uint64
	var counts [levelCount]int
	m.records.each(0, func(n uint64, rec *run.Log) {
		it := query.Item{Process: rec.Process, Name: said(rec), Attrs: rec.Attrs, Trace: rec.TraceID, Span: rec.SpanID}
		if filter != "" && !bound.Item(&it) {
			return
		}
		counts[levelOf(rec)]++
		if m.least == unset || levelOf(rec) >= m.least {
			want = append(want, n)
		}
	})
	if m.seen.counts != counts {
		t.Errorf("%q: counts %v, want %v", filter, m.seen.counts, counts)
	}
	if len(want) != len(m.seen.shown) {
		t.Fatalf("%q, %v and worse: %d shown, want %d", filter, m.least, len(m.seen.shown), len(want))
	}
	for i, n := range want {
		if m.seen.shown[i] != n {
			t.Fatalf("%q: %d. is record %d, want %d", filter, i, m.seen.shown[i], n)
		}
	}
}

// The totals of the whole run fit on a line of any width, and the first line keeps the
// severities that they do not tell.
func TestTotalsAtEveryWidth(t *testing.T) {
	f := newFeed(t)
	f.some(0, 60)
	m := open(t, f.Snapshot(), "rank<3")
	for width := 10; width <= 200; width += 7 {
		m.SetSize(width, 22)
		uitest.Inside(t, m.View(), width, 22)
		if lines := strings.Split(text(m), "\n"); width >= 40 && !strings.HasPrefix(lines[1], "  whole run  60 records, all held") {
			t.Errorf("%d cells: %q", width, lines[1])
		}
	}
	m.SetSize(120, 22)
	if lines := strings.Split(text(m), "\n"); !strings.Contains(lines[0], "45 records") || !strings.Contains(lines[0], "x 3 error") || !strings.Contains(lines[1], "x 6 error") {
		t.Errorf("%q", lines[:2])
	}
}
