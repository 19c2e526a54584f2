package ui

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/aymanbagabas/go-osc52/v2"
)

// Screen is the terminal as one writer: the renderer's frames and copies to the
// clipboard go through it one after the other, never one inside the other.
type Screen struct {
	*os.File // for Bubble Tea, which asks whether it is a terminal
	mu       sync.Mutex
	mux      Multiplexer
}

// Multiplexer is what stands between the program and the real terminal.
type Multiplexer uint8

// The multiplexers that hold back clipboard sequences unless these are wrapped.
const (
	NoMultiplexer Multiplexer = iota
	Tmux
	GNUScreen
)

// NewScreen draws on a terminal.
func NewScreen(f *os.File, mux Multiplexer) *Screen { return &Screen{File: f, mux: mux} }

// Write writes one frame or sequence.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.File.Write(p)
}

// WriteString is Write.
func (s *Screen) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// maxCopy is what terminals take: xterm and hterm stop at 100,000 bytes of
// base64.
const maxCopy = 74_000

var errTooMuch = errors.New("too much for a terminal's clipboard")

// Copy puts text on the clipboard of the terminal in front of the person, over
// ssh too (OSC 52). Terminals do not answer, so nil means sent, not taken.
func (s *Screen) Copy(text string) error {
	if len(text) > maxCopy {
		return fmt.Errorf("%w: %d bytes, at most %d", errTooMuch, len(text), maxCopy)
	}
	seq := osc52.New(text)
	var out string
	switch s.mux {
	case Tmux: // the first form where set-clipboard is on, the second where allow-passthrough is
		out = seq.String() + seq.Tmux().String()
	case GNUScreen:
		out = seq.Screen().String()
	default:
		out = seq.String()
	}
	_, err := s.WriteString(out)
	return err
}
