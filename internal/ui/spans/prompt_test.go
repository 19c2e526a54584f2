package spansscreen

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func prompted(t *testing.T) *Model {
	f := newFeed(t)
	two(f)
	f.send(trainer("alpha", 3, uitest.Text("k8s.pod.name", "p-1"), uitest.Text("two words", "x")),
		f.mk("op", 0, ms, uitest.Text("bucket", "b0"), uitest.Int("dl.iteration", 4)))
	return open(t, f.Snapshot(), "")
}

func typed(m *Model, s string) {
	for _, r := range s {
		uitest.Press(m, string(r))
	}
}

func offered(m *Model) []string {
	var out []string
	for _, o := range m.prompt.offers {
		out = append(out, o.text)
	}
	return out
}

func TestPromptOffersGroupingsThenKeys(t *testing.T) {
	m := prompted(t)
	uitest.Press(m, "b")
	got := offered(m)
	for _, want := range []string{"run pp rank", "name rank", "role", "host", "phase", "bucket", "k8s.pod.name", `"two words"`} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not offered: %q", want, got)
		}
	}
	if got[0] != "run pp rank" {
		t.Errorf("the first offer is %q", got[0])
	}
	typed(m, "ran")
	if got := offered(m); got[0] != "rank" || !slices.Contains(got, "local_rank") || slices.Contains(got, "host") {
		t.Errorf("for ran: %q", got)
	}
	typed(m, "k BUC")
	if got := offered(m); !slices.Equal(got, []string{"bucket"}) {
		t.Errorf("for the second word: %q", got)
	}
	if uitest.Press(m, "tab"); m.prompt.input.Value() != "rank bucket " {
		t.Errorf("completed to %q", m.prompt.input.Value())
	}
}

func TestPromptChoosesAndApplies(t *testing.T) {
	m := prompted(t)
	uitest.Press(m, "b", "down", "enter")
	if m.prompt != nil || !slices.Equal(m.seen.by, []string{"run", "pp", "rank"}) {
		t.Errorf("grouped by %q", m.seen.by)
	}
	uitest.Press(m, "b")
	if !strings.Contains(text(m), "now run, pp, rank; nothing means names only") {
		t.Errorf("the prompt does not say what is in force:\n%s", text(m))
	}
	uitest.Press(m, "up", "down", "esc")
	if m.prompt != nil || !slices.Equal(m.seen.by, []string{"run", "pp", "rank"}) {
		t.Errorf("Esc grouped by %q", m.seen.by)
	}
	uitest.Press(m, "b", "enter")
	if len(m.seen.by) != 0 || !m.shown.flat() {
		t.Errorf("nothing means %q, want names only", m.seen.by)
	}
	group(m, "name")
	if len(m.seen.by) != 0 {
		t.Errorf("by name is %q, want names only", m.seen.by)
	}
}

func TestPromptGroupsByAttributes(t *testing.T) {
	m := prompted(t)
	for levels, want := range map[string]string{
		"bucket":        "bucket b0|bucket –",
		"k8s.pod.name":  "k8s.pod.name p-1|k8s.pod.name –",
		`"two words"`:   "two words x|two words –",
		"dl.iteration":  "dl.iteration 4|dl.iteration –",
		"run > bucket,": "run alpha|run beta",
		"phase":         "phase –",
	} {
		group(m, levels)
		uitest.Press(m, "tab", "tab", "tab")
		for m.shown.Len() > 0 && slices.ContainsFunc(m.shown.list, func(r row) bool { return r.depth > 0 }) {
			uitest.Press(m, "tab")
		}
		var got []string
		for _, r := range m.shown.list {
			got = append(got, branchText(r.group.By, r.group.Value, r.group.Known))
		}
		slices.Sort(got)
		if strings.Join(got, "|") != want {
			t.Errorf("by %s: %q, want %q", levels, got, want)
		}
	}
}

func TestPromptSaysWhatIsWrong(t *testing.T) {
	m := prompted(t)
	for levels, want := range map[string]string{
		"rnk": "no span and no process has sent rnk", "rank rank": "rank is there twice", `"open`: "the quote is not closed",
		"run pp tp dp rank": "5 levels: at most 4",
	} {
		group(m, levels)
		if m.prompt == nil || !strings.Contains(text(m), want) {
			t.Errorf("%s: %q is missing in:\n%s", levels, want, text(m))
		}
		m.Back()
	}
	if len(m.seen.by) != 0 {
		t.Errorf("what is wrong was applied: %q", m.seen.by)
	}
}

func TestSplitLevels(t *testing.T) {
	for in, want := range map[string][]string{
		"": nil, " , > ": nil, "run": {"run"}, "run,pp>rank  x": {"run", "pp", "rank", "x"}, `"a b" c`: {"a b", "c"}, `c"d`: {`c"d`}, `"a"b`: {"a", "b"},
	} {
		got, err := splitLevels(in)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
}

func FuzzSplitLevels(f *testing.F) {
	for _, s := range []string{"run pp rank", `"a b",c`, "\x00", `"`, "训练 >"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := splitLevels(text)
		if err != nil {
			return
		}
		var quoted []string
		for _, w := range words {
			if w == "" {
				continue
			}
			q := quoteLevel(w)
			if q == "" {
				return // holds a quote: it cannot be offered
			}
			quoted = append(quoted, q)
		}
		again, err := splitLevels(strings.Join(quoted, " "))
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
		if err != nil || !slices.Equal(words, again) {
			t.Errorf("%q reads as %q, written again as %q", text, words, again)
		}
	})
}
