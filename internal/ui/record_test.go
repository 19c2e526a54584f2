package ui

import (
	"errors"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestRecordFromTheScreens(t *testing.T) {
	var dirs []string
	var fails error
	p := start(t, training(t), func(o *Options) {
		o.Record = func(dir string) (string, error) { dirs = append(dirs, dir); return "recording to " + dir, fails }
	})
	p.press("R")
	p.command("record here it is")
	if len(dirs) != 2 || dirs[0] != "" || dirs[1] != "here it is" {
		t.Errorf("asked for %q", dirs)
	}
	p.wants(p.view(), "recording to here it is")
	fails = errors.New("no space left")
	p.press("R")
	p.wants(p.view(), "recording: no space left")
	p = start(t, training(t))
	p.press("R")
	p.wants(p.view(), "nothing is received here")
	p.press(":")
	p.typed("record")
	p.lacks(p.view(), "again: stop")
}

func TestHeaderShowsRecordingAndReading(t *testing.T) {
	for _, test := range []struct {
		name    string
		rec     *run.Recording
		loading *run.Loading
		want    string
	}{
		{"nothing", nil, nil, ""},
		{"recording", &run.Recording{}, nil, "* REC"},
		{"recording fails", &run.Recording{Failing: "no space left"}, nil, "x REC"},
		{"not all was recorded", &run.Recording{Lost: run.Lost{Requests: 1}}, nil, "x REC"},
		{"reading", nil, &run.Loading{Done: 25, Total: 100, Elapsed: 10 * time.Second}, "reading 25% 30.0s left"},
		{"reading, of unknown size", nil, &run.Loading{Done: 25}, "reading"},
		{"all was read", nil, &run.Loading{Done: 25, Total: 25, Finished: true}, ""},
		{"what is appended is read", nil, &run.Loading{Done: 25, Total: 25, Following: true}, ""},
	} {
		s := training(t)
		s.Recording, s.Loading = test.rec, test.loading
		p := start(t, s)
		p.wants(p.header(), test.want)
		if test.want == "" {
			p.lacks(p.header(), "REC")
			p.lacks(p.header(), "reading")
		}
	}
}

func TestReadingIsStopped(t *testing.T) {
	stopped := 0
	p := start(t, training(t), func(o *Options) { o.StopLoading = func() { stopped++ } })
	p.command("stop-loading")
	if stopped != 1 {
		t.Errorf("stopped %d times", stopped)
	}
}
