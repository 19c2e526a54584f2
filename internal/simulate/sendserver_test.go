package simulate

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testClock is a clock that only moves when somebody sleeps.
type testClock struct {
	mu     sync.Mutex
	now    time.Time
	sleeps []time.Duration
}

func newTestClock() *testClock { return &testClock{now: time.Unix(1_800_000_000, 0)} }

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.sleeps = append(c.sleeps, d)
	return ctx.Err()
}

// list is a source of requests at hand.
type list []Request

func (l *list) Next() (Request, bool) {
	if len(*l) == 0 {
		return Request{}, false
	}
	r := (*l)[0]
	*l = (*l)[1:]
	return r, true
}

// numbered are n requests of each of some ranks, 100 ms apart, whose bodies hold
// rank and number.
func numbered(ranks, n int) *list {
	var l list
	for i := range n {
		for r := range ranks {
			body := binary.BigEndian.AppendUint32(nil, uint32(r))
			body = binary.BigEndian.AppendUint32(body, uint32(i))
			l = append(l, Request{At: time.Duration(len(l)) * 100 * time.Millisecond, Signal: run.Traces, Rank: r, Body: body, Items: 10})
		}
	}
	return &l
}

// taken is what a test server got.
type taken struct {
	mu     sync.Mutex
	bodies map[string][][]byte // by method or path
	calls  int
	inside int
	most   int // calls at a time
}

func (k *taken) enter() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls++
	k.inside++
	k.most = max(k.most, k.inside)
	return k.calls
}

func (k *taken) leave(at string, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.inside--
	if k.bodies == nil {
		k.bodies = map[string][][]byte{}
	}
	if at != "" {
		k.bodies[at] = append(k.bodies[at], body)
	}
}

// reply is what a server answers to its n-th call: a body, or an error.
type reply func(n int, md metadata.MD) ([]byte, error)

func fine(int, metadata.MD) ([]byte, error) { return nil, nil }

// listen is a loopback listener on a free port.
func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// serveGRPC starts a raw gRPC server.
func serveGRPC(t testing.TB, l net.Listener, config *tls.Config, answer reply) *taken {
	t.Helper()
	k := &taken{}
	opts := []grpc.ServerOption{
		grpc.ForceServerCodecV2(rawCodec{}),
		grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
			method, _ := grpc.MethodFromServerStream(s)
			var body []byte
			if err := s.RecvMsg(&body); err != nil {
				return err
			}
			md, _ := metadata.FromIncomingContext(s.Context())
			out, err := answer(k.enter(), md)
			if err != nil {
				k.leave("", nil)
				return err
			}
			k.leave(method, body)
			return s.SendMsg(&out)
		}),
	}
	if config != nil {
		opts = append(opts, grpc.Creds(credentials.NewTLS(config)))
	}
	srv := grpc.NewServer(opts...)
	done := make(chan struct{})
	go func() { srv.Serve(l); close(done) }()
	t.Cleanup(func() { srv.Stop(); <-done })
	return k
}

// serveHTTP starts an HTTP server and is its URL.
func serveHTTP(t testing.TB, f http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(f)
	t.Cleanup(srv.Close)
	return srv.URL
}

// partial is an answer with partial_success.
func partial(rejected uint64, message string) []byte {
	p := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), rejected)
	p = protowire.AppendString(protowire.AppendTag(p, 2, protowire.BytesType), message)
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), p)
}
