package tracescreen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// column is one column of all rows.
func column(m *Model, id string) []string {
	var out []string
	for i := range m.rows.Len() {
		out = append(out, strings.TrimSpace(m.rows.Cell(i, id).Text))
	}
	return out
}

func TestCellsOfOddSpans(t *testing.T) {
	m := openTrace(t, odd(t), uitest.TraceID(1))
	for id, want := range map[string][]string{
		"span":   {"- train_step", "nccl.all_reduce", "checkpoint.save", "forward_backward", "optimizer", "clip_grad", "layer"},
		"marks":  {"", "@<", "x", "%", "o", "!", "?"},
		"sender": {"rank 0", "rank 1", "rank 0", "rank 0", "rank 0", "rank 0", "rank 0"},
		"start":  {"+2.00s", "+0ns", "+3.00s", "+4.00s", "+6.00s", "–", "+8.00s"},
		"time":   {"10.0s", "5.00s", "2.00s", "7.00s", "open", "–", "1.00s"},
	} {
		if diff := cmp.Diff(want, column(m, id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// TestDrawnCellsSayTheSame: what is drawn in colours is the text, filled up.
func TestDrawnCellsSayTheSame(t *testing.T) {
	m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
	m.SetSize(140, 40)
	s := odd(t)
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
	uitest.Press(m, "t")
	for i := range m.rows.Len() {
		for _, id := range []string{"span", "marks", "bar"} {
			cell := m.rows.Cell(i, id)
			if cell.Drawn == "" {
				continue
			}
			plain := stripped(cell.Drawn)
			if draw.Width(plain) != cell.DrawnWidth || strings.TrimRight(plain, " ") != strings.TrimRight(cell.Text, " ") {
				t.Errorf("row %d, %s: drawn %q of %d cells, text %q", i, id, plain, cell.DrawnWidth, cell.Text)
			}
		}
	}
}

// stripped is a string without its styles.
func stripped(s string) string {
	var b strings.Builder
	for s != "" {
		if strings.HasPrefix(s, "\x1b[") {
			_, s, _ = strings.Cut(s, "m")
			continue
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

func TestMarksThatDoNotFit(t *testing.T) {
	th := plain()
	all := []mark{failedMark, truncatedMark, orphanMark, earlyMark}
	for cells, want := range map[int]string{0: "", 1: "x", 2: "x%", 3: "x%?", 9: "x%?<"} {
		got := marksCell(th, all, cells)
		if got.Text != want || draw.Width(got.Drawn) != cells {
			t.Errorf("in %d cells: %q, drawn %q", cells, got.Text, got.Drawn)
		}
	}
}

func TestProcessNames(t *testing.T) {
	for _, test := range []struct {
		p                  store.Process
		name, sender, lane string
	}{
		{store.Process{ID: run.Identity{Rank: 3, Host: "n1", Service: "s"}, Coord: run.Coord{TP: 1, PP: 0, DP: 2}}, "rank 3", "rank 3", "rank 3 tp1 pp0 dp2 n1"},
		{store.Process{ID: run.Identity{Rank: run.Unknown, Instance: "gw-1", Service: "gateway"}, Coord: run.UnknownCoord()}, "gw-1", "gateway", "gw-1"},
		{store.Process{ID: run.Identity{Rank: run.Unknown, Service: "gateway", Host: "n2"}, Coord: run.UnknownCoord()}, "gateway", "gateway", "gateway n2"},
	} {
		if got := processName(&test.p); got != test.name {
			t.Errorf("%+v is named %q", test.p.ID, got)
		}
		if got := senderText(&test.p); got != test.sender {
			t.Errorf("%+v is the sender %q", test.p.ID, got)
		}
		if got := laneText(&test.p); got != test.lane {
			t.Errorf("%+v is the lane %q", test.p.ID, got)
		}
	}
}

func TestSigned(t *testing.T) {
	for ns, want := range map[float64]string{0: "+0ns", 1.5e6: "+1.50ms", -2e9: "-2.00s", 90e9: "+1m30s"} {
		if got := signed(ns); got != want {
			t.Errorf("%v is %q, want %q", ns, got, want)
		}
	}
}

func TestFinderAgainstContains(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	for _, text := range []string{"op", "OP-1", "phase", "-", "xyz", "0000", "s"} {
		f := finder{text: text}
		hit := f.matcher(m.content)
		for i := range m.content.lanes[0].tree.Nodes {
			n := m.content.node(0, i)
			want := strings.Contains(strings.ToLower(n.Name()), strings.ToLower(text)) || text == "0000"
			if hit(n) != want {
				t.Errorf("%q in %q: %v", text, n.Name(), hit(n))
			}
		}
	}
}
