package topologyscreen

import (
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
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
		uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
	}
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 8, 1024} {
		goldens(t, open(t, ofRanks(t, ranks), ""), fmt.Sprintf("%d-ranks", ranks))
	}
}

func TestGoldensOfCompute(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	uitest.Press(m, "m", "w")
	goldens(t, m, "compute-1024")
	uitest.Press(m, "b", "L")
	goldens(t, m, "compute-1024-workers")
	uitest.Press(m, "b", "b", "b", "G", "end")
	goldens(t, m, "compute-1024-ranks-end")
}

// 64 ranks that differ in dp only, some of them missing, some filtered out.
func TestGoldensOfPureDataParallel(t *testing.T) {
	s := simulated(t, config(1, 1, 1, 64), func(rank int) bool { return rank%13 == 5 })
	m := open(t, s, "rank<60")
	uitest.Press(m, "m", "j", "l", "l", "l")
	goldens(t, m, "dp-64-missing")
}

func TestGoldensOfContextParallel(t *testing.T) {
	m := open(t, simulated(t, config(2, 2, 2, 4), nil), "")
	uitest.Press(m, "m", "l", "l")
	goldens(t, m, "cp-2")
}

func TestGoldensWithoutSizes(t *testing.T) {
	goldens(t, open(t, without(t, 4), ""), "no-sizes")
}

// without is ranks that send no sizes.
func without(t testing.TB, ranks int, more ...run.Attr) *store.Snapshot {
	t.Helper()
	s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
	for rank := range ranks {
		b := otlp.NewBuilder(run.Traces)
		b.Resource(append([]run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", ranks),
			uitest.Text("service.instance.id", fmt.Sprint(rank))}, more...), 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(uint64(rank)), ID: uitest.SpanID(1), Name: "megatron.train_step",
			Start: uitest.Start, End: uitest.Start + 1e9, Attrs: []run.Attr{uitest.Int("megatron.iteration", 1)}})
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
	}
	return s.Snapshot()
}

func TestEverySize(t *testing.T) {
	for _, s := range []*store.Snapshot{ofRanks(t, 0), without(t, 3)} {
		uitest.EverySize(t, open(t, s, ""))
	}
	for _, s := range []*store.Snapshot{simulated(t, config(2, 2, 3, 4), nil), simulated(t, config(1, 1, 1, 50), nil)} {
		m := open(t, s, "")
		uitest.EverySize(t, m)
		uitest.Press(m, "b", "G", "end", "m")
		uitest.EverySize(t, m)
	}
}

func TestTheCursorIsAlwaysInSight(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	for _, unit := range []unit{ranks, workers} {
		for _, size := range [][2]int{{40, 10}, {80, 22}, {120, 38}, {200, 60}} {
			m.cell = unit
			m.SetSize(size[0], size[1])
			for _, k := range []string{"G", "end", "H", "k", "h", "pgup", "home", "L", "L", "w", "w", "g", "pgdown", "l", "w"} {
				uitest.Press(m, k)
				line, col := m.board.find(m.at)
				w := m.window
				if line < w.top || line >= w.top+w.lines || col < w.left || col >= w.left+w.cols {
					t.Fatalf("%v, %v, after %s: line %d col %d is outside of %+v", unit, size, k, line, col, w)
				}
				uitest.Inside(t, m.View(), size[0], size[1])
			}
		}
	}
}

func TestHostileText(t *testing.T) {
	for _, text := range uitest.Hostile() {
		s := without(t, 2, uitest.Text("host.name", text), uitest.Text("nv.dl.role", text), uitest.Text("nemo.user.id", text),
			uitest.Int("nv.dl.topology.size.tp", 2), uitest.Int("nv.dl.topology.size.pp", 1), uitest.Int("nv.dl.topology.size.dp", 1))
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(100, 20)
		uitest.Give(t, m, uitest.Data(t, s, ""))
		for _, k := range []string{"l", "b", "o", "m"} {
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), 100, 20)
			uitest.Press(m, k)
		}
	}
}

// A grid in colours is the grid without them, but for what stands under the
// cursor.
func TestColoursSayNothingMore(t *testing.T) {
	s := ofRanks(t, 8)
	plainView := text(open(t, s, ""))
	m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true, ASCII: true}))
	m.SetSize(120, 38)
	uitest.Give(t, m, uitest.Data(t, s, ""))
	uitest.Harmless(t, m.View())
	if got := stripped(text(m)); got != plainView {
		t.Errorf("in colours:\n%s\nwithout:\n%s", got, plainView)
	}
}

func stripped(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == 0x1b {
			for s[i] != 'm' {
				i++
			}
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

func benchView(b *testing.B, c [4]int, size [2]int, profile theme.Profile) {
	m := New(theme.New(theme.Options{Profile: profile, Dark: true}))
	m.SetSize(size[0], size[1])
	uitest.Give(b, m, uitest.Data(b, simulated(b, config(c[0], c[1], c[2], c[3]), nil), ""))
	keys := []tea.KeyMsg{uitest.Key("j"), uitest.Key("l"), uitest.Key("pgdown"), uitest.Key("G"), uitest.Key("g")}
	i := 0
	for b.Loop() {
		m.Update(keys[i%len(keys)])
		m.View()
		i++
	}
}

func BenchmarkKey1024(b *testing.B) {
	benchView(b, [4]int{8, 1, 8, 16}, [2]int{160, 43}, theme.TrueColor)
}

func BenchmarkKey16384(b *testing.B) {
	benchView(b, [4]int{8, 1, 16, 128}, [2]int{200, 58}, theme.TrueColor)
}

func BenchmarkMeasure16384(b *testing.B) {
	s := uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 16384, Steps: 3, Slow: 5})
	d := uitest.Data(b, s, "")
	for b.Loop() {
		if a := measure(d, question{run: "r"}); len(a.grid.Cells) != 16384 {
			b.Fatalf("%d cells", len(a.grid.Cells))
		}
	}
}

func BenchmarkArrange16384(b *testing.B) {
	m := open(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 16384, Steps: 3, Slow: 5}), "")
	for b.Loop() {
		m.arrange()
		m.View()
	}
}
