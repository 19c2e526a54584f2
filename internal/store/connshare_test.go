package store

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestBeyond(t *testing.T) {
	const budget = 512 << 20
	for held, want := range map[uint64]uint64{0: 0, 1: 0, 128 << 20: 0, 128<<20 + 1: 1, 400 << 20: 272 << 20} {
		if got := Beyond(budget, held); got != want {
			t.Errorf("%d: %d, want %d", held, got, want)
		}
	}
}

// Connections are charged to the budget up to their part; what they take beyond is
// said, and leaves the data their share.
func TestConnectionsAreCharged(t *testing.T) {
	var r run.Receiver
	s := New(Config{Budget: 64 << 20, Receiver: func() run.Receiver { return r }, Clock: func() int64 { return int64(t0) }})
	none := s.Snapshot().Memory
	for _, tt := range []struct {
		conns   int
		held    uint64
		charged uint64
		notice  string
	}{
		{100, 3 << 20, 3 << 20, ""}, {500, 16 << 20, 16 << 20, ""}, {16384, 40 << 20, 16 << 20, "16,384 connections take 40 MiB: the process grows 24 MiB beyond --memory"}, {0, 0, 0, ""},
	} {
		r = run.Receiver{Conns: tt.conns, Held: tt.held}
		s.Tick(int64(t0))
		for _, snap := range []*Snapshot{s.Snapshot(), s.Snapshot()} {
			m := snap.Memory
			if m.Fixed-none.Fixed != tt.charged || none.Data-m.Data != tt.charged {
				t.Errorf("%d connections: %+v, without any %+v", tt.conns, m, none)
			}
			if told := len(snap.Notices) == 1; told != (tt.notice != "") || told && !strings.HasPrefix(snap.Notices[0].Text, tt.notice) {
				t.Errorf("%d connections: %+v", tt.conns, snap.Notices)
			}
		}
	}
}
