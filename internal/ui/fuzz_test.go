package ui

import (
	"math/rand/v2"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// script is what a fuzzer's bytes do: each byte one thing.
type script struct {
	p     *program
	snaps []*store.Snapshot
	next  int
}

// worlds is the snapshots a script goes through; they never change, so they are
// made once.
func worlds(t testing.TB) []*store.Snapshot {
	t.Helper()
	out := []*store.Snapshot{
		training(t), uitest.Snapshot(t),
		uitest.Snapshot(t, uitest.Training{Run: "训练🚀", Ranks: 3, World: 900, Steps: 2, Slow: 1}, uitest.Training{Run: "b", Ranks: 40, Steps: 7, Slow: -1}),
	}
	for i, snap := range out {
		snap.Version = uint64(1000 + i)
		snap.Notices = append(snap.Notices, run.Notice{Code: "n", Level: run.Level(i % 3), Text: uitest.Hostile()[i]})
	}
	return out
}

func newScript(t testing.TB, snaps []*store.Snapshot) *script {
	t.Helper()
	p := start(t, snaps[0], func(o *Options) { o.Screens = everyScreen(o.Theme) })
	return &script{p: p, snaps: snaps}
}

// play does what the bytes say and looks at every view.
func (s *script) play(t testing.TB, bytes []byte) {
	t.Helper()
	for _, b := range bytes {
		s.do(b)
		if s.p.quit {
			return
		}
		uitest.Inside(t, s.p.view(), s.p.app.size.width, s.p.app.size.height)
		uitest.Harmless(t, s.p.view())
	}
}

// keys is every key that is bound anywhere, and some text.
func keys() []string {
	return []string{
		"1", "2", "3", "4", "5", "6", "7", "D", "i", "/", "r", "X", "p", " ", "y", "?", "esc", "j", "k", "g", "G", "pgup", "pgdown", "ctrl+d", "ctrl+u",
		"enter", "tab", "shift+tab", "s", "S", "b", "a", "up", "down", "left", "right", "h", "l", "n", "N", "ctrl+l", "backspace",
		"rank=", "0..9", "训", "and ", "\"", "(", "host=", "dur>1s", "z", "+", "-", "f", "t", "e", "d", "v", "m", "M", "o", "c", "w", "x", "[", "]", "{", "=",
	}
}

func sizes() [][2]int {
	return [][2]int{{80, 24}, {40, 12}, {160, 45}, {41, 13}, {10, 3}, {1, 1}, {0, 0}, {200, 12}, {40, 60}, {79, 23}}
}

// do does what a byte says.
func (s *script) do(b byte) {
	all, w := keys(), sizes()
	switch n := int(b); {
	case n < 2*len(all):
		s.p.press(all[n%len(all)])
	case n < 2*len(all)+30:
		size := w[n%len(w)]
		s.p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
	case n < 2*len(all)+60:
		m := uitest.Click(n*7%90, n*5%30)
		m.Button = []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}[n%3]
		s.p.send(m)
	default:
		s.next++
		snap := *s.snaps[s.next%len(s.snaps)]
		snap.Version += uint64(s.next) * 10
		s.p.source.snap = &snap
		s.p.tick()
	}
}

func FuzzProgram(f *testing.F) {
	snaps := worlds(f)
	f.Add([]byte{1, 14, 14, 22, 13, 6, 39, 40, 22, 120, 140, 160, 200, 250})
	f.Add([]byte{1, 27, 27, 255, 22, 26, 26, 12, 53, 13, 121, 250, 9, 254, 9})
	f.Add([]byte{4, 22, 23, 23, 130, 15, 28, 250, 7, 41, 42, 22, 8})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		newScript(t, snaps).play(t, bytes[:min(len(bytes), 60)])
	})
}

func TestRandomUse(t *testing.T) {
	snaps := worlds(t)
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 99))
		bytes := make([]byte, 150)
		for i := range bytes {
			bytes[i] = byte(rng.Uint32())
		}
		newScript(t, snaps).play(t, bytes)
	}
}
