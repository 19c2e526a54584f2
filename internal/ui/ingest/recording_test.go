package ingestscreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestRecordingLine(t *testing.T) {
	items := [run.SignalCount]uint64{125_588, 3024, 1}
	for want, r := range map[string]run.Recording{
		"  records 3.30 MiB  125,588 spans  3,024 points  1 log  in /tmp/rec":                                       {},
		"  records 3.30 MiB  125,588 spans  3,024 points  1 log  on the disk before the answer  in /tmp/rec":        {Sync: true},
		"  records 3.30 MiB  125,588 spans  3,024 points  1 log  its oldest 3 files deleted  in /tmp/rec":           {Older: run.Older{Files: 3}},
		"  records 78,022 items not recorded  3.30 MiB  125,588 spans  3,024 points  1 log  in /tmp/rec":            {Lost: run.Lost{Requests: 9, Items: [run.SignalCount]uint64{78_022}}},
		"  records nothing now: disk full  1 item not recorded  3.30 MiB  125,588 spans  3,024 points  1 log  in /": {Failing: "disk full", Dir: "/", Lost: run.Lost{Requests: 1, Items: [run.SignalCount]uint64{1}}},
	} {
		r.Bytes, r.Items = 3_463_422, items
		if r.Dir == "" {
			r.Dir = "/tmp/rec"
		}
		s := busy()
		s.Recording = &r
		m := newScreen(t, s)
		if got := strings.TrimRight(m.recordingLine(&r), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := m.View(); strings.Count(got, "  records ") != 1 {
			t.Errorf("the screen lacks it:\n%s", got)
		}
	}
	if got := newScreen(t, busy()).View(); strings.Contains(got, "  records ") {
		t.Error("without a recording there is no line")
	}
}
