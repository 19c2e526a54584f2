package ingest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
)

// Limits of the HTTP server that no one needs to set.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 60 * time.Second
	idleTimeout   = 2 * time.Minute
)

// httpDoor is the HTTP half of the receiver.
type httpDoor struct {
	*door
	admission admission
	hosts     map[string]bool
	ports     ports
	running   *sync.RWMutex
	grace     time.Duration // of a body's pace
}

func newHTTP(d *door, c Config, p ports, running *sync.RWMutex, errs io.Writer) *http.Server {
	h := &httpDoor{running: running, door: d, admission: newAdmission(c.Token), hosts: hostSet(c.Hosts), ports: p, grace: bodyGrace}
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: c.begin,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + c.Wait,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(handshakeLog{errs}, "", 0),
		ConnContext:       withSender,
		ConnState:         h.connState,
		TLSNextProto:      map[string]func(*http.Server, *tls.Conn, http.Handler){"h2": h.grpcOverTLS},
		Protocols:         new(http.Protocols),

		DisableGeneralOptionsHandler: true,
	}
	s.Protocols.SetHTTP1(true)
	return s
}

type senderKey struct{}

func withSender(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, senderKey{}, c.RemoteAddr())
}

// peerAddr is where a request comes from.
func peerAddr(r *http.Request) net.Addr {
	a, _ := r.Context().Value(senderKey{}).(net.Addr)
	return a
}

// signals are the three paths.
var signals = map[string]run.Signal{
	"/v1/traces": run.Traces, "/v1/traces/": run.Traces,
	"/v1/metrics": run.Metrics, "/v1/metrics/": run.Metrics,
	"/v1/logs": run.Logs, "/v1/logs/": run.Logs,
}

// ServeHTTP answers one request. Whatever the input, it is never answered 500:
// that is for a panic or a sink that failed.
func (h *httpDoor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.running.RLock()
	defer h.running.RUnlock()
	connOf(peerAddr(r)).asking.Store(false)
	a := answer{w: w, form: formOf(r.Header)}
	defer func() {
		if p := recover(); p != nil {
			a.fault(h.refuse(panicked(p)))
		}
	}()
	if isPreface(r) {
		h.answerGRPC(w)
		return
	}
	if f := h.foreign(r); f != nil {
		a.fault(h.refuse(f))
		return
	}
	if r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		a.hello(h.ports)
		return
	}
	sig, p, f := h.export(w, r, a.form)
	if f != nil {
		a.fault(h.refuse(f))
		return
	}
	a.success(sig, p)
}

// export takes one request through its checks and to the store.
func (h *httpDoor) export(w http.ResponseWriter, r *http.Request, form form) (run.Signal, partial, *fault) {
	sig, f := h.check(r, form)
	if f != nil {
		return 0, partial{}, f
	}
	if f := h.enter(); f != nil {
		return 0, partial{}, f
	}
	defer h.leave()
	held := h.space.hold()
	defer held.end()
	b, f := h.read(w, r, held)
	if f != nil {
		return 0, partial{}, f
	}
	p, f := h.take(r.Context(), request{signal: sig, body: *b, json: form == formJSON, sender: senderOf(peerAddr(r))})
	h.buffers.Put(b)
	return sig, p, f
}

// read reads and unpacks a body into a buffer of the pool.
func (h *httpDoor) read(w http.ResponseWriter, r *http.Request, held *hold) (*[]byte, *fault) {
	if r.ContentLength > int64(h.limit) {
		return nil, tooLarge(r.ContentLength, h.limit, "over HTTP")
	}
	conn := http.NewResponseController(w)
	src := &source{r: r.Body, left: h.limit, pace: pace{grace: h.grace}, deadline: conn.SetReadDeadline}
	hint := int(max(0, r.ContentLength))
	var b *[]byte
	var err error
	if packedBody(r.Header) {
		b, err = h.gunzip.all(src, hint, h.limit, held)
	} else {
		b, err = h.buffers.readAll(src, min(hint+1, 1<<20), h.limit, held)
	}
	if err != nil {
		return nil, h.unread(err, src)
	}
	_ = conn.SetReadDeadline(time.Time{}) // the time for the body is over; a connection that is gone is seen when answering
	return b, nil
}

// unread says why a body could not be read: the connection, the size, or gzip.
func (h *httpDoor) unread(err error, src *source) *fault {
	switch {
	case errors.Is(err, errFull):
		return h.space.busy()
	case errors.Is(err, errLimit) || errors.Is(src.err, errLimit):
		return tooLarge(0, h.limit, "over HTTP")
	case errors.Is(src.err, os.ErrDeadlineExceeded):
		return &fault{word: "slow-body", grpc: codes.DeadlineExceeded, http: http.StatusRequestTimeout, text: "the body stalled: less than 64 KiB/s arrived"}
	case src.err != nil:
		return undecodable(fmt.Errorf("the body ended early: %w", src.err))
	}
	return badGzip(err)
}

// source reads at most left bytes, no slower than pace, and remembers why it
// failed, which the unpacker in front of it would hide.
type source struct {
	r        io.Reader
	left     int
	err      error
	pace     pace
	deadline func(time.Time) error // sets that of the connection
}

func (s *source) Read(p []byte) (int, error) {
	begun := time.Now()
	if err := s.deadline(begun.Add(s.pace.left())); err != nil {
		s.err = err
		return 0, err
	}
	n, err := s.r.Read(p)
	s.pace.got += n
	s.pace.waited += time.Since(begun)
	if s.left -= n; s.left < 0 {
		n, err = 0, errLimit
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}
