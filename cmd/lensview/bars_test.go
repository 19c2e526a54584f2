//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// withBars measures the bars that the screens are held to, on a real binary in a
// pseudo terminal. It takes a minute and wants the machine for itself:
//
//	make bars
const withBars = "LENSVIEW_BARS"

// bar is one figure beside its limit, in the unit of both.
type bar struct {
	name        string
	limit, got  float64
	unit, about string
}

func TestBars(t *testing.T) {
	if os.Getenv(withBars) == "" {
		t.Skip("measures for a minute; run it with make bars")
	}
	bin := filepath.Join(t.TempDir(), "lensview")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, measure := range []func(*testing.T, string) []bar{firstFrame, idle, loaded, bigTrace} {
		for _, b := range measure(t, bin) {
			mark := "ok"
			if !(b.got <= b.limit) {
				mark = "OVER"
				t.Errorf("%s: %.1f %s, at most %.0f", b.name, b.got, b.unit, b.limit)
			}
			fmt.Printf("%-48s %9.1f of %4.0f %-5s %-5s %s\n", b.name, b.got, b.limit, b.unit, mark, b.about)
		}
	}
}

// shown starts the binary in a terminal of 160×45.
func shown(t *testing.T, bin string, args ...string) *tty {
	t.Helper()
	p, line, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	_ = pty.Setsize(p, &pty.Winsize{Rows: 45, Cols: 160})
	w := &tty{t: t, pty: p, line: line}
	w.cmd = exec.Command(bin, args...)
	w.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "HOME="+t.TempDir(), "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = line, line, line
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Terminal = uitest.Watch(t, p)
	return w
}

func (w *tty) leave() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
	w.pty.Close()
	w.line.Close()
}

func firstFrame(t *testing.T, bin string) []bar {
	var all []float64
	for range 9 {
		from := time.Now()
		w := shown(t, bin, free...)
		w.Await(0, "Nothing has arrived yet")
		all = append(all, ms(time.Since(from)))
		w.leave()
	}
	return []bar{{"first frame, median of 9 starts", 150, quantile(all, 0.5), "ms", fmt.Sprintf("max %.0f", quantile(all, 1))}}
}

// keys presses keys in turn and measures until the screen shows their text.
func (w *tty) keys(n int, pairs ...string) []float64 {
	var all []float64
	for i := range n {
		k, want := pairs[2*i%len(pairs)], pairs[(2*i+1)%len(pairs)]
		at, from := w.Len(), time.Now()
		w.Press(k)
		w.Await(at, want)
		all = append(all, ms(time.Since(from)))
		time.Sleep(40 * time.Millisecond) // so that keys do not meet one frame
	}
	return all
}

func idle(t *testing.T, bin string) []bar {
	w := shown(t, bin, free...)
	defer w.leave()
	w.Await(0, "Nothing has arrived yet")
	took := w.keys(60, "3", "3 Ranks", "1", "1 Runs", "4", "4 Topology", "i", "i Ingest")
	time.Sleep(time.Second)
	const window = 8
	at, before := w.Len(), cpu(t, w.cmd.Process.Pid)
	time.Sleep(window * time.Second)
	share := 100 * (cpu(t, w.cmd.Process.Pid) - before).Seconds() / window
	return []bar{
		{"key to screen, idle, p95 of 60", 50, quantile(took, 0.95), "ms", fmt.Sprintf("p50 %.1f", quantile(took, 0.5))},
		{"CPU while no run is live", 1, share, "%", ""},
		{"bytes to the terminal while no run is live", 0, float64(w.Len() - at), "B", fmt.Sprintf("in %d s", window)},
	}
}

// loaded measures while 1,024 ranks send 50,000 spans a second.
func loaded(t *testing.T, bin string) []bar {
	w := shown(t, bin, free...)
	defer w.leave()
	at := w.Await(0, "gRPC  ")
	w.Await(at, "\n")
	addr, _, _ := strings.Cut(w.Output()[at:], "\x1b")
	load := exec.Command(bin, "simulate", "--tp", "8", "--pp", "8", "--dp", "16", "--rate", "50000", "--endpoint", "http://"+strings.TrimSpace(addr))
	load.Env = append(os.Environ(), "LENSVIEW_TOKEN=")
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = load.Process.Kill(); _ = load.Wait() }()
	w.Await(at, "1,024/1,024")
	time.Sleep(5 * time.Second)
	took := w.keys(100, "3", "3 Ranks", "1", "1 Runs", "4", "4 Topology", "6", "6 Spans")
	w.Press("3")
	time.Sleep(time.Second)
	const window = 10
	at = w.Len()
	time.Sleep(window * time.Second)
	rate := float64(w.Len()-at) / window
	out := w.Output()
	i := strings.LastIndex(out, " spans/s")
	return []bar{
		{"key to screen, 1,024 ranks sending, p95 of 100", 100, quantile(took, 0.95), "ms", fmt.Sprintf("p50 %.1f, max %.1f", quantile(took, 0.5), quantile(took, 1))},
		{"redraw of Ranks under load", 18, rate / 1000, "KB/s", "header says " + lastWord(out[:max(i, 0)]) + " spans/s"},
	}
}

// bigTrace opens one iteration of 200,000 spans.
func bigTrace(t *testing.T, bin string) []bar {
	path := filepath.Join(t.TempDir(), "big.jsonl")
	writeBigTrace(t, path, 200_000)
	w := shown(t, bin, "open", "--memory", "2GiB", path)
	defer w.leave()
	w.Await(0, "it 1")
	w.Await(0, "FILE")
	for at := 0; ; { // until all is read
		time.Sleep(2 * time.Second)
		if now := w.Len(); now == at {
			break
		} else {
			at = now
		}
	}
	w.Press("3")
	time.Sleep(500 * time.Millisecond)
	at, from := w.Len(), time.Now()
	w.Press("\r")
	w.Await(at, "200,0")
	opened := ms(time.Since(from))
	time.Sleep(time.Second)
	var moves []float64
	for _, k := range slices.Repeat([]string{"j", "\x06", "j", "G", "k", "g", "+", "-"}, 6) {
		at, from := w.Len(), time.Now()
		w.Press(k)
		w.moved(at)
		moves = append(moves, ms(time.Since(from)))
		time.Sleep(60 * time.Millisecond)
	}
	return []bar{
		{"a trace of 200,000 spans opens", 200, opened, "ms", ""},
		{"moves in it, p95 of 48", 50, quantile(moves, 0.95), "ms", fmt.Sprintf("p50 %.1f", quantile(moves, 0.5))},
	}
}

// moved waits until anything was written, for a second at most: a key may change
// nothing.
func (w *tty) moved(at int) {
	limit := time.After(time.Second)
	for w.Len() == at {
		select {
		case <-w.News():
		case <-limit:
			return
		}
	}
}

func writeBigTrace(t *testing.T, path string, n int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	b := bufio.NewWriterSize(f, 1<<20)
	const t0 = 1_760_000_000_000_000_000
	line := func(spans []string) {
		fmt.Fprintf(b, `{"resourceSpans":[{"resource":{"attributes":[{"key":"nemo.run.id","value":{"stringValue":"big"}},{"key":"dl.rank","value":{"intValue":"0"}}]},"scopeSpans":[{"scope":{"name":"b"},"spans":[%s]}]}]}`+"\n", strings.Join(spans, ","))
	}
	span := func(id, parent, from, to int, name, attrs string) string {
		p := ""
		if parent > 0 {
			p = fmt.Sprintf(`"parentSpanId":"%016x",`, parent)
		}
		return fmt.Sprintf(`{"traceId":"0123456789abcdef0123456789abcdef","spanId":"%016x",%s"name":"%s","kind":1,"startTimeUnixNano":"%d","endTimeUnixNano":"%d"%s}`,
			id, p, name, t0+int64(from)*1000, t0+int64(to)*1000, attrs)
	}
	var spans []string
	for i := 2; i <= n; i++ {
		parent := 1
		if i%50 != 2 {
			parent = i - (i-2)%50
		}
		spans = append(spans, span(i, parent, i*10, i*10+8, fmt.Sprintf("nv.mcore.layer.op%d", i%37), ""))
		if len(spans) == 1000 {
			line(spans)
			spans = nil
		}
	}
	line(append(spans, span(1, 0, 0, (n+10)*10, "nv.dl.training.iteration", `,"attributes":[{"key":"megatron.iteration","value":{"intValue":"1"}}]`)))
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func quantile(all []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(all))
	return s[int(q*float64(len(s)-1)+0.5)]
}

func lastWord(s string) string {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == 'm' || r == '\x1b' })
	if len(f) == 0 {
		return "no"
	}
	return f[len(f)-1]
}

// cpu is the user and system time of a process.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	user, err := strconv.Atoi(f[11])
	if err != nil {
		t.Fatal(err)
	}
	system, err := strconv.Atoi(f[12])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * (time.Second / 100) // USER_HZ
}
