package overviewscreen

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

var verdicts uitest.Verdicts

func cases(t testing.TB) map[string]*store.Snapshot {
	t.Helper()
	return verdicts.ByName(t)
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

// open is the screen on the first run of a snapshot.
func open(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 38)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}
