package screen

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestInstanceLeavesRunsTheirNotices(t *testing.T) {
	mine := run.Notice{Code: "shared-span-ids", Run: "a"}
	all := run.Notice{Code: "runs-alike"}
	gone := run.Notice{Code: "old", Run: "forgotten"}
	s := &store.Snapshot{Runs: []*store.Run{{ID: "a", Notices: []run.Notice{mine}}, {ID: "b"}}, Notices: []run.Notice{mine, all, gone}}
	if d := cmp.Diff([]run.Notice{all, gone}, Instance(s)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
