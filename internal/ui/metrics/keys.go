package metricsscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

type keyMap struct {
	open, sort, turn, find, next, prev          key.Binding
	view, group, ungroup, sum, runs, window     key.Binding
	left, right, farLeft, farRight, newest      key.Binding
	zoomIn, zoomOut, whole, earlier, later, all key.Binding
	alone                                       key.Binding
	table                                       draw.TableKeys
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	k := keyMap{table: draw.DefaultTableKeys()}
	k.open = bind("Enter", "chart", "enter")
	k.sort = bind("s", "sort by: choose a column", "s")
	k.turn = bind("S", "turn the order", "S")
	k.find = bind("f", "find a name", "f")
	k.next = bind("n", "next found", "n")
	k.prev = bind("N", "previous found", "N")
	k.all = bind("Y", "copy all points of the line in focus", "Y")
	k.chart()
	return k
}

func (k *keyMap) chart() {
	k.alone = bind("Enter", "this line alone, and back", "enter")
	k.view = bind("v", "rate, increment, total; distribution, mean", "v")
	k.group = bind("b", "group by the next: rank, host, stage, attribute", "b")
	k.ungroup = bind("B", "group by the one before", "B")
	k.sum = bind("a", "add up over series, where that means something", "a")
	k.runs = bind("c", "compare: marked runs, runs of this service, this run", "c")
	k.window = bind("w", "of histograms: the last interval, or all", "w")
	k.left = bind("←/h", "cursor earlier", "left", "h")
	k.right = bind("→/l", "cursor later", "right", "l")
	k.farLeft = bind("<", "cursor ten earlier", "<", ",")
	k.farRight = bind(">", "cursor ten later", ">", ".")
	k.newest = bind("$", "cursor at the newest", "$")
	k.zoomIn = bind("+", "shorter time", "+", "=")
	k.zoomOut = bind("-", "longer time", "-", "_")
	k.whole = bind("z", "the whole time", "z")
	k.earlier = bind("[", "metric before", "[")
	k.later = bind("]", "metric after", "]")
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	k := &m.keys
	switch {
	case m.finder.typing:
		return []key.Binding{bind("Enter", "keep", "enter"), bind("Esc", "cancel", "esc"), bind("↓/↑", "next", "down", "up")}
	case m.table().Choosing():
		return []key.Binding{bind("Enter", "sort", "enter"), bind("Esc", "cancel", "esc"), bind("↑/↓", "choose", "up", "down")}
	case m.chart != nil && m.chart.isDistribution():
		return []key.Binding{bind("b", "group by", "b"), bind("v", "view", "v"), bind("w", "last interval", "w"), bind("[ ]", "metric", "[", "]"), bind("Esc", "list", "esc")}
	case m.chart != nil:
		return []key.Binding{bind("b", "group by", "b"), bind("v", "view", "v"), bind("←→", "read", "left", "right"), bind("+ -", "zoom", "+", "-"), bind("c", "compare", "c")}
	}
	return []key.Binding{k.open, bind("s", "sort", "s"), bind("f", "find", "f"), bind("S", "turn", "S")}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	if m.chart == nil {
		return [][]key.Binding{{k.open, k.sort, k.turn, k.find, k.next, k.prev}, k.table.Bindings()}
	}
	return [][]key.Binding{
		{k.view, k.group, k.ungroup, k.sum, k.runs, k.window, k.alone},
		{k.left, k.right, k.farLeft, k.farRight, k.newest, k.zoomIn, k.zoomOut, k.whole},
		{k.earlier, k.later, k.sort, k.turn, k.find, k.next, k.prev, k.all},
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
	out := []action{
		{k.sort, quiet(func() { m.table().ChooseSort() })}, {k.turn, quiet(m.turn)},
		{k.find, quiet(m.startFind)}, {k.next, quiet(func() { m.nextFound(false) })}, {k.prev, quiet(func() { m.nextFound(true) })},
	}
	if m.chart == nil {
		return append(out, action{k.open, m.open})
	}
	return append(out, m.chartActions()...)
}

func (m *Model) chartActions() []action {
	k, c := &m.keys, m.chart
	again := func(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return c.ask(m.data) } }
	redraw := func(f func()) func() tea.Cmd { return func() tea.Cmd { f(); c.arrange(); return nil } }
	return []action{
		{k.view, again(c.nextView)}, {k.group, again(func() { c.nextGrouping(1) })}, {k.ungroup, again(func() { c.nextGrouping(-1) })},
		{k.sum, m.toggleSum}, {k.runs, m.nextRuns},
		{k.window, redraw(func() { c.window, c.spread = !c.window, map[string]*analysis.Distribution{} })},
		{k.alone, redraw(func() { c.alone = !c.alone })},
		{k.left, quiet(func() { c.moveCursor(-1) })}, {k.right, quiet(func() { c.moveCursor(1) })},
		{k.farLeft, quiet(func() { c.moveCursor(-10) })}, {k.farRight, quiet(func() { c.moveCursor(10) })},
		{k.newest, redraw(func() { c.time.cursor = newTimeWindow().cursor })},
		{k.zoomIn, quiet(func() { c.zoom(0.5) })}, {k.zoomOut, quiet(func() { c.zoom(2) })}, {k.whole, quiet(func() { c.time.long = 0 })},
		{k.earlier, func() tea.Cmd { return m.neighbour(-1) }}, {k.later, func() tea.Cmd { return m.neighbour(1) }},
		{k.all, m.copyAll},
	}
}

// turn turns the order; the first time it asks for a column.
func (m *Model) turn() {
	if column := m.table().Sort().Column; column != "" {
		m.table().SortBy(column)
		m.arrange()
		return
	}
	m.table().ChooseSort()
}

// toggleSum adds series up, or says why that would mean nothing.
func (m *Model) toggleSum() tea.Cmd {
	c := m.chart
	if c.answer.NoSum != "" {
		m.note = "not added up: " + c.answer.NoSum
		return nil
	}
	c.sum, c.lines = !c.sum, map[string][]analysis.MetricLine{}
	return c.ask(m.data)
}

func (m *Model) nextRuns() tea.Cmd {
	was := m.chart.runs
	m.chart.nextRuns(m.data)
	if was == thisRun && m.chart.runs == thisRun {
		m.note = "nothing to compare with: mark runs in Runs, or send another run of this service"
		return nil
	}
	return m.chart.ask(m.data)
}

func (m *Model) neighbour(by int) tea.Cmd {
	name, ok := m.list.neighbour(m.chart.name, by)
	if !ok {
		m.note = "there is no other metric in that direction"
		return nil
	}
	m.list.table.Select(name)
	return m.openMetric(name)
}

// mouse: in the list a click opens and a heading sorts; in the chart a click reads
// the values at a time, and the wheel over the curves zooms.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || m.Capturing() {
		return nil
	}
	m.note = ""
	if m.chart != nil {
		m.chart.mouse(msg)
		return nil
	}
	msg.Y--
	switch m.list.table.HandleMouse(msg) {
	case draw.MouseSorted:
		m.arrange()
	case draw.MouseOpened:
		return m.open()
	}
	return nil
}

func (c *chart) mouse(msg tea.MouseMsg) {
	top := c.parts.titles
	below := top + c.parts.plot + 1
	if c.parts.strip {
		below++
	}
	if msg.Y >= top && msg.Y < below && !c.isDistribution() {
		c.plotMouse(msg)
		return
	}
	if c.parts.legend {
		below++
	}
	msg.Y -= below
	if msg.Y >= 0 && c.table.HandleMouse(msg) == draw.MouseSorted {
		c.arrange()
	}
}

func (c *chart) plotMouse(msg tea.MouseMsg) {
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		c.zoom(0.5)
	case tea.MouseButtonWheelDown:
		c.zoom(2)
	case tea.MouseButtonLeft:
		if p := c.plot(); msg.X >= labelCells {
			from, _ := c.span()
			c.setCursor(from + p.At(msg.X-labelCells))
		}
	}
}

var _ screen.Screen = (*Model)(nil)
