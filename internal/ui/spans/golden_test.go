package spansscreen

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// goldens draws a screen at every size; the program's header and footer take two
// lines.
func goldens(t *testing.T, m *Model, name string) {
	t.Helper()
	for _, size := range uitest.Sizes() {
		m.SetSize(size[0], size[1]-2)
		uitest.Settle(m, m.look())
		uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
	}
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 8, 1024} {
		goldens(t, open(t, ofRanks(t, ranks), ""), fmt.Sprintf("%d-ranks", ranks))
	}
}

func TestGoldensOfGroups(t *testing.T) {
	for _, ranks := range []int{8, 1024} {
		m := open(t, ofRanks(t, ranks), "")
		group(m, "run pp rank")
		uitest.Press(m, "j", "j", "j")
		goldens(t, m, fmt.Sprintf("run-pp-rank-%d", ranks))
	}
	m := open(t, ofRanks(t, 8), "")
	group(m, "name rank")
	uitest.Press(m, "j", "l")
	goldens(t, m, "name-rank-8")
}

func TestGoldensOfTheSlowest(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "j", "enter", "j")
	goldens(t, m, "slowest-8")
	m.Back()
	uitest.Press(m, "G", "enter")
	goldens(t, m, "slowest-truncated-8")
}

func TestGoldensOfThePrompt(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "b", "down")
	goldens(t, m, "prompt")
	for _, r := range "rank nosuch" {
		uitest.Press(m, string(r))
	}
	goldens(t, m, "prompt-unknown")
}

func TestEverySize(t *testing.T) {
	uitest.EverySize(t, open(t, ofRanks(t, 0), ""))
	m := open(t, ofRanks(t, 8), "")
	group(m, "run pp rank")
	for _, keys := range [][]string{{"tab", "tab", "G"}, {"v", "enter", "G"}, {"v", "b", "down", "down"}} {
		uitest.Press(m, keys...)
		uitest.EverySize(t, m)
	}
}

func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		f := newFeed(t)
		hostile := uitest.Text(text, text)
		f.send(append(trainer("r"+text, i), uitest.Text("host.name", text), hostile),
			f.mk(text, 0, sec, uitest.Text("key"+text, text)), f.mk(text, 0, 2*sec, truncated()))
		for _, by := range [][]string{nil, {"run", "host"}, {text}, {"key" + text, "name"}} {
			m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
			m.by = by
			m.SetSize(120, 30)
			uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
			for _, keys := range [][]string{{"G"}, {"tab"}, {"enter"}, {"esc", "b"}, {"k", "e", "y", "tab"}} {
				for _, width := range []int{40, 80, 160} {
					m.SetSize(width, 30)
					uitest.Harmless(t, m.View())
					uitest.Inside(t, m.View(), width, 30)
				}
				uitest.Press(m, keys...)
			}
		}
	}
}

func BenchmarkKey(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	group(m, "rank")
	uitest.Press(m, "tab")
	m.SetSize(160, 43)
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

// BenchmarkSortUnfolded sorts all names of all ranks: some ten thousand rows.
func BenchmarkSortUnfolded(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	group(m, "rank")
	uitest.Press(m, "tab", "tab")
	m.SetSize(160, 43)
	b.ReportMetric(float64(m.shown.Len()), "rows")
	for b.Loop() {
		m.Update(uitest.Key("S"))
		m.View()
	}
}

func BenchmarkMeasure(b *testing.B) {
	s := ofRanks(b, 1024)
	for _, by := range [][]string{nil, {"rank"}, {"run", "pp", "rank"}, {"name", "rank"}} {
		b.Run(fmt.Sprint(by), func(b *testing.B) { benchMeasure(b, s, by) })
	}
}

func benchMeasure(b *testing.B, s *store.Snapshot, by []string) {
	m := New(plain())
	m.by, m.data = by, uitest.Data(b, s, "")
	for b.Loop() {
		if a := measure(b.Context(), m.data, m.question(), by); a.err != nil || len(a.table.Groups) == 0 {
			b.Fatal("nothing was measured")
		}
	}
}

func BenchmarkPick(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	m.SetSize(160, 43)
	for b.Loop() {
		m.pane.version = ^uint64(0)
		uitest.Settle(m, m.look())
	}
}
