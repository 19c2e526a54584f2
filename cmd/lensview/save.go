package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui"
)

// mostSaved is how many files of one name are written beside each other.
const mostSaved = 999

// saveView writes a new file in the current directory, or where the name says,
// readable by its owner only. One that exists is not touched: with exact that is
// an error, else the name gets a number.
func saveView(name string, exact bool, text string) (string, error) {
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		path := name
		if n > 1 {
			path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
		}
		f, err := createNew(path)
		if errors.Is(err, fs.ErrExist) && !exact && n < mostSaved {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(text)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return "", err
		}
		return absolute(path), nil
	}
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// loss is what would be gone if the program ended now; record is the key that
// records.
func (s *session) loss(snap *store.Snapshot, record string) string {
	if !s.sole || s.tee != nil && s.recorded(snap) {
		return ""
	}
	var items uint64
	for _, signal := range []run.Signal{run.Traces, run.Metrics, run.Logs} {
		items += snap.Accounts[signal].Kept + snap.Accounts[signal].Evicted
	}
	if items == 0 {
		return ""
	}
	if s.tee != nil {
		if _, on := s.tee.Status(); on {
			return "Not all that was received here is in the recording: the rest is gone when this ends."
		}
	}
	if s.recording.dir != "" {
		return "Not all that was received here is in the recording, which was stopped: the rest is gone when this ends (" + record + " records what comes from now on)."
	}
	return "What was received here is recorded nowhere: it is gone when this ends (" + record + " records what comes from now on, --record DIR all of it)."
}

// copyNote is what a multiplexer needs to let a copy through, for the message that
// says a copy was sent.
func copyNote(m ui.Multiplexer) string {
	if m == ui.Tmux {
		return " (tmux passes it on with: set -s set-clipboard on)"
	}
	return ""
}
