package metricsscreen

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestCopiesAndExports(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	m.list.table.Select("dl.loss")
	if got := m.CopyText(); !strings.HasPrefix(got, "dl.loss  kind gauge") || !strings.Contains(got, "series 8") {
		t.Errorf("%q", got)
	}
	list := m.Export()
	if lines := strings.Split(list.Text, "\n"); list.Ext != "csv" || len(lines) != m.list.rows.Len()+2 || !strings.Contains(list.Text, "\ndl.loss,gauge,,") {
		t.Errorf("%s", list.Text)
	}
	c := chartOf(t, m, "dl.loss")
	uitest.Press(m, "j")
	if got := m.CopyText(); !strings.HasPrefix(got, "dl.loss  value  rank 1  at ") || !strings.Contains(got, "at cursor ") {
		t.Errorf("%q", got)
	}
	all, ok := m.Update(uitest.Key("Y"))().(screen.CopyMsg)
	if n := strings.Count(all.Text, "\n"); !ok || n != 1+len(c.linesOf(c.groups[1])[0].Points) || !strings.HasPrefix(all.Text, "time\tdl.loss\n2026-01-01T") {
		t.Errorf("%.200q", all.Text)
	}
	if e := m.Export(); !strings.HasPrefix(e.Text, "run,series,line,time_unix_nano,value,marks\nllama-70b,rank 0,,") {
		t.Errorf("%.200q", e.Text)
	}
	m.Back()
	chartOf(t, m, "megatron.training.step_duration_ms")
	if e := m.Export(); !strings.HasPrefix(e.Text, "run,series,above,to,count\nllama-70b,rank 0,") {
		t.Errorf("%.200q", e.Text)
	}
	if msg, ok := m.Update(uitest.Key("Y"))().(screen.NoticeMsg); !ok || !strings.Contains(msg.Text, "no line") {
		t.Errorf("%v", msg)
	}
	empty := open(t, ofRanks(t, 0), "")
	if !strings.Contains(empty.CopyText(), `eval "$(lensview env)"`) || empty.Export().Text != "" {
		t.Errorf("%q", empty.CopyText())
	}
}

func TestCommands(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	do := func(name, arg string) []tea.Msg {
		for _, c := range m.Commands() {
			if c.Name == name {
				if len(c.Values()) == 0 {
					t.Errorf("%s offers nothing", name)
				}
				return uitest.Settle(m, c.Do(arg))
			}
		}
		t.Fatalf("there is no command %s", name)
		return nil
	}
	do("metric", "grad_norm")
	if m.chart == nil || m.chart.name != "dl.grad_norm" {
		t.Fatalf("\n%s", text(m))
	}
	do("group", "host")
	if m.chart.answer.By != "host" {
		t.Errorf("by %s", m.chart.answer.By)
	}
	for arg, want := range map[string]string{"nosuch": "there is no metric nosuch", "dl.": "several metrics hold dl.: dl.loss"} {
		if msgs := do("metric", arg); len(msgs) != 1 || !strings.HasPrefix(msgs[0].(screen.NoticeMsg).Text, want) {
			t.Errorf("%s: %v", arg, msgs)
		}
	}
}

func TestMouse(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	m.SetSize(120, 38)
	uitest.Settle(m, m.Update(uitest.Click(10, 5)))
	at := m.list.table.Key()
	uitest.Settle(m, m.Update(uitest.Click(10, 5)))
	if m.chart == nil || m.chart.name != at {
		t.Fatal("a second click opens no chart")
	}
	m.Back()
	c := chartOf(t, m, "dl.loss")
	uitest.Settle(m, m.Update(uitest.Click(60, 10)))
	if math.IsNaN(c.time.cursor) {
		t.Error("a click on the curves reads no values")
	}
	p := c.plot()
	if cell, _ := p.Column(p.Cursor); cell != 60-labelCells {
		t.Errorf("the cursor is in cell %d", cell)
	}
	wheel := func(b tea.MouseButton, y int) {
		uitest.Settle(m, m.Update(tea.MouseMsg{X: 60, Y: y, Action: tea.MouseActionPress, Button: b}))
	}
	wheel(tea.MouseButtonWheelUp, 10)
	if c.time.long == 0 {
		t.Error("the wheel over the curves does not zoom")
	}
	wheel(tea.MouseButtonWheelDown, 10)
	table := 38 - 1 - c.parts.table
	uitest.Settle(m, m.Update(uitest.Click(10, table+3)))
	if at, _ := c.table.Cursor(); at != 2 {
		t.Errorf("a click on the third line goes to %d", at)
	}
	for x := range 120 {
		if c.table.Hit(x, 0).Column == "max" {
			uitest.Settle(m, m.Update(uitest.Click(x, table)))
			break
		}
	}
	if c.table.Sort().Column != "max" {
		t.Error("a click on a heading does not sort")
	}
}

// TestKeysAreInHelp: every key that does something is listed, and none twice.
func TestKeysAreInHelp(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	check := func(what string) {
		t.Helper()
		listed := map[string]int{}
		for _, group := range m.FullHelp() {
			for _, b := range group {
				for _, k := range b.Keys() {
					listed[k]++
				}
				if b.Help().Desc == "" {
					t.Errorf("%v has no help", b.Keys())
				}
			}
		}
		for k, n := range listed {
			if n > 1 {
				t.Errorf("%s: %q is listed %d times", what, k, n)
			}
		}
		for _, a := range m.actions() {
			for _, k := range a.on.Keys() {
				if listed[k] != 1 {
					t.Errorf("%s: %q is not listed", what, k)
				}
			}
		}
		if n := len(m.ShortHelp()); n < 3 || n > 5 {
			t.Errorf("%s: %d keys in the footer", what, n)
		}
	}
	check("list")
	chartOf(t, m, "dl.loss")
	check("chart")
	m.Back()
	chartOf(t, m, "megatron.training.step_duration_ms")
	check("distribution")
	uitest.Press(m, "f")
	if !key.Matches(uitest.Key("esc"), m.ShortHelp()[1]) {
		t.Error("the footer does not say how to cancel")
	}
}
