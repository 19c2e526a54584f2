package ui

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// SignalError says which signal ended the program.
type SignalError struct{ Signal syscall.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "ended by signal: " + e.Signal.String() }

// Terminal is what the program is drawn on.
type Terminal struct {
	In    io.Reader
	Out   *Screen
	Mouse bool
}

// framesPerSecond bounds how long a key waits for its frame (25 ms), and what the
// renderer's clock costs while nothing moves.
const framesPerSecond = 40

// Run draws the program until it is quit, a signal comes, the guard's context
// ends or something panics. The terminal is as before when it returns. The error
// is nil after q, a *SignalError after SIGINT, SIGTERM or SIGHUP, a *CrashError
// after a panic in the program or under the guard, and the cause of the context
// when that ended for another reason.
//
// Bubble Tea's own handlers are not used: its panic handler prints into the
// alternate screen, where the text is lost a moment later, and it does not know
// SIGHUP.
func Run(app *App, g *Guard, term Terminal) error {
	ctx, cancel := context.WithCancelCause(g.Context())
	defer cancel(nil)
	signals := listen(cancel)
	defer signals.stop()

	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(term.In), tea.WithOutput(term.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFPS(framesPerSecond),
	}
	if term.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(guarded{app, g}, options...)
	var err error
	done := false
	g.Do(func() { _, err = p.Run(); done = true })
	if !done { // it panicked, so Run could not restore the terminal itself
		_ = p.ReleaseTerminal() // what it could not do cannot be said anywhere
	}
	return outcome(ctx, g, signals, err)
}

// outcome is why the program ended.
func outcome(ctx context.Context, g *Guard, s *signals, err error) error {
	if crash := g.Err(); crash != nil {
		return crash
	}
	if ctx.Err() != nil {
		if sig := s.came(); sig != nil {
			return sig
		}
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("drawing on the terminal: %w", err)
	}
	return nil
}

// signals ends the program in order at the first signal; a second one has its
// usual effect, for when the first could not.
type signals struct {
	ch   chan os.Signal
	seen chan *SignalError // one, when a signal came
	quit chan struct{}
}

func listen(cancel context.CancelCauseFunc) *signals {
	s := &signals{make(chan os.Signal, 1), make(chan *SignalError, 1), make(chan struct{})}
	signal.Notify(s.ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case sig := <-s.ch:
			signal.Stop(s.ch)
			number, _ := sig.(syscall.Signal)
			s.seen <- &SignalError{number}
			cancel(&SignalError{number})
		case <-s.quit:
		}
	}()
	return s
}

func (s *signals) stop() { signal.Stop(s.ch); close(s.quit) }

// signalGrace is how long an ended context may be ahead of the signal that ended
// it: the runtime hands a signal to one listener after the other.
const signalGrace = 100 * time.Millisecond

func (s *signals) came() *SignalError {
	select {
	case sig := <-s.seen:
		return sig
	case <-time.After(signalGrace):
		return nil
	}
}

// guarded is the program's model with every command under the guard: Bubble Tea
// runs each in a goroutine of its own.
type guarded struct {
	app *App
	g   *Guard
}

func (m guarded) Init() tea.Cmd { return m.wrap(m.app.Init()) }
func (m guarded) View() string  { return m.app.View() }

func (m guarded) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := m.app.Update(msg)
	return m, m.wrap(cmd)
}

func (m guarded) wrap(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		m.g.Do(func() { msg = cmd() })
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = m.wrap(c)
			}
		}
		return msg
	}
}
