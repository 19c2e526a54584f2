package send

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

const (
	firstPause = 500 * time.Millisecond
	maxPause   = 5 * time.Second
)

// attempt is the outcome of one try.
type attempt struct {
	refused int64
	err     error
	again   bool          // the same request may succeed later
	after   time.Duration // not before then, 0 when the other side named no time
}

// repeat tries until it succeeds, fails for good, or the context ends. It does not
// wait for a time beyond the context's deadline: there would be nothing after it.
func repeat(ctx context.Context, to target.Target, once func(context.Context) attempt) (int64, error) {
	pause := firstPause
	var last error
	for {
		a := try(ctx, to.Timeout, once)
		if a.err == nil {
			return a.refused, nil
		}
		if last == nil || ctx.Err() == nil {
			last = a.err // an attempt that the end has cut short says less than the one before
		}
		wait := max(a.after, pause/2+rand.N(pause/2+1))
		if !a.again || !sleep(ctx, wait) {
			return 0, &Error{to, reason(ctx, last)}
		}
		pause = min(2*pause, maxPause)
	}
}

func try(ctx context.Context, timeout time.Duration, once func(context.Context) attempt) attempt {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errSlow)
	defer cancel()
	a := once(ctx)
	if a.err != nil && errors.Is(context.Cause(ctx), errSlow) {
		a.err, a.again = errSlow, true
	}
	return a
}

// reason is why a context has ended, when an error says only that it has.
func reason(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause != nil && (errors.Is(err, context.Canceled) || status.Code(err) == codes.Canceled) {
		return cause
	}
	return err
}

var errSlow = errors.New("no answer within the time set by OTEL_EXPORTER_OTLP_TIMEOUT")

// sleep reports whether there is still time after the wait.
func sleep(ctx context.Context, wait time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
