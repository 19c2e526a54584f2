package ingest

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/grpclog"
)

// grpcLines receives what grpc would write to stderr, where a terminal program
// has its screen. grpc has one logger for the whole process and wants it set
// before anything runs, so this is set in init and never replaced; each server
// shows the lines since its own start.
var grpcLines = new(lines)

func init() { grpclog.SetLoggerV2(grpcLines) }

// lines counts warnings and errors of a library and keeps the last.
type lines struct {
	mu    sync.Mutex
	count uint64
	last  string
}

func (l *lines) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	l.last = strings.TrimSpace(text)
}

func (l *lines) read() (uint64, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count, l.last
}

// Info lines are dropped unformatted.

func (l *lines) Info(...any)          {}
func (l *lines) Infoln(...any)        {}
func (l *lines) Infof(string, ...any) {}
func (l *lines) V(int) bool           { return false }

func (l *lines) Warning(a ...any)            { l.add(fmt.Sprint(a...)) }
func (l *lines) Warningln(a ...any)          { l.add(fmt.Sprintln(a...)) }
func (l *lines) Warningf(f string, a ...any) { l.add(fmt.Sprintf(f, a...)) }
func (l *lines) Error(a ...any)              { l.add(fmt.Sprint(a...)) }
func (l *lines) Errorln(a ...any)            { l.add(fmt.Sprintln(a...)) }
func (l *lines) Errorf(f string, a ...any)   { l.add(fmt.Sprintf(f, a...)) }

// Fatal lines are programming errors after which grpc ends the process: a
// panic at least restores the terminal and says where.

func (l *lines) Fatal(a ...any)            { panic("grpc: " + fmt.Sprint(a...)) }
func (l *lines) Fatalln(a ...any)          { panic("grpc: " + fmt.Sprintln(a...)) }
func (l *lines) Fatalf(f string, a ...any) { panic("grpc: " + fmt.Sprintf(f, a...)) }

// Log is a writer for a library's messages (the standard logger's, the
// OpenTelemetry error handler's): each write becomes a notice with the code
// source+"-log" instead of a line on the terminal.
func (s *Server) Log(source string) io.Writer {
	return noteWriter{s.stats, source + "-log"}
}

type noteWriter struct {
	stats *stats
	code  string
}

func (w noteWriter) Write(p []byte) (int, error) {
	w.stats.note(w.code, run.Info, strings.TrimSpace(string(p)))
	return len(p), nil
}
