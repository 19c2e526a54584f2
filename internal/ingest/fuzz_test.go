package ingest

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// fuzzDoor is an HTTP door without a socket.
func fuzzDoor(t testing.TB) (*httpDoor, *stats) {
	t.Helper()
	c := Config{MaxRequest: 1 << 16}.withDefaults()
	st := newStats(time.Now)
	d, err := newDoor(c, new(memory), st)
	if err != nil {
		t.Fatal(err)
	}
	return &httpDoor{door: d, hosts: hostSet(nil), ports: ports{"127.0.0.1:4317", "127.0.0.1:4318"}, running: new(sync.RWMutex)}, st
}

// friend is the address of a connection that is let in.
func friend() sender {
	return sender{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, "127.0.0.1", &conn{guard: guard{open: true}}}
}

// FuzzHTTP: whatever comes, the answer is never 500 and errors are a Status in
// the request's type.
func FuzzHTTP(f *testing.F) {
	good := marshal(f, traces(nSpans(3)...))
	f.Add("POST", "/v1/traces", "application/x-protobuf", "", good)
	f.Add("POST", "/v1/traces", "application/x-protobuf", "gzip", gz(good[:9], good[9:]))
	f.Add("POST", "/v1/traces", "Application/JSON; charset=utf-8", "", []byte(oneSpanJSON))
	f.Add("POST", "/v1/metrics/", "application/json", "x-gzip", gz([]byte("{}")))
	f.Add("POST", "/v1/logs", "application/x-protobuf", "identity", marshal(f, logs("a")))
	f.Add("POST", "/v1/metrics", "application/x-protobuf", "", marshal(f, metrics(1)))
	f.Add("PRI", "*", "", "", []byte("SM\r\n\r\n"))
	f.Add("GET", "/", "", "", []byte(nil))
	f.Fuzz(func(t *testing.T, method, path, contentType, encoding string, body []byte) {
		h, st := fuzzDoor(t)
		r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
		r.Method, r.URL.Path, r.RequestURI, r.Host = method, path, path, "localhost"
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Content-Encoding", encoding)
		r = r.WithContext(context.WithValue(r.Context(), senderKey{}, net.Addr(friend())))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := reply{w.Code, w.Header(), w.Body.Bytes()}
		for _, x := range st.read().Refused {
			if x.Code == "panic" {
				t.Fatal(x.Text)
			}
		}
		if isPreface(r) {
			return
		}
		switch {
		case got.status == http.StatusOK:
		case got.status >= 500 || got.status < 400:
			t.Fatalf("answer %d %q", got.status, got.body)
		default:
			if got.rpcStatus(t).Message == "" {
				t.Fatalf("%d without a reason", got.status)
			}
		}
	})
}

// FuzzGRPCMessage: bytes as the codec gives them, packed or not.
func FuzzGRPCMessage(f *testing.F) {
	good := marshal(f, traces(nSpans(3)...))
	f.Add(uint8(0), good)
	f.Add(uint8(0), append([]byte{packed}, gz(good)...))
	f.Add(uint8(1), append([]byte{packed}, gz(marshal(f, metrics(1)))...))
	f.Add(uint8(2), marshal(f, logs("a")))
	f.Fuzz(func(t *testing.T, sig uint8, body []byte) {
		h, _ := fuzzDoor(t)
		copied := bytes.Clone(body)
		b, fault := h.body(message{buf: &copied, gz: len(body) > 0 && body[0] == packed}, h.space.hold())
		if fault == nil {
			_, fault = h.take(t.Context(), request{signal: run.Signal(sig % uint8(run.SignalCount)), body: *b})
		}
		if fault != nil && (fault.http >= 500 || fault.text == "" || fault.retry) {
			t.Fatalf("%+v", fault)
		}
	})
}

// FuzzGoodbye: whatever follows the start of HTTP/2 on the HTTP port, the
// answer ends.
func FuzzGoodbye(f *testing.F) {
	f.Add([]byte("SM\r\n\r\n"))
	f.Add([]byte("SM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x01\x05\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, rest []byte) {
		var out bytes.Buffer
		if err := goodbye(&out, bytes.NewReader(rest), "wrong port"); err == nil && !bytes.Contains(out.Bytes(), []byte("grpc-message")) && out.Len() < 40 {
			t.Errorf("ended well without an answer: %x", out.Bytes())
		}
	})
}
