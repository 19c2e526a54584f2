package simulate

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/beamline-hpc/lensview/internal/run"
)

const traceMethod = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// busy is UNAVAILABLE with the delay the receiver asks for.
func busy(code codes.Code, after time.Duration) error {
	s, err := status.New(code, "store is full").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(after)})
	if err != nil {
		return err
	}
	return s.Err()
}

func TestSendDeliversEverythingInOrder(t *testing.T) {
	l := listen(t)
	k := serveGRPC(t, l, nil, fine)
	res, err := Send(t.Context(), numbered(7, 50), Target{Endpoint: l.Addr().String(), Conns: 3, InFlight: 2}, Rate{}, WallClock{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Count{Sent: 3500, Accepted: 3500}); res.Signals[run.Traces] != want || res.Requests != 350 || res.Bytes != 350*8 || res.Retries != 0 || res.Reasons != nil {
		t.Errorf("result %+v", res)
	}
	next := make([]uint32, 7)
	for _, body := range k.bodies[traceMethod] {
		r, n := binary.BigEndian.Uint32(body), binary.BigEndian.Uint32(body[4:])
		if n != next[r] {
			t.Fatalf("request %d of rank %d came when %d was due", n, r, next[r])
		}
		next[r]++
	}
	if k.calls != 350 || k.most > 6 {
		t.Errorf("%d calls, %d at a time", k.calls, k.most)
	}
}

func TestSendOfARun(t *testing.T) {
	l := listen(t)
	k := serveGRPC(t, l, nil, fine)
	c := small(Explosion{})
	want := collect(t, stream(t, c))
	res, err := Send(t.Context(), stream(t, c), Target{Endpoint: "http://" + l.Addr().String(), Gzip: true}, Rate{}, WallClock{})
	if err != nil {
		t.Fatal(err)
	}
	for s, n := range map[run.Signal]int{run.Traces: len(want.spans), run.Metrics: len(want.points), run.Logs: len(want.logs)} {
		if got := res.Signals[s]; got != (Count{Sent: uint64(n), Accepted: uint64(n)}) {
			t.Errorf("%s: %+v, want %d accepted", s, got, n)
		}
	}
	if len(k.bodies) != 3 || k.calls != want.requests {
		t.Errorf("%d calls of %d methods, want %d of 3", k.calls, len(k.bodies), want.requests)
	}
}

func TestSendRetries(t *testing.T) {
	for name, tc := range map[string]struct {
		answers []error // in turn, then success
		sleeps  []time.Duration
		want    Count
		retries uint64
	}{
		"as the receiver asks": {[]error{busy(codes.Unavailable, 1500*time.Millisecond), busy(codes.Unavailable, 3*time.Second)},
			[]time.Duration{1500 * time.Millisecond, 3 * time.Second}, Count{Sent: 10, Accepted: 10}, 2},
		"with growing waits": {[]error{status.Error(codes.Unavailable, ""), status.Error(codes.Aborted, ""), status.Error(codes.DeadlineExceeded, "")},
			[]time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second}, Count{Sent: 10, Accepted: 10}, 3},
		"exhausted with a delay":    {[]error{busy(codes.ResourceExhausted, time.Second)}, []time.Duration{time.Second}, Count{Sent: 10, Accepted: 10}, 1},
		"exhausted without a delay": {[]error{status.Error(codes.ResourceExhausted, "too large")}, nil, Count{Sent: 10, Failed: 10}, 0},
		"never what is invalid":     {[]error{status.Error(codes.InvalidArgument, "bad")}, nil, Count{Sent: 10, Failed: 10}, 0},
		"until patience ends":       {[]error{busy(codes.Unavailable, 50*time.Second), busy(codes.Unavailable, 50*time.Second)}, []time.Duration{50 * time.Second}, Count{Sent: 10, Failed: 10}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			l := listen(t)
			serveGRPC(t, l, nil, func(n int, _ metadata.MD) ([]byte, error) {
				if n <= len(tc.answers) {
					return nil, tc.answers[n-1]
				}
				return nil, nil
			})
			clock := newTestClock()
			res, err := Send(t.Context(), numbered(1, 1), Target{Endpoint: l.Addr().String()}, Rate{}, clock)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.sleeps, clock.sleeps); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
			if res.Signals[run.Traces] != tc.want || res.Retries != tc.retries || res.Requests != 1 {
				t.Errorf("result %+v, want %+v and %d retries", res, tc.want, tc.retries)
			}
			if len(res.Reasons) == 0 {
				t.Error("no reason is told")
			}
		})
	}
}

func TestSendCountsPartialSuccess(t *testing.T) {
	l := listen(t)
	serveGRPC(t, l, nil, func(n int, _ metadata.MD) ([]byte, error) {
		switch n {
		case 1:
			return partial(3, "zero span id"), nil
		case 2:
			return partial(0, "clock is off"), nil // a warning
		case 3:
			return partial(99, "more than sent"), nil
		}
		return nil, nil
	})
	res, err := Send(t.Context(), numbered(1, 4), Target{Endpoint: l.Addr().String()}, Rate{}, WallClock{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Count{Sent: 40, Accepted: 27, Rejected: 13}); res.Signals[run.Traces] != want {
		t.Errorf("%+v, want %+v", res.Signals[run.Traces], want)
	}
	want := []string{"3 spans rejected: zero span id", "0 spans rejected: clock is off", "99 spans rejected: more than sent"}
	if d := cmp.Diff(want, res.Reasons); d != "" {
		t.Errorf("reasons (-want +got):\n%s", d)
	}
}

// A target that will take nothing ends the sending, and no header is told.
func TestSendStopsWhereItIsNotLetIn(t *testing.T) {
	l := listen(t)
	serveGRPC(t, l, nil, func(_ int, md metadata.MD) ([]byte, error) {
		if got := md.Get("x-lensview-token"); len(got) == 1 && got[0] == "s3cret" {
			return nil, status.Error(codes.Unauthenticated, "wrong token")
		}
		return nil, nil
	})
	to := Target{Endpoint: l.Addr().String(), Headers: map[string]string{"X-Lensview-Token": "s3cret"}, Conns: 1, InFlight: 1}
	res, err := Send(t.Context(), numbered(1, 1000), to, Rate{}, WallClock{})
	if err == nil || !strings.Contains(err.Error(), "Unauthenticated: wrong token") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("error %v", err)
	}
	n := res.Signals[run.Traces]
	if n.Sent == 0 || n.Sent > 50 || n.Failed != n.Sent {
		t.Errorf("%+v: want a few failed and no more sent", n)
	}
}

// Nobody is there, or somebody who never answers: that is said soon, and not only
// when the run ends.
func TestSendToNobody(t *testing.T) {
	l := listen(t)
	l.Close()
	mute := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	for _, endpoint := range []string{l.Addr().String(), "http://" + l.Addr().String() + "/otlp", mute + "/otlp"} {
		clock := newTestClock()
		res, err := Send(t.Context(), numbered(2, 100_000), Target{Endpoint: endpoint}, Rate{}, clock)
		if err == nil || !strings.Contains(err.Error(), "nobody takes anything there: ") || !strings.Contains(err.Error(), endpoint) {
			t.Errorf("%s: error %v", endpoint, err)
		}
		if n := res.Signals[run.Traces]; n.Sent == 0 || n.Sent > 200 || n.Failed != n.Sent || res.Retries == 0 {
			t.Errorf("%s: %+v", endpoint, res)
		}
		if w := clock.now.Sub(newTestClock().now); w > 2*firstPatience {
			t.Errorf("%s: it waited %v", endpoint, w)
		}
		if len(res.Reasons) == 0 {
			t.Errorf("%s: no reason is told", endpoint)
		}
	}
}

// A target that went away may come back: it has the whole patience.
func TestSendWaitsForWhoWasThere(t *testing.T) {
	clock := newTestClock()
	var calls atomic.Int32
	url := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) > 1 && clock.Now().Sub(newTestClock().now) < 3*firstPatience {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	res, err := Send(t.Context(), numbered(1, 3), Target{Endpoint: url + "/x", Conns: 1, InFlight: 1}, Rate{}, clock)
	if err != nil || res.Signals[run.Traces] != (Count{Sent: 30, Accepted: 30}) || res.Retries < 3 {
		t.Errorf("%+v, %v", res, err)
	}
}

// brokenTransport panics in the goroutine of a worker.
type brokenTransport struct{}

func (brokenTransport) export(context.Context, int, *Request) (answer, error) { panic("torn") }
func (brokenTransport) close()                                                {}

func TestPanicOfAWorkerReachesWhoSends(t *testing.T) {
	defer func() {
		p := recover()
		if text, _ := p.(string); !strings.HasPrefix(text, "torn\n") || !strings.Contains(text, "brokenTransport") {
			t.Errorf("panic %v", p)
		}
	}()
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &sender{to: Target{Conns: 2, InFlight: 2, Timeout: time.Second}, tr: brokenTransport{}, clock: newTestClock(), panics: catcher{cancel: cancel}, cancel: cancel}
	err := s.run(ctx, numbered(8, 1000), &pacer{clock: s.clock})
	t.Errorf("run ends with %v", err)
}

func TestReasonsAreShort(t *testing.T) {
	s := &sender{}
	s.result.reason(strings.Repeat("训", 2000))
	if r := s.result.Reasons[0]; len(r) > maxReason+3 || !utf8.ValidString(r) || !strings.HasSuffix(r, "训…") {
		t.Errorf("%d bytes: %q", len(r), r)
	}
}

// The account is exact wherever the sending is cut off.
func TestSendIsExactWhenCutOff(t *testing.T) {
	l := listen(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	serveGRPC(t, l, nil, func(n int, _ metadata.MD) ([]byte, error) {
		if n == 20 {
			cancel(stop)
		}
		return nil, nil
	})
	res, err := Send(ctx, numbered(5, 100_000), Target{Endpoint: l.Addr().String()}, Rate{}, WallClock{})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want the cause", err)
	}
	n := res.Signals[run.Traces]
	if n.Sent != n.Accepted+n.Rejected+n.Failed || n.Sent != 10*res.Requests || n.Accepted == 0 || n.Sent > 100_000 {
		t.Errorf("%+v", res)
	}
}

func TestSendOverAUnixSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "sim") // t.TempDir is too long for a socket's name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	k := serveGRPC(t, l, nil, fine)
	res, err := Send(t.Context(), numbered(3, 3), Target{Endpoint: "unix:" + path}, Rate{}, WallClock{})
	if err != nil || res.Signals[run.Traces].Accepted != 90 || k.calls != 9 {
		t.Errorf("%+v, %v, %d calls", res, err, k.calls)
	}
}
