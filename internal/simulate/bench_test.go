package simulate

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/metadata"

	"github.com/beamline-hpc/lensview/internal/run"
)

// asDiscard turns the test binary into a server that throws everything away, so
// that a benchmark's CPU time is the sender's alone.
var asDiscard = flag.Bool("simulate.discard", false, "serve raw gRPC until standard input closes")

func TestDiscardServer(t *testing.T) {
	if !*asDiscard {
		t.Skip("only run as the server of BenchmarkSend")
	}
	l := listen(t)
	serveGRPC(t, l, nil, func(int, metadata.MD) ([]byte, error) { return nil, nil })
	fmt.Println("listening", l.Addr())
	io.Copy(io.Discard, os.Stdin)
}

// discard starts the server process and is its address.
func discard(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiscardServer$", "-simulate.discard")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if addr, ok := strings.CutPrefix(lines.Text(), "listening "); ok {
			go io.Copy(io.Discard, out)
			return addr
		}
	}
	b.Fatal("the discard server did not start")
	return ""
}

// cpu is the processor time of this process so far.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// limited ends a source after a number of spans.
type limited struct {
	Source
	left int
}

func (l *limited) Next() (Request, bool) {
	if l.left <= 0 {
		return Request{}, false
	}
	r, ok := l.Source.Next()
	if r.Signal == run.Traces {
		l.left -= r.Items
	}
	return r, ok
}

// BenchmarkSend sends a run of 1,024 ranks to a server process that throws it
// away: at 50,000 spans a second, and as fast as it is taken. One iteration is
// one span.
func BenchmarkSend(b *testing.B) {
	for name, rate := range map[string]Rate{"50k": {PerSecond: 50_000}, "full": {}} {
		b.Run(name, func(b *testing.B) {
			s := stream(b, Config{TP: 8, PP: 4, DP: 32})
			addr := discard(b)
			b.ResetTimer()
			before := cpu(b)
			res, err := Send(b.Context(), &limited{s, b.N}, Target{Endpoint: addr}, rate, WallClock{})
			if err != nil {
				b.Fatal(err)
			}
			n := float64(res.Signals[run.Traces].Accepted)
			b.ReportMetric((cpu(b)-before).Seconds()/n*1e6, "cpu-s/Mspan")
			b.ReportMetric(n/res.Elapsed.Seconds(), "spans/s")
			b.ReportMetric(res.Late.Seconds()*1e3, "ms-late")
		})
	}
}

// BenchmarkStream encodes runs without sending them. One iteration is one span.
func BenchmarkStream(b *testing.B) {
	for _, c := range []Config{
		{TP: 8, PP: 4, DP: 32}, {TP: 8, PP: 16, DP: 128}, {DP: 16384}, {TP: 8, PP: 4, DP: 32, Detail: ForwardBackward}, Demo(1),
	} {
		c.Faults = nil
		b.Run(fmt.Sprintf("ranks=%d/tp=%d/%s", c.Ranks(), max(c.TP, 1), c.Detail), func(b *testing.B) {
			src := &limited{stream(b, c), b.N}
			b.ReportAllocs()
			spans, bytes := 0, 0
			for r, ok := src.Next(); ok; r, ok = src.Next() {
				bytes += len(r.Body)
				if r.Signal == run.Traces {
					spans += r.Items
				}
			}
			b.ReportMetric(float64(spans)/b.Elapsed().Seconds(), "spans/s")
			b.ReportMetric(float64(bytes)/float64(spans), "B/span")
		})
	}
}

// BenchmarkIteration is one iteration of whole worlds at full detail, start-up
// and shutdown included.
func BenchmarkIteration(b *testing.B) {
	for _, c := range []Config{{TP: 8, PP: 4, DP: 32}, {TP: 8, PP: 16, DP: 128}} {
		c.Iterations = 1
		b.Run(fmt.Sprintf("ranks=%d", c.Ranks()), func(b *testing.B) {
			var bytes [run.SignalCount]int
			spans := 0
			for range b.N {
				s := stream(b, c)
				for r, ok := s.Next(); ok; r, ok = s.Next() {
					bytes[r.Signal] += len(r.Body)
					if r.Signal == run.Traces {
						spans += r.Items
					}
				}
			}
			n := float64(b.N)
			b.ReportMetric(float64(spans)/n, "spans")
			for s, total := range bytes {
				b.ReportMetric(float64(total)/n/1e6, run.Signal(s).String()+"-MB")
			}
		})
	}
}
