package stepsscreen

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func largest(b *testing.B) *store.Snapshot {
	return uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 16384, Steps: 40, Slow: 5})
}

// A frame after a key: the bar is 50 ms.
func BenchmarkKey16384(b *testing.B) {
	m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
	m.SetSize(200, 58)
	uitest.Give(b, m, uitest.Data(b, largest(b), ""))
	keys := []tea.KeyMsg{uitest.Key("j"), uitest.Key("h"), uitest.Key("pgdown"), uitest.Key("G"), uitest.Key("z"), uitest.Key("g")}
	i := 0
	for b.Loop() {
		m.Update(keys[i%len(keys)])
		m.View()
		i++
	}
}

// All columns read anew, and one that changed.
func BenchmarkRead16384(b *testing.B) {
	d := uitest.Data(b, largest(b), "")
	q, end := question{run: "r"}, spot{attempt: 9}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			newReader().read(d, q, end, 190)
		}
	})
	b.Run("one", func(b *testing.B) {
		r := newReader()
		a := r.read(d, q, end, 190)
		for b.Loop() {
			delete(r.known, a.in.Columns[len(a.in.Columns)-1])
			r.read(d, q, end, 190)
		}
	})
}
