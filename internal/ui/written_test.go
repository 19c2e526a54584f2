package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// everyKeyMoved gives every action of the program and of every screen a letter that
// is no key without a configuration.
func everyKeyMoved(t testing.TB) Keys {
	p := whole(t)
	letter := 'α' - 1
	next := func() []string {
		if letter++; letter == 'ς' { // the same as σ in capitals
			letter++
		}
		return []string{string(letter)}
	}
	own := Keys{"": {}}
	for _, n := range p.app.keys.named() {
		own[""][n.name] = next()
	}
	after := letter
	for _, e := range p.app.opts.Screens {
		letter = max(after, 'Ѐ') // of every screen the same letters
		own[e.Name] = map[string][]string{}
		for _, b := range slices.Concat(e.Screen.FullHelp()...) {
			if len(b.Keys()) > 0 && b.Enabled() {
				own[e.Name][slug(b.Help().Desc)] = next()
			}
		}
	}
	return own
}

// hints are how texts name a key: one before a verb, one behind a colon at the end
// of a remark, one in parentheses, and those of the footer.
var hints = regexp.MustCompile(`(?m)(?:^|[ (:])([!-~]|Esc|Tab|Enter) (?:clears|copies|goes|shows|marks|zooms|unfolds|lists|hides|help|for (?:windows|compute|all|each|another)|on (?:one|Runs))\b` +
	`|: ([a-zA-Z}\]{[]|Tab|Esc)(?:$|  |\))|\(([a-zA-Z0-9/])\)`)

// Where all keys are others no text names one that does nothing.
func TestTextsNameTheKeysThatTheUserHas(t *testing.T) {
	own := everyKeyMoved(t)
	empty := &store.Snapshot{Receiver: run.Receiver{Listeners: []run.Listener{{Protocol: "gRPC", Addr: "127.0.0.1:4317"}}}}
	named := 0
	for _, test := range []struct {
		name, filter string
		snap         *store.Snapshot
	}{{"a run", "", training(t)}, {"filtered away", "rank=99999", training(t)}, {"nothing", "", empty}, {"no file", "", &store.Snapshot{}}} {
		with := start(t, test.snap, func(o *Options) {
			o.Theme = uitest.Coloured()
			o.Screens, o.Keys, o.Filter = everyScreen(o.Theme), own, test.filter
		})
		without := start(t, test.snap, func(o *Options) { o.Screens, o.Filter = everyScreen(o.Theme), test.filter })
		for _, e := range with.app.opts.Screens {
			for _, p := range []*program{with, without} {
				p.send(tea.WindowSizeMsg{Width: 170, Height: 50})
				p.press(p.app.keys.screenFor(e.Name))
			}
			named += len(hints.FindAllString(ansi.Strip(without.view()), -1))
			for _, found := range hints.FindAllString(ansi.Strip(with.view()), -1) {
				t.Errorf("%s, %s: %q is no key here", test.name, e.Name, found)
			}
		}
	}
	if named < 30 {
		t.Errorf("only %d hints were found with the keys as they are: this test looks at nothing", named)
	}
}

// The footer shows the keys that were chosen, of a pair both.
func TestFooterHasTheUsersKeys(t *testing.T) {
	p := start(t, training(t), func(o *Options) {
		o.Screens = everyScreen(o.Theme)
		o.Keys = Keys{
			"":             {"help": {"f1"}, "back": {"ctrl+g"}},
			screen.Ranks:   {"sort-by": {"o"}, "resource-of-the-process": {"O"}},
			screen.Compare: {"windows-part-an-iteration-earlier": {","}},
		}
	})
	p.press("3")
	for _, want := range []string{"o sort", "O resource", "f1 help"} {
		p.wants(p.footer(), want)
	}
	p.press("D")
	p.wants(p.footer(), ", ] move the border")
}

// No text of a screen spells a key out: the user may have chosen another one. The
// descriptions of keys in the help are no such texts, and neither is what only an
// overlay understands, whose keys are fixed.
func TestNoTextSpellsAKeyOut(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "uitest") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "bind" {
					return false
				}
			}
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				said, _ := strconv.Unquote(text.Value)
				if found := hints.FindString(said); found != "" && strings.Contains(said, " ") {
					t.Errorf("%s: %q spells %q out: ask screen.Keys", path, said, found)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
