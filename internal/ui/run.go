package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

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

// Run draws the program until it is quit, a signal comes, the guard's context
// ends or something panics. The terminal is as before when it returns. The error
// is nil after q, a *SignalError after SIGINT, SIGTERM or SIGHUP, a *CrashError
// after a panic in the program or under the guard.
//
// Bubble Tea's own handlers are not used: its panic handler prints into the
// alternate screen, where the text is lost a moment later, and it does not know
// SIGHUP.
func Run(app *App, g *Guard, term Terminal) error {
	ctx, cancel := context.WithCancelCause(g.Context())
	defer cancel(nil)
	stop := onSignal(cancel)
	defer stop()

	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(term.In), tea.WithOutput(term.Out),
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics(),
	}
	if term.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(guarded{app, g}, options...)
	var err error
	done := false
	g.Do(func() { _, err = p.Run(); done = true })
	if !done { // it panicked: Kill restores what Run could not
		p.Kill()
	}
	return outcome(ctx, g, err)
}

// outcome is why the program ended.
func outcome(ctx context.Context, g *Guard, err error) error {
	if crash := g.Err(); crash != nil {
		return crash
	}
	var sig *SignalError
	if errors.As(context.Cause(ctx), &sig) {
		return sig
	}
	if err != nil {
		return fmt.Errorf("drawing on the terminal: %w", err)
	}
	return nil
}

// onSignal ends the program in order at the first signal; a second one has its
// usual effect, for when the first could not.
func onSignal(cancel context.CancelCauseFunc) (stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	quit := make(chan struct{})
	go func() {
		select {
		case s := <-ch:
			signal.Stop(ch)
			number, _ := s.(syscall.Signal)
			cancel(&SignalError{number})
		case <-quit:
		}
	}()
	return func() { signal.Stop(ch); close(quit) }
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
