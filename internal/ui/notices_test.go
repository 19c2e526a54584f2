package ui

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func codes(list []run.Notice) string {
	out := ""
	for _, n := range list {
		out += n.Code
	}
	return out
}

func TestNotices(t *testing.T) {
	var n notices
	if n.line("i") != "" || n.dismiss() {
		t.Error("notices out of nothing")
	}
	n.take([]run.Notice{{Code: "i", Level: run.Info, Text: "info"}, {Code: "w", Level: run.Warning, Text: "warning"},
		{Code: "c", Level: run.Critical, Text: "critical"}, {Code: "v", Level: run.Warning, Text: "another"}})
	if got := codes(n.standing); got != "cwv" {
		t.Errorf("standing %s, want the gravest first and no info", got)
	}
	if got := n.line("i"); got != "critical (+2 more: i)" {
		t.Errorf("line %q", got)
	}
	n.say("answer")
	if got := n.line("i"); got != "answer" {
		t.Errorf("the answer to a key comes first, got %q", got)
	}
	if !n.heard() || n.heard() {
		t.Error("an answer is heard once")
	}
}

func TestDismissedNoticesStayAway(t *testing.T) {
	var n notices
	old := run.Notice{Code: "w", Level: run.Warning, Text: "3 of them"}
	n.take([]run.Notice{old})
	if !n.dismiss() || n.line("i") != "" || n.dismiss() {
		t.Error("a dismissed warning is still there, or dismissed twice")
	}
	more := run.Notice{Code: "w", Level: run.Warning, Text: "4 of them"}
	n.take([]run.Notice{more})
	if n.line("i") != "" {
		t.Error("the same warning with another count came back")
	}
	other := run.Notice{Code: "w", Level: run.Warning, Run: "another", Text: "of another run"}
	n.take([]run.Notice{more, other})
	if diff := cmp.Diff([]run.Notice{other}, n.open()); diff != "" {
		t.Errorf("open (-want +got):\n%s", diff)
	}
	if len(n.standing) != 2 {
		t.Errorf("the header counts %d, want both", len(n.standing))
	}
}

// TestACutWarningSaysWhereItIsWhole: by the key of a screen, within the width.
func TestACutWarningSaysWhereItIsWhole(t *testing.T) {
	p := start(t, uitest.Snapshot(t))
	long := func(code string) run.Notice {
		return run.Notice{Code: code, Level: run.Warning, Text: strings.Repeat("word ", 20)}
	}
	for _, test := range []struct {
		all   []run.Notice
		width int
		want  string
	}{
		{[]run.Notice{{Code: "x", Level: run.Warning, Text: "short"}}, 40, "! short"},
		{[]run.Notice{long("x")}, 40, "! word word word word word word wor… (i)"},
		{[]run.Notice{long("cardinality")}, 40, "! word word word word word word wor… (9)"},
		{[]run.Notice{long("cardinality"), long("x")}, 40, "! word word word word word wo… (9) +1: i"},
		{[]run.Notice{{Code: "x", Level: run.Warning, Text: "short"}, long("y")}, 40, "! short (+1 more: i)"},
	} {
		p.app.notices.take(test.all)
		got := p.app.standing("! ", test.width)
		if got != test.want || draw.Width(got) > test.width {
			t.Errorf("%q of %d cells, want %q", got, draw.Width(got), test.want)
		}
	}
}
