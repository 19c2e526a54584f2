package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/report"
)

// TestPlacement places the ranks of a run as the command line says: rank 1 of two
// stages and two data-parallel groups is the second group by default, the second
// stage when pipeline ranks come first.
func TestPlacement(t *testing.T) {
	const line = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"x"}},` +
		`{"key":"nemo.run.id","value":{"stringValue":"r"}},{"key":"dl.rank","value":{"intValue":"1"}},{"key":"dl.world_size","value":{"intValue":"4"}},` +
		`{"key":"dl.tensor_parallel.size","value":{"intValue":"1"}},{"key":"dl.pipeline_parallel.size","value":{"intValue":"2"}},{"key":"dl.data_parallel.size","value":{"intValue":"2"}}]},` +
		`"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"train_step",` +
		`"startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000001000000000","attributes":[{"key":"iteration","value":{"intValue":"1"}}]}]}]}]}` + "\n"
	for _, test := range []struct {
		args   []string
		pp, dp int
	}{
		{nil, 0, 1},
		{[]string{"--rank-order", "tp-cp-ep-pp-dp"}, 1, 0},
		{[]string{"--ep", "2"}, 0, 1},
	} {
		code, out, errs := cli(t, line, append([]string{"report", "-", "--processes", "--format", "json"}, test.args...)...)
		var rep report.Report
		if err := json.Unmarshal([]byte(out), &rep); err != nil || code != 0 {
			t.Fatalf("%v: exit %d, %v: %s", test.args, code, err, errs)
		}
		c := rep.Runs[0].Processes[0].Coord
		if c.PP == nil || c.DP == nil || *c.PP != test.pp || *c.DP != test.dp {
			t.Errorf("%v: rank 1 stands at %+v", test.args, c)
		}
	}
}

func TestPlacementRefused(t *testing.T) {
	for _, args := range [][]string{
		{"report", "-", "--rank-order", "tp-xx"},
		{"report", "-", "--cp", "-1"},
		{"diff", "a", "b", "--rank-order", "dp-dp"},
	} {
		if code, _, errs := cli(t, "", args...); code != 2 || !strings.Contains(errs, "--") {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
}
