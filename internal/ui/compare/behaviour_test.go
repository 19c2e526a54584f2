package comparescreen

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// The border between the windows stays inside the iterations whatever is pressed,
// and the windows always cover all of them without a gap.
func TestWindowsAlwaysCoverTheRun(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1)))
	dice := rand.New(rand.NewPCG(5, 6))
	keys := []string{"[", "]", "{", "}", "x", "=", "["}
	for range 40 {
		k := keys[dice.IntN(len(keys))]
		uitest.Press(m, k)
		a, b := m.seen.wa, m.seen.wb
		if a.first > b.first {
			a, b = b, a
		}
		if a.first != 1 || b.last != 20 || a.last+1 != b.first || a.first > a.last || b.first > b.last {
			t.Fatalf("after %q: %v and %v", k, m.seen.wa, m.seen.wb)
		}
	}
}

// The moves of the border, by their names in the command line too.
func TestMovesOfTheBorder(t *testing.T) {
	for _, test := range []struct {
		keys string
		a, b window
	}{
		{"", window{1, 10}, window{11, 20}},
		{"]", window{1, 11}, window{12, 20}},
		{"[[", window{1, 8}, window{9, 20}},
		{"}", window{1, 19}, window{20, 20}},
		{"{", window{1, 1}, window{2, 20}},
		{"x", window{11, 20}, window{1, 10}},
		{"x]", window{12, 20}, window{1, 11}},
		{"]x", window{12, 20}, window{1, 11}},
		{"}=", window{1, 10}, window{11, 20}},
		{"xx", window{1, 10}, window{11, 20}},
	} {
		m := with(t, marked(t, two(t, 4, 1)))
		for _, k := range test.keys {
			uitest.Press(m, string(k))
		}
		if m.seen.wa != test.a || m.seen.wb != test.b {
			t.Errorf("%q: %v and %v, want %v and %v", test.keys, m.seen.wa, m.seen.wb, test.a, test.b)
		}
	}
}

// What is exported is what was compared, to the last figure, and what is drawn is
// the same rounded.
func TestExportIsTheComparison(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	x := m.Export()
	rows, err := csv.NewReader(strings.NewReader(x.Text)).ReadAll()
	if err != nil || x.Ext != "csv" {
		t.Fatalf("%s: %v", x.Ext, err)
	}
	c := &m.seen.comparison
	if want := 1 + 1 + len(c.Phases) + len(c.Shares); len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	if got := strings.Join(rows[0], ","); got != "kind,name,class,a,b,change,low,high" {
		t.Errorf("head %q", got)
	}
	sum := [2]float64{}
	for _, r := range rows[1:] {
		a, b, change := figureOf(t, r[3]), figureOf(t, r[4]), figureOf(t, r[5])
		want := b/a - 1
		if r[0] == "share" {
			want = b - a
			sum[0], sum[1] = sum[0]+a, sum[1]+b
		}
		if math.Abs(change-want) > 1e-5 {
			t.Errorf("%s: %v to %v is a change of %v", r[1], a, b, change)
		}
		if low, high := figureOf(t, r[6]), figureOf(t, r[7]); low > change+1e-6 || high < change-1e-6 {
			t.Errorf("%s: %v is not between %v and %v", r[1], change, low, high)
		}
	}
	if sum[0] > 1.02 || sum[1] > 1.02 {
		t.Errorf("median shares of %v", sum)
	}
	if r := rows[1]; r[1] != "iteration" || !strings.Contains(text(m), "iteration") {
		t.Errorf("the step is not first: %v", r)
	}
	if (&Model{}).Export() != (screen.Export{}) {
		t.Error("an export of nothing")
	}
}

func figureOf(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// n goes through the lines that are flagged and no others, round and round.
func TestNextChangeGoesThroughWhatMatters(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	var flagged []int
	for i, l := range m.lines {
		if l.flagged {
			flagged = append(flagged, i)
		}
	}
	if len(flagged) < 2 {
		t.Fatalf("%d lines are flagged", len(flagged))
	}
	for round := range 2 {
		for _, want := range flagged {
			uitest.Press(m, "n")
			if m.at != want {
				t.Errorf("round %d: on line %d, want %d", round, m.at, want)
			}
			if l := m.lines[m.at]; !strings.Contains(l.text, "material") && !strings.Contains(l.text, "moderate") {
				t.Errorf("flagged: %q", l.text)
			}
		}
	}
	same := with(t, marked(t, two(t, 4, 1), "before", "after"))
	at := same.at
	if uitest.Press(same, "n"); same.at != at {
		t.Errorf("nothing matters, and n goes to %q", same.lines[same.at].text)
	}
}

// y copies the line in focus as it is in words; without data, what a job needs.
func TestCopiedText(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	uitest.Press(m, "n")
	got := m.CopyText()
	if !strings.HasPrefix(got, "iteration  A ") || !strings.Contains(got, "  B ") || !strings.HasSuffix(got, "material") {
		t.Errorf("%q", got)
	}
	for i := range m.lines {
		m.at = i
		if text := m.CopyText(); strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("line %d: %q", i, text)
		}
	}
	none := New(plain())
	if none.CopyText() != "" {
		t.Errorf("%q", none.CopyText())
	}
	uitest.Give(t, none, screen.Data{Snapshot: &store.Snapshot{Receiver: run.Receiver{Listeners: []run.Listener{{Protocol: "gRPC", Addr: "127.0.0.1:4317"}}}}})
	if !strings.Contains(none.CopyText(), "lensview env") {
		t.Errorf("%q", none.CopyText())
	}
}

// Thresholds that are not the default are told, and decide.
func TestThresholdsAreTold(t *testing.T) {
	d := marked(t, two(t, 4, 1.3), "before", "after")
	m := with(t, d)
	if strings.Contains(text(m), "thresholds") {
		t.Errorf("defaults are told:\n%s", text(m))
	}
	s := *d.Snapshot
	s.Runs = nil
	for _, r := range d.Snapshot.Runs {
		c := *r
		c.Thresholds = run.Thresholds{ChangeModerate: 0.5, ChangeMaterial: 0.9, ShareModerate: 0.9, ShareMaterial: 1}
		s.Runs = append(s.Runs, &c)
	}
	d.Snapshot = &s
	m = with(t, d)
	wants(t, m, "judged by own thresholds: change-moderate 0.5 (default 0.03), change-material 0.9", "No change of the times matters.")
	if strings.Contains(text(m), "material\n") {
		t.Errorf("judged by the defaults:\n%s", text(m))
	}
}

// Of a rank that becomes slow half-way the screen says who it is, beside the wait
// that it makes.
func TestWhoIsSlowIsSaid(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	wants(t, m, "grad_sync: the median rank waits longer; slow in B: rank 5 on gpu-0000: 1.50 x the compute of its like")
	uitest.Press(m, "x")
	wants(t, m, "slow in A: rank 5")
	if strings.Contains(text(m), "waits longer") {
		t.Errorf("B waits less:\n%s", text(m))
	}
	m = open(t, cases(t)["steady"], "")
	if strings.Contains(text(m), "slow in") {
		t.Errorf("nobody is slow:\n%s", text(m))
	}
}

// A filter narrows who is compared.
func TestTheFilterNarrowsBothSides(t *testing.T) {
	m := open(t, cases(t)["slow"], "rank=0..3")
	wants(t, m, "4 of 8 ranks")
	if strings.Contains(text(m), "rank 5") {
		t.Errorf("a rank outside of the filter is named:\n%s", text(m))
	}
}

// Keys that do not apply say why.
func TestKeysThatDoNotApply(t *testing.T) {
	runs := with(t, marked(t, two(t, 4, 1), "before", "after"))
	alone := open(t, cases(t)["steady"], "")
	for _, test := range []struct {
		m    *Model
		key  string
		want string
	}{
		{runs, "[", "w for windows of one"}, {runs, "}", "w for windows of one"},
		{alone, "a", "only one run"}, {alone, "b", "only one run"}, {alone, "w", "only one run"},
	} {
		got := uitest.Press(test.m, test.key)
		if len(got) != 1 || !strings.Contains(got[0].(screen.NoticeMsg).Text, test.want) {
			t.Errorf("%s: %v, want %q", test.key, got, test.want)
		}
	}
}
