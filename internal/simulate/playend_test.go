package simulate

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/internal/run"
)

const metricsMethod = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"

// TestRunChooses: a small run goes through pkg/telemetry; a large one, one of the
// older names, and a rate do not.
func TestRunChooses(t *testing.T) {
	quick := Config{TP: 2, Iterations: 1, Microbatches: 1, Detail: StepOnly}
	older, large := quick, quick
	older.Naming, large.DP = Older, MaxHandles
	for _, tt := range []struct {
		name      string
		config    Config
		rate      Rate
		processes int
	}{
		{"small", quick, Rate{}, 2},
		{"fast", quick, Rate{Speed: 1e6}, 2},
		{"rate", quick, Rate{PerSecond: 1e9}, 0},
		{"older", older, Rate{}, 0},
		{"large", large, Rate{}, 0},
	} {
		l := listen(t)
		serveGRPC(t, l, nil, fine)
		res, err := Run(t.Context(), stream(t, tt.config), Target{Endpoint: l.Addr().String()}, tt.rate, WallClock{})
		if err != nil || res.Processes != tt.processes || (res.Requests > 0) == (tt.processes > 0) || res.Signals[run.Traces].Accepted == 0 {
			t.Errorf("%s: %+v, %v", tt.name, res, err)
		}
	}
}

// TestPlayKeepsTime: requests leave when the run's clock says.
func TestPlayKeepsTime(t *testing.T) {
	l, clock := listen(t), newTestClock()
	serveGRPC(t, l, nil, fine)
	c := Config{TP: 2, Iterations: 5, Detail: StepOnly}
	res, err := Play(t.Context(), stream(t, c), Target{Endpoint: l.Addr().String()}, Rate{Speed: 2}, clock)
	if err != nil || res.Elapsed < 4*time.Second || res.Elapsed > 5*time.Second {
		t.Errorf("9.5 s at twice the speed took %s: %v", res.Elapsed, err)
	}
}

// TestPlayToNobody: a target that is not there, and one that wants something else, are
// errors that say so.
func TestPlayToNobody(t *testing.T) {
	closed := listen(t)
	closed.Close()
	guarded := listen(t)
	serveGRPC(t, guarded, nil, func(int, metadata.MD) ([]byte, error) {
		return nil, status.Error(codes.Unauthenticated, "no token")
	})
	for want, address := range map[string]string{"refused": closed.Addr().String(), "no token": guarded.Addr().String()} {
		res, err := Play(t.Context(), stream(t, small()), Target{Endpoint: address, Patience: 300 * time.Millisecond}, Rate{}, WallClock{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v", want, err)
		}
		checkExact(t, res)
	}
	if _, err := Play(t.Context(), stream(t, small()), Target{Endpoint: "nonsense"}, Rate{}, WallClock{}); err == nil {
		t.Error("an endpoint without a port is taken")
	}
	if _, err := Play(t.Context(), stream(t, small()), Target{Endpoint: closed.Addr().String()}, Rate{Speed: -1}, WallClock{}); err == nil {
		t.Error("a negative speed is taken")
	}
}

// checkExact holds an account to what it promises.
func checkExact(t *testing.T, res Result) {
	t.Helper()
	for signal, n := range res.Signals {
		if n.Sent != n.Accepted+n.Rejected+n.Failed {
			t.Errorf("%s: %+v", run.Signal(signal), n)
		}
	}
}

// TestPlayOutlivesARefusal: what is refused once the target is known is counted, and
// the run goes on.
func TestPlayOutlivesARefusal(t *testing.T) {
	l := listen(t)
	serveGRPC(t, l, nil, func(n int, _ metadata.MD) ([]byte, error) {
		if n > 20 && n%5 == 0 {
			return nil, status.Error(codes.InvalidArgument, "not that")
		}
		return nil, nil
	})
	res, err := Play(t.Context(), stream(t, small()), Target{Endpoint: l.Addr().String()}, Rate{}, WallClock{})
	if err != nil || res.Signals[run.Traces].Failed == 0 || res.Signals[run.Traces].Accepted == 0 || !strings.Contains(strings.Join(res.Reasons, " "), "not that") {
		t.Errorf("%+v, %v", res, err)
	}
	checkExact(t, res)
}

// TestPlayIsCutOff: the end of the context ends all processes, without a goroutine
// left, which TestMain looks for.
func TestPlayIsCutOff(t *testing.T) {
	l := listen(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	serveGRPC(t, l, nil, func(n int, _ metadata.MD) ([]byte, error) {
		if n == 30 {
			cancel(stop)
		}
		return nil, nil
	})
	res, err := Play(ctx, stream(t, small()), Target{Endpoint: l.Addr().String()}, Rate{}, WallClock{})
	if !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
	checkExact(t, res)
}

// TestPlaySends: headers, compression and TLS reach the receiver, and the metrics of a
// run end with one flush.
func TestPlaySends(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificates
	defer web.Close()
	server := &tls.Config{Certificates: web.TLS.Certificates, NextProtos: []string{"h2"}}
	client := web.Client().Transport.(*http.Transport).TLSClientConfig
	l := listen(t)
	var got metadata.MD
	k := serveGRPC(t, l, server, func(_ int, md metadata.MD) ([]byte, error) {
		got = md
		return nil, nil
	})
	c := Config{Iterations: 2, MetricEvery: time.Hour}
	to := Target{Endpoint: "https://" + l.Addr().String(), TLS: client, Gzip: true, Headers: map[string]string{"x-token": "t"}}
	if _, err := Play(t.Context(), stream(t, c), to, Rate{}, WallClock{}); err != nil {
		t.Fatal(err)
	}
	if got.Get("x-token")[0] != "t" || len(k.bodies[metricsMethod]) != 1 {
		t.Errorf("headers %v, %d requests of metrics", got, len(k.bodies[metricsMethod]))
	}
}
