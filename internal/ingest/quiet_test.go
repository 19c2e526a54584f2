package ingest

import (
	"io"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc/grpclog"
)

// TestNothingIsPrinted provokes what libraries would print and looks at
// standard error and the standard logger.
func TestNothingIsPrinted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = w
	log.SetOutput(w)
	provoke(t)
	os.Stderr = stderr
	log.SetOutput(stderr)
	w.Close()
	if b, _ := io.ReadAll(r); len(b) > 0 {
		t.Errorf("printed %q", b)
	}
}

func provoke(t *testing.T) {
	s := start(t, Config{TLS: selfSigned(t)}, new(memory))
	// gRPC and net/http handshake errors of the server, connection errors of a client.
	coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0)))
	coltrace.NewTraceServiceClient(dialAddr(t, free(t))).Export(within(t), traces(span(0)))
	c := rawConn(t, addr(t, s, "HTTP"))
	c.Write([]byte("\x16\x03rubbish rubbish rubbish"))
	io.Copy(io.Discard, c)
	grpclog.Error("an error of grpc")
	grpclog.Warningf("a %s of grpc", "warning")
	grpclog.Info("not worth a word")
	io.WriteString(s.Log("otel"), "an error of the SDK\n")

	until(func() bool { return refused(s, "tls-handshake").Count > 0 })
	if n := notice(s, "grpc-log"); n.Count < 2 || n.Level != run.Info {
		t.Errorf("notice %+v", n)
	}
	if n := notice(s, "otel-log"); n.Count != 1 || n.Text != "an error of the SDK" || n.At != t0.UnixNano() {
		t.Errorf("notice %+v", n)
	}
	if r := refused(s, "tls-handshake"); !strings.Contains(r.Text, "HTTP port") {
		t.Errorf("refusal %+v", r)
	}
}

func TestGRPCLinesCountSinceStart(t *testing.T) {
	grpclog.Error("before")
	s := start(t, Config{}, new(memory))
	if n := notice(s, "grpc-log"); n.Count != 0 {
		t.Errorf("lines from before the start: %+v", n)
	}
	grpclog.Errorln("after", 1)
	if n := notice(s, "grpc-log"); n.Count != 1 || n.Text != "after 1" {
		t.Errorf("notice %+v", n)
	}
}

func TestFatalLinesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"Fatal":   func() { new(lines).Fatal("a", "b") },
		"Fatalln": func() { new(lines).Fatalln("a", "b") },
		"Fatalf":  func() { new(lines).Fatalf("%d", 1) },
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.HasPrefix(p, "grpc: ") {
					t.Errorf("%s: %v", name, p)
				}
			}()
			f()
		}()
	}
}
