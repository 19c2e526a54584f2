package screen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarks(t *testing.T) {
	var none *Marks
	if none.Has("a") || none.Runs() != nil {
		t.Error("no marks mark something")
	}
	one := none.Toggled("a")
	two := one.Toggled("b")
	if d := cmp.Diff([]string{"a"}, one.Runs()); d != "" {
		t.Errorf("marking b changed the marks before (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"a", "b"}, two.Runs()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := two.Toggled("a"); got.Has("a") || !got.Has("b") || !two.Has("a") {
		t.Errorf("unmarked: %v of %v", got.Runs(), two.Runs())
	}
	two.Runs()[0] = "x"
	if !two.Has("a") {
		t.Error("the list that is handed out is the marks' own")
	}
	if got := two.Toggled(""); got.Runs() != nil {
		t.Errorf("all unmarked: %v", got.Runs())
	}
}

func TestSharedMessages(t *testing.T) {
	if got := Mark("r")(); got != (MarkMsg{Run: "r"}) {
		t.Errorf("Mark: %v", got)
	}
	if got := Copy("text")(); got != (CopyMsg{Text: "text"}) {
		t.Errorf("Copy: %v", got)
	}
	if got := OpenNarrowed(Ranks, Target{Run: "r"}, "pp=1")(); got != (OpenMsg{Screen: Ranks, Target: Target{Run: "r"}, Narrow: "pp=1"}) {
		t.Errorf("OpenNarrowed: %v", got)
	}
}
