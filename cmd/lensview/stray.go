package main

import (
	"io"
	"log"
	"strings"

	"github.com/go-logr/logr/funcr"
	"go.opentelemetry.io/otel"

	"github.com/beamline-hpc/lensview/internal/run"
)

// stray is lines that libraries would write to standard error, where the screen
// is: each becomes a notice.
type stray struct{ note func(run.Notice) }

// quiet takes what libraries have to say off the terminal for as long as screens
// are shown, and returns what gives it back.
func quiet(note func(run.Notice)) (loud func()) {
	s := stray{note}
	before, flags := log.Writer(), log.Flags()
	log.SetFlags(0)
	log.SetOutput(s)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { s.line(err.Error()) }))
	otel.SetLogger(funcr.New(func(prefix, args string) { s.line(prefix + " " + args) }, funcr.Options{}))
	return func() {
		log.SetOutput(before)
		log.SetFlags(flags)
	}
}

var _ io.Writer = stray{}

// Write takes one message of the standard logger.
func (s stray) Write(p []byte) (int, error) {
	s.line(string(p))
	return len(p), nil
}

func (s stray) line(text string) {
	s.note(run.Notice{Code: "library", Level: run.Info, Text: "a library says: " + oneLine(strings.TrimSpace(text)), Count: 1})
}
