package ingest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	grpcpeer "google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
)

// Limits of the gRPC server that no one needs to set. Windows are fixed, so
// that what a connection may make us hold is known; they cost throughput only
// to a sender that is far away.
const (
	maxStreams     = 16
	streamWindow   = 1 << 20
	connWindow     = 2 << 20
	maxHeaderBytes = 64 << 10
	pingAfter      = 2 * time.Minute
	pingTimeout    = 20 * time.Second
	minPing        = 10 * time.Second
	callTimeout    = 20 * time.Second // twice what exporters wait for an answer
)

// services are the OTLP services by signal.
var services = [run.SignalCount]string{
	"opentelemetry.proto.collector.trace.v1.TraceService",
	"opentelemetry.proto.collector.metrics.v1.MetricsService",
	"opentelemetry.proto.collector.logs.v1.LogsService",
}

// grpcDoor is the gRPC half of the receiver.
type grpcDoor struct {
	*door
	admission admission
}

func newGRPC(d *door, a admission, creds *doorCreds) *grpc.Server {
	g := &grpcDoor{door: d, admission: a}
	s := grpc.NewServer(append(g.limits(),
		grpc.Creds(creds),
		grpc.ForceServerCodecV2(rawCodec{d.buffers}),
		experimental.BufferPool(d.buffers),
		//nolint:staticcheck // the only per-server way to see a packed message; see laterGzip
		grpc.RPCDecompressor(laterGzip{}),
		grpc.InTapHandle(g.tap),
		grpc.UnknownServiceHandler(g.unknown),
		grpc.WaitForHandlers(true),
	)...)
	for sig, name := range services {
		s.RegisterService(&grpc.ServiceDesc{
			ServiceName: name, HandlerType: (*any)(nil),
			Streams: []grpc.StreamDesc{{StreamName: "Export", Handler: g.export(run.Signal(sig))}},
		}, g)
	}
	return s
}

func (g *grpcDoor) limits() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(g.limit),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.ConnectionTimeout(g.begin),
		grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.StaticStreamWindowSize(streamWindow),
		grpc.StaticConnWindowSize(connWindow),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: pingAfter, Timeout: pingTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minPing, PermitWithoutStream: true}),
	}
}

// tap turns away calls without the token before anything is set up for them.
func (g *grpcDoor) tap(ctx context.Context, info *tap.Info) (_ context.Context, err error) {
	defer g.stats.shield(func() { err = status.Error(codes.Internal, "the receiver failed; its screen says why") })
	if f := g.admission.admit(connIn(ctx), info.Header.Get); f != nil {
		return ctx, status.Error(f.grpc, g.refuse(f).text)
	}
	if v := info.Header[AskHeader]; len(v) == 1 && v[0] == AskTime {
		ctx = context.WithValue(ctx, askedTime{}, true)
	}
	return bounded(ctx), nil
}

// A client that sends AskHeader: AskTime is told the receiver's clock, in unix
// nanoseconds, in the trailer TimeTrailer. HTTP has Date for that.
const (
	AskHeader   = "x-lensview-ask"
	AskTime     = "time"
	TimeTrailer = "x-lensview-time"
)

type askedTime struct{}

func (g *grpcDoor) tellTime(ss grpc.ServerStream) {
	if ss.Context().Value(askedTime{}) != nil {
		ss.SetTrailer(metadata.Pairs(TimeTrailer, strconv.FormatInt(g.now().UnixNano(), 10)))
	}
}

// bounded ends a call whose message does not arrive, which would hold its
// place for ever. grpc cancels the parent at the end of the call, which frees
// the timer.
func bounded(ctx context.Context) context.Context {
	c, cancel := context.WithTimeout(ctx, callTimeout)
	return boundedContext{c, cancel}
}

type boundedContext struct {
	context.Context
	cancel context.CancelFunc
}

// export handles one signal's Export. It is registered as a stream without
// streaming, which on the wire is a unary call: so the message is read by us,
// after a place is taken, and a panic while reading is ours to catch.
func (g *grpcDoor) export(sig run.Signal) grpc.StreamHandler {
	return func(_ any, ss grpc.ServerStream) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = g.answer(ss, panicked(p))
			}
		}()
		if f := g.enter(); f != nil {
			return g.answer(ss, f)
		}
		defer g.leave()
		var m message
		if err := ss.RecvMsg(&m); err != nil {
			return g.unread(err)
		}
		held := g.space.hold()
		defer held.end()
		b, f := g.body(m, held)
		if f != nil {
			return g.answer(ss, f)
		}
		p, f := g.take(ss.Context(), request{signal: sig, body: *b, sender: peerOf(ss.Context())})
		g.buffers.Put(b)
		if f != nil {
			return g.answer(ss, f)
		}
		g.tellTime(ss)
		return ss.SendMsg(p.proto())
	}
}

func connIn(ctx context.Context) *conn {
	if p, ok := grpcpeer.FromContext(ctx); ok {
		return connOf(p.Addr)
	}
	return new(conn)
}

func peerOf(ctx context.Context) string {
	if p, ok := grpcpeer.FromContext(ctx); ok {
		return senderOf(p.Addr)
	}
	return "local"
}

// unread counts a message that grpc could not read. The answer is already out:
// grpc sends its own, which names both sizes.
func (g *grpcDoor) unread(err error) error {
	st := status.Convert(err)
	switch st.Code() {
	case codes.ResourceExhausted:
		g.refuse(tooLarge(sizeIn(st.Message()), g.limit, "over gRPC"))
	case codes.Canceled, codes.DeadlineExceeded:
		g.refuse(&fault{word: "sender-gone", text: "the sender gave up while its request was being read"})
	default:
		g.refuse(&fault{word: "undecodable", text: "unreadable gRPC message: " + st.Message()})
	}
	return err
}

// sizeIn finds the size in grpc's "received message larger than max (SIZE vs. LIMIT)".
func sizeIn(text string) (size int64) {
	if _, in, ok := strings.Cut(text, "("); ok {
		_, _ = fmt.Sscanf(in, "%d vs.", &size) // 0 when grpc words it otherwise: the notice then names the limit alone
	}
	return size
}

// unknown answers every method that is not one of the three.
func (g *grpcDoor) unknown(_ any, ss grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(ss)
	return g.answer(ss, &fault{word: "unimplemented", grpc: codes.Unimplemented,
		text: fmt.Sprintf("%q is not received here; traces, metrics and logs are", clip(method, 120))})
}

// clip bounds text from outside.
func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}
