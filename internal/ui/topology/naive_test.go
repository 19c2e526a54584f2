package topologyscreen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// world is a run whose every rank's step takes what the test says: what the grid
// shows is worked out from that a second time.
type world struct {
	tp, cp, pp, dp int
	ms             []int // of each rank's steps; 0: the rank sends nothing
	sent           bool  // coordinates are sent, in the order tp-cp-pp-dp
}

func (w world) ranks() int { return w.tp * w.cp * w.pp * w.dp }

// coord is a rank's place by the order in force.
func (w world) coord(rank int) place {
	if w.sent {
		return place{tp: rank % w.tp, cp: rank / w.tp % w.cp, pp: rank / (w.tp * w.cp) % w.pp, dp: rank / (w.tp * w.cp * w.pp)}
	}
	return place{tp: rank % w.tp, cp: rank / w.tp % w.cp, dp: rank / (w.tp * w.cp) % w.dp, pp: rank / (w.tp * w.cp * w.dp)}
}

func (w world) snapshot(t testing.TB) *store.Snapshot {
	t.Helper()
	s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) + 60e9 }})
	for rank := range w.ranks() {
		if w.ms[rank] > 0 {
			w.put(t, s, rank)
		}
	}
	return s.Snapshot()
}

func (w world) put(t testing.TB, s *store.Store, rank int) {
	attrs := []run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", w.ranks()),
		uitest.Text("host.name", fmt.Sprintf("node-%d", rank/4)), uitest.Text("service.instance.id", fmt.Sprint(rank)),
		uitest.Int("nv.dl.topology.size.tp", w.tp), uitest.Int("nv.dl.topology.size.pp", w.pp), uitest.Int("nv.dl.topology.size.dp", w.dp)}
	if w.sent {
		c := w.coord(rank)
		attrs = append(attrs, uitest.Int("dl.tensor_parallel.rank", c.tp), uitest.Int("dl.pipeline_parallel.rank", c.pp), uitest.Int("dl.data_parallel.rank", c.dp))
	}
	b := otlp.NewBuilder(run.Traces)
	b.Resource(attrs, 0, "")
	b.Scope(run.Scope{})
	for i := range uint64(3) {
		from := uitest.Start + i*10e9
		b.Span(&run.Span{TraceID: uitest.TraceID(uint64(rank) + 1), ID: uitest.SpanID(uint64(rank)*10 + i + 1), Name: "megatron.train_step",
			Start: from, End: from + uint64(w.ms[rank])*1e6, Attrs: []run.Attr{uitest.Int("megatron.iteration", int(i))}})
	}
	uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start) + int64(rank)})
}

func random(dice *rand.Rand) world {
	w := world{tp: 1 + dice.IntN(3), cp: 1, pp: 1 + dice.IntN(4), dp: 2 + dice.IntN(5)}
	if dice.IntN(3) == 0 {
		w.cp = 2
	}
	w.sent = w.cp == 1 && dice.IntN(2) == 0
	w.ms = make([]int, w.ranks())
	for i := range w.ms {
		w.ms[i] = 200 + dice.IntN(800)
		if dice.IntN(8) == 0 {
			w.ms[i] = 0
		}
	}
	w.ms[0], w.ms[w.ranks()-1] = 500, 600
	return w
}

// median is the middle of sorted numbers, of an even number the mean of two.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// of is the milliseconds of the ranks that a test picks.
func (w world) of(pick func(place) bool) []float64 {
	var out []float64
	for rank, ms := range w.ms {
		if ms > 0 && pick(w.coord(rank)) {
			out = append(out, float64(ms))
		}
	}
	return out
}

// closeTo reports that a number on screen, which has some decimals, is the value.
func closeTo(t *testing.T, m *Model, text string, ms float64) bool {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	return math.Abs(v-ms/1e3*1e9/m.seen.scale.unit.Ns) <= math.Pow10(-m.seen.scale.unit.Decimals)
}

// numbers is the numbers of a line of the grid, and the marks of missing ranks.
func numbers(line string) []string {
	var out []string
	fields := strings.Fields(strings.TrimPrefix(line, ">"))
	for _, f := range fields[2:] { // after "dp N"
		if _, err := strconv.ParseFloat(f, 64); err == nil || f == "x" {
			out = append(out, f)
		}
	}
	return out
}

func (w world) compareLine(t *testing.T, m *Model, line string, dp int, cells []place, worker bool) {
	t.Helper()
	got := numbers(line)
	if len(got) < len(cells) {
		t.Fatalf("dp %d: %d of %d cells in %q", dp, len(got), len(cells), line)
	}
	for i, c := range cells {
		want := median(w.of(func(p place) bool {
			return p.dp == c.dp && p.pp == c.pp && (worker || p.tp == c.tp && p.cp == c.cp)
		}))
		if math.IsNaN(want) != (got[i] == "x") || got[i] != "x" && !closeTo(t, m, got[i], want) {
			t.Fatalf("%+v: %q, want %v ms, in %q", c, got[i], want, line)
		}
	}
	lane := median(w.of(func(p place) bool { return p.dp == dp }))
	if !math.IsNaN(lane) && !closeTo(t, m, got[len(got)-1], lane) {
		t.Fatalf("%+v: dp %d: median %q, want %v ms\n%s", w, dp, got[len(got)-1], lane, text(m))
	}
}

// lineCells is the places of a line in the order drawn.
func (w world) lineCells(dp int, worker bool) []place {
	var out []place
	for pp := range w.pp {
		for cp := range w.cp {
			for tp := range w.tp {
				if !worker || tp == 0 && cp == 0 {
					out = append(out, place{tp, cp, dp, pp})
				}
			}
		}
	}
	return out
}

func TestEveryCellAgainstWhatWasSent(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 9))
	for range 60 {
		w := random(dice)
		if w.tp*w.cp*w.pp == 1 {
			continue
		}
		m := open(t, w.snapshot(t), "")
		for _, u := range []unit{ranks, workers} {
			m.cell = u
			m.SetSize(400, 60)
			m.arrange()
			if m.board.wrap > 0 { // lines hold several replicas; see TestBoardsHoldEveryCellOnce
				continue
			}
			all := strings.Split(text(m), "\n")
			from := headLines + m.parts().problems
			for dp := range w.dp {
				w.compareLine(t, m, all[from+dp], dp, w.lineCells(dp, u == workers), u == workers)
			}
			w.compareStages(t, m, all[from+w.dp])
		}
	}
}

// compareStages holds the medians beneath the grid.
func (w world) compareStages(t *testing.T, m *Model, line string) {
	t.Helper()
	got := strings.Fields(line)[1:]
	for pp := range w.pp {
		want := median(w.of(func(p place) bool { return p.pp == pp }))
		if math.IsNaN(want) {
			return // a blank; the numbers do not stand in their places
		}
		if !closeTo(t, m, got[pp], want) {
			t.Fatalf("pp %d: median %q, want %v ms, in %q", pp, got[pp], want, line)
		}
	}
}

func TestTheCursorReadsWhatWasSent(t *testing.T) {
	dice := rand.New(rand.NewPCG(2, 9))
	for range 20 {
		w := random(dice)
		m := open(t, w.snapshot(t), "")
		m.cell = ranks
		m.arrange()
		for rank, ms := range w.ms {
			m.at = w.coord(rank)
			m.follow()
			got := m.CopyText()
			want := fmt.Sprintf("rank %d  step %s  ", rank, m.seen.scale.text(float64(ms)/1e3))
			if ms == 0 {
				want = "never seen"
			}
			if !strings.Contains(got, want) {
				t.Fatalf("%+v: rank %d is %q, want %q", w, rank, got, want)
			}
		}
	}
}

func TestTheLargestComeInOrder(t *testing.T) {
	w := random(rand.New(rand.NewPCG(3, 9)))
	m := open(t, w.snapshot(t), "")
	m.cell = ranks
	m.arrange()
	want := w.of(func(place) bool { return true })
	slices.SortFunc(want, func(a, b float64) int { return int(b - a) })
	for i, ms := range append(want, want[0]) { // and around
		uitest.Press(m, "w")
		if got := m.value(m.at.rank(m.seen.grid.Sizes)); math.Abs(got*1e3-ms) > 0.01 {
			t.Fatalf("%d: %v s, want %v ms", i, got, ms)
		}
	}
}

// The oracles of SEMCONV: which ranks stand in one column, which in one line.
func TestRanksStandWhereTheLayoutPutsThem(t *testing.T) {
	ofColumn := func(m *Model, p place) (out []int) {
		for p.dp = range m.seen.grid.Sizes.DP {
			out = append(out, m.seen.grid.Cells[p.rank(m.seen.grid.Sizes)].Rank)
		}
		return out
	}
	ofStages := func(m *Model, p place) (out []int) {
		for p.pp = range m.seen.grid.Sizes.PP {
			out = append(out, m.seen.grid.Cells[p.rank(m.seen.grid.Sizes)].Rank)
		}
		return out
	}
	full := func(w world) *Model {
		w.ms = make([]int, w.ranks())
		for i := range w.ms {
			w.ms[i] = 100
		}
		return open(t, w.snapshot(t), "")
	}
	m := full(world{tp: 2, cp: 1, pp: 4, dp: 2})
	if got := [][]int{ofColumn(m, place{}), ofColumn(m, place{tp: 1}), ofStages(m, place{}), ofStages(m, place{tp: 1, dp: 1})}; fmt.Sprint(got) != "[[0 2] [1 3] [0 4 8 12] [3 7 11 15]]" {
		t.Errorf("16 ranks: %v", got)
	}
	m = full(world{tp: 2, cp: 1, pp: 4, dp: 3})
	if got := [][]int{ofColumn(m, place{}), ofColumn(m, place{tp: 1, pp: 3})}; fmt.Sprint(got) != "[[0 2 4] [19 21 23]]" {
		t.Errorf("24 ranks: %v", got)
	}
	m = full(world{tp: 2, cp: 1, pp: 2, dp: 2, sent: true})
	if got := [][]int{ofColumn(m, place{}), ofColumn(m, place{tp: 1}), ofColumn(m, place{pp: 1}), ofColumn(m, place{tp: 1, pp: 1})}; fmt.Sprint(got) != "[[0 4] [1 5] [2 6] [3 7]]" {
		t.Errorf("8 ranks that say where they are: %v", got)
	}
	m = full(world{tp: 1, cp: 16, pp: 1, dp: 2})
	m.at = place{cp: 1, dp: 1}
	if got := m.CopyText(); !strings.HasPrefix(got, "rank 17 ") || !strings.Contains(got, "cp 1~") {
		t.Errorf("cp 1 of dp 1 is %q", got)
	}
}

// FuzzKeys presses keys in any order, at any size: the view stays inside its size
// and the cursor inside the grid.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{0, 1, 2, 40, 9, 10, 3, 100, 8}, uint8(80), uint8(22), uint8(2), uint8(3), uint8(5))
	f.Add([]byte{12, 13, 30, 5, 4, 3, 250, 2}, uint8(40), uint8(10), uint8(1), uint8(1), uint8(90))
	keys := []string{"j", "k", "h", "l", "H", "L", "g", "G", "home", "end", "pgup", "pgdown", "m", "M", "b", "w", "o", "enter"}
	f.Fuzz(func(t *testing.T, presses []byte, width, height, tp, pp, dp uint8) {
		w := world{tp: 1 + int(tp)%4, cp: 1, pp: 1 + int(pp)%6, dp: 1 + int(dp)%100}
		w.ms = make([]int, w.ranks())
		for i := range w.ms {
			w.ms[i] = 100 + i
		}
		m := open(t, w.snapshot(t), "")
		m.SetSize(int(width), int(height))
		for _, b := range presses[:min(len(presses), 100)] {
			if int(b) < len(keys) {
				uitest.Press(m, keys[b])
			} else {
				m.SetSize(int(b), int(height))
			}
			uitest.Inside(t, m.View(), m.size.width, m.size.height)
			if m.at != m.at.within(m.seen.grid.Sizes) {
				t.Fatalf("the cursor is at %+v of %+v", m.at, m.seen.grid.Sizes)
			}
		}
	})
}
