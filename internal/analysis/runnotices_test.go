package analysis

import (
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// What a check found before the store noticed it is said once, in the store's words,
// and nothing that is handed in is changed.
func TestRunNoticesSayNothingTwice(t *testing.T) {
	r := &store.Run{ID: "r", Notices: []run.Notice{{Code: "topology", Text: "the store's"}}}
	checks := []run.Notice{{Code: "topology", Text: "the check's"}, {Code: "world", Text: "another"}}
	var got []string
	for _, n := range RunNotices(&store.Snapshot{Runs: []*store.Run{r}}, r, checks) {
		got = append(got, n.Text)
	}
	if want := []string{"the store's", "another"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(r.Notices) != 1 || len(checks) != 2 {
		t.Error("what was handed in is changed")
	}
}
