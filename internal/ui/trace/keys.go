package tracescreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	details, pane                                                     key.Binding
	fold, unfold, toggle, all                                         key.Binding
	zoomIn, zoomOut, fit, full, left, right                           key.Binding
	find, next, prev, error, prevError, marked, prevMarked, slow, lag key.Binding
	earlier, later, first, last, longest, nextRank, prevRank          key.Binding
	peers, align, trace, whole                                        key.Binding
	table                                                             draw.TableKeys

	footer []key.Binding // pairs of the above under one help
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	k := keyMap{table: draw.DefaultTableKeys()}
	k.tree()
	k.time()
	k.jumps()
	k.places()
	k.footer = []key.Binding{
		k.details, bind("h l", "fold", "h", "l"), bind("[ ]", "iteration", "[", "]"),
		bind("L", "slowest", "L"), bind("J K", "rank", "J", "K"),
	}
	return k
}

func (k *keyMap) tree() {
	k.details = bind("Enter", "details", "enter")
	k.pane = bind("Tab", "to the details and back, to scroll them", "tab")
	k.fold = bind("Left/h", "fold; again: to the parent", "left", "h")
	k.unfold = bind("Right/l", "unfold; again: to the first inside", "right", "l")
	k.toggle = bind("o", "fold or unfold", "o")
	k.all = bind("O", "fold or unfold everything", "O")
}

func (k *keyMap) time() {
	k.zoomIn = bind("+", "zoom in on the span", "+", "=")
	k.zoomOut = bind("-", "zoom out", "-", "_")
	k.fit = bind("z", "zoom to the span; again: back", "z")
	k.full = bind("Z", "the whole time", "Z")
	k.left = bind("<", "earlier time", "<", ",")
	k.right = bind(">", "later time", ">", ".")
}

func (k *keyMap) jumps() {
	k.find = bind("f", "find a name or span id, folded ones too", "f")
	k.next = bind("n", "next found", "n")
	k.prev = bind("N", "previous found", "N")
	k.error = bind("x", "next error", "x")
	k.prevError = bind("^X", "previous error", "ctrl+x")
	k.marked = bind("m", "next with a mark", "m")
	k.prevMarked = bind("M", "previous with a mark", "M")
	k.slow = bind("w", "next slow: by own time, the longest first", "w", "s")
	k.lag = bind("W", "previous slow", "W", "S")
}

func (k *keyMap) places() {
	k.earlier = bind("[", "iteration before, or what lies between", "[")
	k.later = bind("]", "iteration after; after the last: the unfinished one", "]")
	k.first = bind("{", "first iteration", "{")
	k.last = bind("}", "newest finished iteration", "}")
	k.longest = bind("L", "slowest clean iteration of this rank, of those retained", "L")
	k.nextRank = bind("J", "next rank", "J")
	k.prevRank = bind("K", "previous rank", "K")
	k.peers = bind("v", "ranks beside each other: dp, pp, tp peers, those of the filter", "v")
	k.align = bind("c", "ranks by clock or each from its own start", "c")
	k.trace = bind("t", "whole trace of the span, and back to its iteration", "t")
	k.whole = bind("Y", "copy all that is known of the span", "Y")
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	if m.finder.typing {
		return []key.Binding{bind("Enter", "keep", "enter"), bind("Esc", "cancel", "esc"), bind("↓/↑", "next", "down", "up")}
	}
	return m.keys.footer
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{k.details, k.pane, k.fold, k.unfold, k.toggle, k.all},
		{k.zoomIn, k.zoomOut, k.fit, k.full, k.left, k.right},
		{k.find, k.next, k.prev, k.error, k.prevError, k.marked, k.prevMarked, k.slow, k.lag},
		{k.earlier, k.later, k.first, k.last, k.longest, k.nextRank, k.prevRank, k.peers, k.align, k.trace, k.whole},
		k.table.Bindings(),
	}
}

// action is what a key does.
type action struct {
	on key.Binding
	do func() tea.Cmd
}

// quiet is an action without a command.
func quiet(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }

func (m *Model) actions() []action {
	k := &m.keys
	return []action{
		{k.details, quiet(m.openRow)}, {k.pane, quiet(m.focusDetails)},
		{k.fold, quiet(m.fold)}, {k.unfold, quiet(m.unfold)}, {k.toggle, quiet(m.toggle)}, {k.all, quiet(m.foldAll)},
		{k.zoomIn, quiet(func() { m.zoomBy(0.5) })}, {k.zoomOut, quiet(func() { m.zoomBy(2) })},
		{k.fit, quiet(m.zoomToSpan)}, {k.full, quiet(m.zoomOff)},
		{k.left, quiet(func() { m.pan(-0.25) })}, {k.right, quiet(func() { m.pan(0.25) })},
		{k.find, quiet(m.startFind)}, {k.next, quiet(func() { m.nextFound(1) })}, {k.prev, quiet(func() { m.nextFound(-1) })},
		{k.error, quiet(func() { m.nextError(1) })}, {k.prevError, quiet(func() { m.nextError(-1) })},
		{k.marked, quiet(func() { m.nextMarked(1) })}, {k.prevMarked, quiet(func() { m.nextMarked(-1) })},
		{k.slow, quiet(func() { m.nextSlow(1) })}, {k.lag, quiet(func() { m.nextSlow(-1) })},
		{k.earlier, func() tea.Cmd { return m.step(-1) }}, {k.later, func() tea.Cmd { return m.step(1) }},
		{k.first, func() tea.Cmd { return m.firstStep() }}, {k.last, func() tea.Cmd { return m.lastStep() }},
		{k.longest, func() tea.Cmd { return m.longestStep() }},
		{k.nextRank, func() tea.Cmd { return m.otherRank(1) }}, {k.prevRank, func() tea.Cmd { return m.otherRank(-1) }},
		{k.peers, m.nextPeers}, {k.align, quiet(m.toggleAlign)}, {k.trace, m.toggleTrace}, {k.whole, m.copyAll},
	}
}
