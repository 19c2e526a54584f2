package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
)

// --last reads the end of a recording, and says so; what has no receive times is
// refused.
func TestLast(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	w, err := record.Create(record.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		line := tr(res(0), sp(fmt.Sprintf("00000000000000a%d", i), "", "train", 0, 1))
		if err := w.Append(context.Background(), run.Traces, 1, run.Receipt{At: int64(i) * 60e9, Raw: []byte(line), JSON: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	code, out, errs := cli(t, "", "report", "--strict", "--last", "4m", dir)
	if code != exitOK || !strings.Contains(out, ": 5 spans") || !strings.Contains(out, "what came before 1970-01-01T00:05:00Z is passed over") {
		t.Errorf("report: exit %d, %s%s", code, out, errs)
	}
	code, out, errs = cli(t, "", "export", "--last", "150s", dir)
	if code != exitOK || strings.Count(out, "\n") != 3 || !strings.Contains(errs, "passed over") {
		t.Errorf("export: exit %d, %s%s", code, out, errs)
	}
	other := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(other, []byte(tr(res(0), sp("00000000000000a1", "", "train", 0, 1))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", "--last", "1h", other}, {"export", "--last", "1h", "-"}, {"report", "--last", "-1h", dir}} {
		if code, _, errs := cli(t, "", args...); code != exitUsage || !strings.Contains(errs, "--last") {
			t.Errorf("%q: exit %d, %s", args, code, errs)
		}
	}
}
