package ui

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

func TestRankTerm(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "  ": "", "7": "rank=7", "0-7": "rank=0..7", "0..7": "rank=0..7", "0,3": "rank in (0,3)", "0, 3,12": "rank in (0,3,12)",
		"0 3": "rank in (0,3)", "0-3,7": "(rank=0..3 or rank=7)", "5-5": "rank=5..5",
	} {
		got, err := rankTerm(text)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
		if _, err := query.Parse(got); err != nil {
			t.Errorf("%q makes a filter that does not parse: %v", text, err)
		}
	}
	for _, text := range []string{"x", "7-3", "1-", "-1", "1...3", "99999999999"} {
		if got, err := rankTerm(text); err == nil || !strings.Contains(err.Error(), "0-7") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestRanksQuickFilter(t *testing.T) {
	p := start(t, training(t))
	ranks := func(text string) { p.press("r", "ctrl+u"); p.typed(text); p.press("enter") }
	p.press("3")
	ranks("0-7")
	p.wants(p.header(), "/rank=0..7")
	p.wants(p.view(), "1-8 of 8")
	ranks("0,3") // another choice replaces it
	p.wants(p.view(), "1-2 of 2")
	p.press("r")
	p.wants(p.view(), "ranks: 0,3_")
	p.press("esc")
	ranks("") // nothing: all
	p.lacks(p.header(), "/rank")
	p.send(screen.FilterMsg{Text: "host=node-0000 or host=node-0001"})
	ranks("0-1,9")
	if got := p.app.filter.String(); got != "(host=node-0000 or host=node-0001) and (rank=0..1 or rank=9)" {
		t.Errorf("filter %q", got)
	}
	p.wants(p.view(), "1-3 of 3")
	ranks("")
	if got := p.app.filter.String(); got != "host=node-0000 or host=node-0001" {
		t.Errorf("without ranks %q, want the rest of the filter", got)
	}
	p.send(screen.FilterMsg{Text: "rank=5"}) // asked for otherwise: it is no choice of ranks
	ranks("4-6")
	if got := p.app.filter.String(); got != "rank=5 and rank=4..6" {
		t.Errorf("filter %q", got)
	}
}

func TestRanksBarKeepsWhatIsWrong(t *testing.T) {
	p := start(t, training(t))
	p.press("r")
	p.typed("7-x")
	p.wants(p.view(), `"7-x" is no rank`)
	p.press("enter")
	p.wants(p.view(), "ranks: 7-x_")
	p.press("esc")
	if p.app.over != nil || !p.app.filter.Empty() {
		t.Error("Esc does not leave")
	}
}
