package ui

import (
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

// piped is a Screen that writes into a pipe, and what came out of it.
func piped(t *testing.T, mux Multiplexer, use func(*Screen)) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan string)
	go func() {
		var b strings.Builder
		buf := make([]byte, 1<<16)
		for {
			n, err := r.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				break
			}
		}
		out <- b.String()
	}()
	use(NewScreen(w, mux))
	w.Close()
	defer r.Close()
	return <-out
}

func TestCopyThroughMultiplexers(t *testing.T) {
	plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("text")) + "\a"
	for _, test := range []struct {
		mux  Multiplexer
		want []string
	}{
		{NoMultiplexer, []string{plain}},
		{Tmux, []string{plain, "\x1bPtmux;"}},
		{GNUScreen, []string{"\x1bP"}},
	} {
		got := piped(t, test.mux, func(s *Screen) {
			if err := s.Copy("text"); err != nil {
				t.Error(err)
			}
		})
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("multiplexer %d: %q is missing in %q", test.mux, want, got)
			}
		}
	}
}

func TestCopyOfTooMuch(t *testing.T) {
	got := piped(t, NoMultiplexer, func(s *Screen) {
		if err := s.Copy(strings.Repeat("x", maxCopy+1)); !errors.Is(err, errTooMuch) {
			t.Errorf("error %v", err)
		}
	})
	if got != "" {
		t.Errorf("%d bytes were written", len(got))
	}
}

func TestFramesAndCopiesDoNotMix(t *testing.T) {
	frame := strings.Repeat("f", 3000) + "\n"
	got := piped(t, NoMultiplexer, func(s *Screen) {
		var wg sync.WaitGroup
		for range 20 {
			wg.Add(2)
			go func() { defer wg.Done(); _, _ = s.WriteString(frame) }()
			go func() { defer wg.Done(); _ = s.Copy("text") }()
		}
		wg.Wait()
	})
	rest := strings.ReplaceAll(got, frame, "")
	rest = strings.ReplaceAll(rest, "\x1b]52;c;dGV4dA==\a", "")
	if rest != "" {
		t.Errorf("frames and copies were torn: %q left", rest)
	}
}
