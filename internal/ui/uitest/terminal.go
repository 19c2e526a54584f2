package uitest

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Terminal is the master's side of a pseudo terminal, with all that was ever
// written to it.
type Terminal struct {
	t    testing.TB
	file *os.File
	mu   sync.Mutex
	out  bytes.Buffer
	news chan struct{}
}

// Watch reads a terminal until it is closed.
func Watch(t testing.TB, file *os.File) *Terminal {
	w := &Terminal{t: t, file: file, news: make(chan struct{}, 1)}
	go w.read()
	return w
}

func (w *Terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := w.file.Read(buf)
		w.mu.Lock()
		w.out.Write(buf[:n])
		w.mu.Unlock()
		select {
		case w.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// News receives after something was written.
func (w *Terminal) News() <-chan struct{} { return w.news }

// Output is what was written so far.
func (w *Terminal) Output() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// Len is the length of Output.
func (w *Terminal) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Len()
}

// Await waits until what was written since a place holds text, and returns the
// place behind it.
func (w *Terminal) Await(from int, text string) int {
	w.t.Helper()
	limit := time.After(30 * time.Second)
	for {
		out := w.Output()
		if i := strings.Index(out[from:], text); i >= 0 {
			return from + i + len(text)
		}
		select {
		case <-w.news:
		case <-limit:
			w.t.Fatalf("%q never came; got %q", text, out[from:])
		}
	}
}

// Press types keys.
func (w *Terminal) Press(keys string) {
	w.t.Helper()
	if _, err := w.file.WriteString(keys); err != nil {
		w.t.Fatal(err)
	}
}
