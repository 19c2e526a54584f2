package ingest

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// grpcPost is one call over plain HTTP/2, for what no gRPC client sends.
func grpcPost(t *testing.T, s *Server, encoding string, message []byte) (status, text string) {
	t.Helper()
	tr := &http.Transport{Protocols: new(http.Protocols)}
	tr.Protocols.SetUnencryptedHTTP2(true)
	defer tr.CloseIdleConnections()
	r, err := http.NewRequestWithContext(within(t), http.MethodPost, "http://"+addr(t, s, "gRPC")+exportTraces, bytes.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/grpc")
	r.Header.Set("TE", "trailers")
	if encoding != "" {
		r.Header.Set("grpc-encoding", encoding)
	}
	resp, err := tr.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	for _, h := range []http.Header{resp.Header, resp.Trailer} {
		if status = h.Get("grpc-status"); status != "" {
			return status, h.Get("grpc-message")
		}
	}
	return "", ""
}

// framed is a gRPC message: whether it is packed, its length, its bytes.
func framed(packed byte, b []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{packed}, uint32(len(b))), b...)
}

// What of gzip is tolerated and what is the sender's fault over gRPC is the same as
// over HTTP, and never the fault of the receiver (13, INTERNAL, which some clients
// repeat for ever).
func TestGRPCFormsOfGzip(t *testing.T) {
	good := marshal(t, traces(span(0)))
	m := new(memory)
	s := start(t, Config{}, m)
	want := 0
	for _, c := range []struct {
		name, encoding string
		message        []byte
		status         string
	}{
		{"plain", "", framed(0, good), "0"},
		{"identity", "identity", framed(0, good), "0"},
		{"gzip", "gzip", framed(1, gz(good)), "0"},
		{"gzip of a message that is not packed", "gzip", framed(0, good), "0"},
		{"two members", "gzip", framed(1, gz(good[:7], good[7:])), "0"},
		{"cut gzip", "gzip", framed(1, gz(good)[:20]), "3"},
		{"false gzip", "gzip", framed(1, good), "3"},
		{"nothing as gzip", "gzip", framed(1, nil), "3"},
		{"rubbish after gzip", "gzip", framed(1, append(gz(good), "rubbish"...)), "3"},
		{"another packing", "deflate", framed(1, good), "12"},
		{"an unknown packing", "zstd", framed(1, good), "12"},
	} {
		status, text := grpcPost(t, s, c.encoding, c.message)
		if status != c.status {
			t.Errorf("%s: status %s %q, want %s", c.name, status, text, c.status)
		}
		if c.status == "0" {
			want++
		}
	}
	if got := m.count(run.Traces); got != want {
		t.Errorf("%d spans stored, want %d", got, want)
	}
	healthy(t, s)
}
