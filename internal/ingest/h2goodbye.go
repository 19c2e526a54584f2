package ingest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc/codes"
)

// isPreface recognises the start of HTTP/2 on a plain connection, which
// net/http hands to the handler as a request of its own kind.
func isPreface(r *http.Request) bool { return r.Method == "PRI" && r.RequestURI == "*" }

// answerGRPC tells a gRPC client on the HTTP port where it is.
func (h *httpDoor) answerGRPC(w http.ResponseWriter) {
	c, rest, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the connection is gone, or was never one of HTTP/1
	}
	defer c.Close()
	h.tellGRPC(c, rest.Reader)
}

// tellGRPC says so as the status of the client's first call, so that its log names
// the right port.
func (h *httpDoor) tellGRPC(c net.Conn, rest io.Reader) {
	h.stats.refuse("grpc-on-http-port", fmt.Sprintf("gRPC client on the HTTP port %s (use %s)", portOf(h.ports.http), portOf(h.ports.grpc)))
	connOf(c.RemoteAddr()).lost.Store(true)
	if c.SetDeadline(time.Now().Add(goodbyeTime)) != nil {
		return
	}
	text := fmt.Sprintf("this is lensview's HTTP port, %s; gRPC is on port %s", h.ports.http, portOf(h.ports.grpc))
	if goodbye(c, rest, text) == nil {
		linger(c, rest)
	}
}

// Bounds of goodbye.
const (
	goodbyeTime   = 2 * time.Second
	goodbyeFrames = 64
)

// goodbye speaks HTTP/2 until the first call comes and ends that call and the
// connection. The rest of the preface is still to be read.
func goodbye(c io.Writer, rest io.Reader, text string) error {
	if _, err := io.CopyN(io.Discard, rest, int64(len("SM\r\n\r\n"))); err != nil {
		return err
	}
	f := http2.NewFramer(c, rest)
	if err := f.WriteSettings(); err != nil {
		return err
	}
	for range goodbyeFrames {
		fr, err := f.ReadFrame()
		if err != nil {
			return err
		}
		switch fr := fr.(type) {
		case *http2.SettingsFrame:
			if !fr.IsAck() {
				err = f.WriteSettingsAck()
			}
		case *http2.HeadersFrame:
			return endCall(f, fr.StreamID, text)
		}
		if err != nil {
			return err
		}
	}
	return fmt.Errorf("no call within %d frames", goodbyeFrames)
}

// endCall answers a call with trailers alone and closes the connection to
// further ones.
func endCall(f *http2.Framer, stream uint32, text string) error {
	var block bytes.Buffer
	e := hpack.NewEncoder(&block)
	for _, h := range [][2]string{
		{":status", "200"}, {"content-type", "application/grpc"},
		{"grpc-status", strconv.Itoa(int(codes.Unimplemented))}, {"grpc-message", text},
	} {
		if err := e.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}); err != nil {
			return err
		}
	}
	if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true}); err != nil {
		return err
	}
	return f.WriteGoAway(stream, http2.ErrCodeNo, nil)
}
