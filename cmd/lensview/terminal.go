package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/beamline-hpc/lensview/internal/clean"
	"github.com/beamline-hpc/lensview/internal/ui"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// sameSignal is how long after a signal another one is taken for the same.
const sameSignal = time.Second

// signalContext ends with the first signal that asks the process to stop, with
// that signal as its cause. A second one has its usual effect, unless it comes at
// once: timeout(1) and some launchers signal a process and then its group, and mean
// one and the same.
func signalContext(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	came := make(chan os.Signal, 1)
	signal.Notify(came, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case s := <-came:
			number, _ := s.(syscall.Signal)
			cancel(&ui.SignalError{Signal: number})
			time.Sleep(sameSignal)
		case <-ctx.Done():
		}
		signal.Stop(came)
	}()
	return ctx, func() { cancel(nil) }
}

// looks are the flags that say how the screens look.
type looks struct {
	theme   string
	noMouse bool
}

// themeOptions is what the terminal can do, told from the environment: the
// terminal itself is not asked, because some never answer.
func themeOptions(getenv func(string) string, l looks) (theme.Options, error) {
	o := theme.Options{Profile: profile(getenv), Dark: true, ASCII: !utf8Locale(getenv)}
	switch l.theme {
	case "light":
		o.Dark = false
	case "dark":
	case "mono":
		o.Profile = theme.None
	case "auto":
		o.Dark = darkBackground(getenv("COLORFGBG"))
	default:
		return o, usageError{fmt.Errorf("--theme %q: use auto, dark, light or mono", l.theme)}
	}
	return o, nil
}

// profile reads NO_COLOR (no-color.org), TERM and COLORTERM.
func profile(getenv func(string) string) theme.Profile {
	term := getenv("TERM")
	color := strings.ToLower(getenv("COLORTERM"))
	switch {
	case getenv("NO_COLOR") != "":
		return theme.None
	case color == "truecolor", color == "24bit":
		return theme.TrueColor
	case strings.Contains(term, "256color"):
		return theme.ANSI256
	}
	return theme.ANSI16
}

// utf8Locale follows the precedence of POSIX: LC_ALL, LC_CTYPE, LANG.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// darkBackground reads rxvt's COLORFGBG ("15;0"), which many terminals set.
// Without it the background is taken to be dark.
func darkBackground(colorfgbg string) bool {
	_, bg, ok := strings.Cut(colorfgbg, ";")
	if !ok {
		return true
	}
	if i := strings.LastIndex(bg, ";"); i >= 0 {
		bg = bg[i+1:]
	}
	return bg != "7" && bg != "15"
}

func multiplexer(getenv func(string) string) ui.Multiplexer {
	switch {
	case getenv("TMUX") != "":
		return ui.Tmux
	case strings.HasPrefix(getenv("TERM"), "screen"):
		return ui.GNUScreen
	}
	return ui.NoMultiplexer
}

// needTerminal refuses screens where there is no terminal, or none that can be
// drawn on, and says what to use.
func needTerminal(e env) error {
	var why string
	switch term := e.getenv("TERM"); {
	case !e.stdoutTerminal:
		why = "screens need a terminal"
	case term == "":
		why = "screens need to know the terminal, and TERM is not set (xterm-256color suits most)"
	case term == "dumb":
		why = "screens need a terminal that can be drawn on, and TERM is dumb"
	default:
		return nil
	}
	return usageError{errors.New(why + "; without one use 'lensview record' to receive, 'lensview report' or 'export' to read files")}
}

// terminal is the real one. Only commands that show screens come here.
func terminal(e env, l looks) ui.Terminal {
	return ui.Terminal{In: os.Stdin, Out: ui.NewScreen(os.Stdout, multiplexer(e.getenv)), Mouse: !l.noMouse}
}

// oneLine is a text without line breaks and without what could drive a terminal:
// what an error quotes may come from a file or the network.
func oneLine(text string) string {
	return clean.Text(strings.NewReplacer("\n", " ", "\t", " ").Replace(text))
}
