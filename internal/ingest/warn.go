package ingest

import (
	"fmt"
	"net"

	"github.com/beamline-hpc/lensview/internal/ingest/peer"
	"github.com/beamline-hpc/lensview/internal/run"
)

// allowed refuses an address that other hosts reach without the token and TLS,
// unless that was asked for.
func (c Config) allowed(p protocol, ls []net.Listener) error {
	for _, l := range ls {
		if !outside(l.Addr()) {
			continue
		}
		if c.Token == "" && !c.NoAuth {
			return fmt.Errorf("listen on %s (%s): other hosts reach it and there is no token; listen on 127.0.0.1, or let everybody send with --no-auth", l.Addr(), p.name)
		}
		if c.TLS == nil && !c.Plaintext {
			return fmt.Errorf("listen on %s (%s): other hosts reach it and there is no certificate; listen on 127.0.0.1, or send in plaintext with --plaintext", l.Addr(), p.name)
		}
	}
	return nil
}

// warn leaves notices about who can reach the open ports. Whether that is
// wanted was decided before; it must stay visible all the same.
func (s *Server) warn(c Config, ls []net.Listener) {
	local := false
	for _, l := range ls {
		if outside(l.Addr()) {
			s.warnOutside(c, l.Addr().String())
		} else {
			local = true
		}
	}
	switch {
	case local && c.AllowOtherUsers:
		s.stats.note("other-users", run.Warning, "every user of this host can send to this receiver (--allow-other-users)")
	case local && !peer.Supported:
		s.stats.note("loopback-shared", run.Warning, "loopback is shared: this system does not say who sends, so every user of this host can send to this receiver")
	}
}

func (s *Server) warnOutside(c Config, addr string) {
	if c.NoAuth {
		s.stats.note("no-auth", run.Warning, fmt.Sprintf("everyone who reaches %s can send to this receiver: no token is required (--no-auth)", addr))
	}
	if c.TLS == nil {
		s.stats.note("plaintext", run.Warning, fmt.Sprintf("telemetry and token cross the network in plaintext to %s (--plaintext)", addr))
	}
}

func outside(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && !t.IP.IsLoopback()
}
