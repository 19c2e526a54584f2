package main

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
)

// A person who opens a file hears of what is missing as of a warning, of what
// was merely tolerated in passing, and of a good file nothing.
func TestToldOfAFile(t *testing.T) {
	for name, tt := range map[string]struct {
		sum  record.Summary
		said bool
		want run.Notice
	}{
		"good":         {record.Summary{Path: "f", Spans: 1}, false, run.Notice{}},
		"tolerated":    {record.Summary{Path: "f", Spans: 1, Messages: []string{"f:1: snake_case"}}, true, run.Notice{Code: "import", Text: "f:1: snake_case"}},
		"bad records":  {record.Summary{Path: "f", Spans: 1, BadRecords: 2, Messages: []string{"f:1: cut", "f:2: cut"}}, true, run.Notice{Code: "import", Level: run.Warning, Count: 2, Text: "f:1: cut (and 1 more: 'lensview report' lists them)"}},
		"left out":     {record.Summary{Path: "f", Spans: 1, Rejected: 3, Messages: []string{"f:1: 3 spans rejected"}}, true, run.Notice{Code: "import", Level: run.Warning, Count: 3, Text: "f:1: 3 spans rejected"}},
		"cut":          {record.Summary{Path: "f", Spans: 1, IncompleteTail: true, Messages: []string{"f:9: incomplete last line"}}, true, run.Notice{Code: "import", Level: run.Warning, Text: "f:9: incomplete last line"}},
		"a gap":        {record.Summary{Path: "f", Spans: 1, Missing: 4, Messages: []string{"f:+9: 4 items were not recorded"}}, true, run.Notice{Code: "import", Level: run.Warning, Count: 4, Text: "f:+9: 4 items were not recorded"}},
		"shortened":    {record.Summary{Path: "f", Spans: 1, Older: 4, Messages: []string{"f: 4 items deleted"}}, true, run.Notice{Code: "import", Text: "f: 4 items deleted"}},
		"less a file":  {record.Summary{Path: "f", Spans: 1, MissingFiles: 1, Messages: []string{"f: g is not there"}}, true, run.Notice{Code: "import", Level: run.Warning, Text: "f: g is not there"}},
		"nothing came": {record.Summary{Path: "f", Format: record.Recording}, false, run.Notice{}},
		"nothing":      {record.Summary{Path: "f"}, true, run.Notice{Code: "import", Level: run.Warning, Text: "f: nothing was read from it"}},
	} {
		if got, said := told(tt.sum); said != tt.said || got != tt.want {
			t.Errorf("%s: %v %+v, want %+v", name, said, got, tt.want)
		}
	}
}
