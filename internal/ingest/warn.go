package ingest

import (
	"fmt"
	"net"

	"github.com/beamline-hpc/lensview/internal/run"
)

// warn leaves notices about who can reach the open ports. Whether that is
// wanted was decided before; it must stay visible all the same.
func (s *Server) warn(c Config, ls []net.Listener) {
	loopback := true
	for _, l := range ls {
		if outside(l.Addr()) {
			loopback = false
			s.warnOutside(c, l.Addr().String())
		}
	}
	if loopback && c.Token == "" && !c.AllowOtherUsers {
		s.stats.note("loopback-shared", run.Info, "loopback is shared: every user of this host can send to this receiver")
	}
}

func (s *Server) warnOutside(c Config, addr string) {
	if c.Token == "" {
		s.stats.note("no-token", run.Warning, fmt.Sprintf("everyone who reaches %s can send to this receiver: no token is required", addr))
	}
	if c.TLS == nil {
		s.stats.note("plaintext", run.Warning, fmt.Sprintf("telemetry and token cross the network in plaintext to %s", addr))
	}
}

func outside(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && !t.IP.IsLoopback()
}
