package ui

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func bar(t testing.TB, text string) *filterBar {
	return newFilterBar(theme.New(theme.Options{ASCII: true}), text, training(t), "llama-70b")
}

func (f *filterBar) press(keys ...string) {
	for _, k := range keys {
		f.key(uitest.Key(k))
	}
}

func TestFilterBarApplies(t *testing.T) {
	f := bar(t, "  rank=3 ")
	msg, done := f.key(uitest.Key("enter"))
	if !done || msg != (screen.FilterMsg{Text: "rank=3"}) {
		t.Errorf("Enter gave %v, done %v", msg, done)
	}
	msg, done = bar(t, "rank=3").key(uitest.Key("esc"))
	if !done || msg != nil {
		t.Errorf("Esc gave %v, done %v", msg, done)
	}
	msg, done = bar(t, "").key(uitest.Key("enter"))
	if !done || msg != (screen.FilterMsg{}) {
		t.Errorf("Enter on nothing gave %v, done %v; want the empty filter", msg, done)
	}
}

func TestFilterBarKeepsWhatIsWrong(t *testing.T) {
	for _, text := range []string{"rank=", "rank=0 and", "(rank=0", "rank ~ 3", "dur>2q", "name=~["} {
		f := bar(t, text)
		if _, err := query.Parse(text); err == nil {
			t.Fatalf("%q parses: it is no example", text)
		}
		if msg, done := f.key(uitest.Key("enter")); done || msg != nil {
			t.Errorf("%q was applied: %v", text, msg)
		}
		if lines := strings.Join(f.lines(80, 20), "\n"); !strings.Contains(lines, "^") || !strings.Contains(lines, "col ") {
			t.Errorf("%q: nothing points at the place:\n%s", text, lines)
		}
	}
}

// pointed is the text of the line above the pointer, from the pointer on.
func pointed(t testing.TB, f *filterBar, width int) string {
	t.Helper()
	lines := f.lines(width, 20)
	for i, l := range lines {
		if at := strings.Index(l, "^"); i > 0 && at >= 0 && strings.TrimLeft(l, " ^") == "" {
			return lines[i-1][at:]
		}
	}
	t.Fatalf("no pointer in %q", lines)
	return ""
}

func TestPointerIsUnderThePlace(t *testing.T) {
	for _, test := range []struct {
		text, want string
		width      int
	}{
		{"rank=0 and and", "and_", 80},
		{"rank=0 and and", "and_", 13}, // the window has scrolled: rank=0 is out of it
		{"tp=1 foo=", "_", 80},
	} {
		if got := pointed(t, bar(t, test.text), test.width); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q in %d cells: the pointer is under %q, want %q", test.text, test.width, got, test.want)
		}
	}
	// A wide character before the place takes two cells.
	f := bar(t, "训练 and and")
	lines := f.lines(80, 20)
	if got := strings.Index(lines[len(lines)-2], "^"); got != len("/ ")+4+len(" and ") {
		t.Errorf("behind two wide characters the pointer is at cell %d", got)
	}
}

func TestFilterBarCompletes(t *testing.T) {
	f := bar(t, "host=")
	if len(f.offers) == 0 || f.offers[0].Text != "node-0000" {
		t.Fatalf("offers for host= %+v", f.offers)
	}
	f.press("tab")
	if got := f.input.Value(); !strings.HasPrefix(got, "host=node-0000") {
		t.Errorf("Tab made %q", got)
	}
	f = bar(t, "host=")
	f.press("down", "down", "enter")
	if got := f.input.Value(); !strings.HasPrefix(got, "host=node-0001") {
		t.Errorf("the second offer made %q", got)
	}
	if f.chosen != -1 {
		t.Error("after completion an offer is still chosen: Enter would not apply")
	}
}

func TestChoosingGoesRound(t *testing.T) {
	f := bar(t, "host=")
	n := len(f.offers)
	for i := range n {
		f.press("down")
		if f.chosen != i {
			t.Fatalf("down %d times chose %d", i+1, f.chosen)
		}
	}
	f.press("down")
	if f.chosen != -1 {
		t.Errorf("behind the last comes none, got %d", f.chosen)
	}
	f.press("up")
	if f.chosen != n-1 {
		t.Errorf("up from none chose %d, want the last", f.chosen)
	}
	f.press("x")
	if f.chosen != -1 {
		t.Error("typing leaves an old choice")
	}
	f = newFilterBar(theme.New(theme.Options{}), "name=nowhere-at-all-", &store.Snapshot{}, "")
	f.offers = nil
	f.press("down", "up", "tab")
	if f.chosen != -1 {
		t.Errorf("without offers %d is chosen", f.chosen)
	}
}

func TestOffersAreFewAndFollowTheChoice(t *testing.T) {
	f := bar(t, "")
	f.offers = nil
	for _, text := range strings.Split("abcdefghijklmnop", "") {
		f.offers = append(f.offers, query.Completion{Text: text, About: "letter"})
	}
	for range 10 {
		f.press("down")
	}
	lines := f.offerLines(60, maxOffers)
	if len(lines) != maxOffers || !strings.HasPrefix(lines[maxOffers-1], "> j") {
		t.Errorf("after ten steps down:\n%s", strings.Join(lines, "\n"))
	}
}

func TestFilterBarFits(t *testing.T) {
	for _, text := range append(uitest.Hostile(), "", "rank=0 and and", strings.Repeat("rank=0 or ", 60)+"rank=1") {
		f := bar(t, "")
		f.input.Set(text)
		f.edited()
		f.press("down")
		for width := 0; width <= 120; width += 5 {
			lines := f.lines(width, 20)
			for _, line := range lines {
				uitest.Inside(t, line, width, 1)
				uitest.Harmless(t, line)
			}
		}
	}
}

// At 80×24 the whole error is read, and the place is pointed at although the
// filter is longer than the line.
func TestErrorsOfLongFiltersAreWholeAndPoint(t *testing.T) {
	long := strings.Repeat("rank=1 or ", 20)
	for _, test := range []struct{ text, at, says string }{
		{"dur>2q and " + long + "rank=2", "2q", "col 5"},        // before the window
		{long + "name ~ x", "~", "col 206"},                     // in it
		{"rank in (0,8 and " + long + "x", "and", "col 14"},     // before it
		{"rank", "", "expected an operator: = != > >= < <= =~"}, // more words than fit
	} {
		f := bar(t, test.text)
		if f.err == nil {
			t.Fatalf("%q parses: it is no example", test.text)
		}
		for _, width := range []int{40, 80} {
			lines := f.lines(width, 22)
			all := strings.Join(lines, "\n")
			n := 0
			for i, l := range lines {
				if strings.TrimLeft(l, " ^") != "" || !strings.Contains(l, "^") {
					continue
				}
				n++
				if got := lines[i-1][strings.Index(l, "^"):]; test.at != "" && !strings.HasPrefix(got, test.at) {
					t.Errorf("%d cells: pointer under %q, want %q:\n%s", width, got, test.at, all)
				}
			}
			if n != 1 {
				t.Errorf("%d cells: %d pointers in\n%s", width, n, all)
			}
			words := strings.Join(strings.Fields(strings.ReplaceAll(all, "\n", " ")), " ")
			for _, word := range strings.Fields(strings.ReplaceAll(f.err.Error(), "  ", " ")) {
				if !strings.Contains(words, word) {
					t.Errorf("%d cells: %q of the error is missing:\n%s", width, word, all)
				}
			}
			if !strings.Contains(words, test.says) {
				t.Errorf("%d cells: %q is missing:\n%s", width, test.says, all)
			}
		}
	}
}

func TestUnknownKeysAreSaid(t *testing.T) {
	for text, want := range map[string]string{
		"rnak=3":               `nothing has sent "rnak"; did you mean "rank"?`,
		"hots=node-0001":       `nothing has sent "hots"; did you mean "host"?`,
		"dl.rnak=3":            `nothing has sent "dl.rnak"; did you mean "dl.rank"?`,
		"completely.other=1":   `nothing has sent "completely.other"`,
		"rank=3 and dl.rank=3": "",
		"nv.dl.rank=3":         "", // another spelling of what was sent
		"megatron.iteration=4": "", // of spans
		"host=node-0001":       "",
	} {
		all := strings.Join(bar(t, text).lines(80, 22), "\n")
		if want == "" && strings.Contains(all, "nothing has sent") || !strings.Contains(all, want) {
			t.Errorf("%q: %q is missing in\n%s", text, want, all)
		}
	}
	p := start(t, training(t))
	p.send(screen.FilterMsg{Text: "rnak=3"})
	p.wants(p.view(), `did you mean "rank"?`)
	p = start(t, uitest.Snapshot(t))
	p.send(screen.FilterMsg{Text: "rnak=3"})
	p.lacks(p.view(), "nothing has sent") // it may come yet
}
