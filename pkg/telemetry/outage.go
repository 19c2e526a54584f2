package telemetry

import (
	"sync"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// outage warns once for each time that a signal cannot be delivered, not once for
// each batch.
type outage struct {
	signal target.Signal
	warner *warner

	mu      sync.Mutex
	down    bool
	closing bool // Shutdown tells what is lost
	last    error
}

// seen passes an error on and ends the outage when there is none.
func (o *outage) seen(err error) error {
	if err == nil {
		o.mu.Lock()
		o.down, o.last = false, nil
		o.mu.Unlock()
	}
	return err
}

// failed begins an outage.
func (o *outage) failed(err error) {
	o.mu.Lock()
	news := !o.down && !o.closing
	if !o.closing || o.last == nil {
		o.last = err // what follows the deadline is only the deadline
	}
	o.down = true
	o.mu.Unlock()
	if news {
		o.warner.warn(string(o.signal), err.Error())
	}
}

// close ends warnings.
func (o *outage) close() {
	o.mu.Lock()
	o.closing = true
	o.mu.Unlock()
}

// cause is the error of the outage that is on.
func (o *outage) cause() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}
