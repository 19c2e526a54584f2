package main

import (
	"errors"
	"log"
	"log/slog"
	"os"
	"testing"
	"time"

	"go.opentelemetry.io/otel"
	"google.golang.org/grpc/grpclog"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// withStray makes lensview, as a test runs it in a process of its own, talk to its
// standard error by every way that libraries have, all the time.
const withStray = "LENSVIEW_TEST_STRAY"

func init() {
	if os.Getenv(withStray) != "" {
		go talk()
	}
}

func talk() {
	for range time.Tick(5 * time.Millisecond) {
		log.Print("stray standard logger")
		slog.Warn("stray slog")
		otel.Handle(errors.New("stray otel"))
		grpclog.Errorf("stray grpc")
	}
}

func TestQuietMakesNoticesAndGivesBack(t *testing.T) {
	var got []run.Notice
	before := log.Writer()
	loud := quiet(func(n run.Notice) { got = append(got, n) })
	log.Print("tls: \x1b[2J bad\nrecord")
	otel.Handle(errors.New("queue full"))
	loud()
	if log.Writer() != before {
		t.Error("the standard logger is not given back")
	}
	if len(got) != 2 || got[0].Text != "a library says: tls: ^[[2J bad record" || got[1].Text != "a library says: queue full" {
		t.Errorf("notices %+v", got)
	}
}

func TestRepeatedNotesAreCountedAndBounded(t *testing.T) {
	n := newNoted(store.Config{Files: true, Receiver: func() run.Receiver { return run.Receiver{} }})
	for range 3 {
		before := n.Version()
		n.once(run.Notice{Code: "library", Text: "again", Count: 1})
		if n.Version() == before {
			t.Error("a repeated note does not move the version")
		}
	}
	for i := range 3 * maxNotes {
		n.once(run.Notice{Code: "library", Text: string(rune('a' + i)), Count: 1})
	}
	s := n.Snapshot()
	if s.Notices[0].Count != 3 || len(s.Notices) != maxNotes || s.Version != n.Version() {
		t.Errorf("%d notices, the first %d times; version %d, want %d", len(s.Notices), s.Notices[0].Count, s.Version, n.Version())
	}
}
