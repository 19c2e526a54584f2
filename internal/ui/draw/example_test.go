package draw_test

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Text of a span that tries to clear the screen, cut to ten cells.
func ExampleTruncate() {
	fmt.Println(draw.Truncate(draw.Clean("step\x1b[2J of a run"), 10))
	fmt.Println(draw.Truncate("训练步骤", 7))
	// Output:
	// step^[[2J…
	// 训练步…
}

// Durations with a unit of their own, and in one unit for a whole column.
func ExampleUnitFor() {
	values := []float64{12_300_000, 980_000_000, 1_016_000_000}
	column := draw.UnitFor(1_016_000_000)
	for _, ns := range values {
		fmt.Printf("%-6s %s\n", draw.Duration(ns), draw.PadLeft(column.Format(ns), 7))
	}
	// Output:
	// 12.3ms  0.012s
	// 980ms   0.980s
	// 1.02s   1.016s
}

// A step's time by class; what is missing to the whole is dark.
func ExampleStack() {
	g := theme.New(theme.Options{ASCII: true}).Glyphs
	bar := draw.Stack([]draw.Piece{{Share: 0.6, Fill: g.Compute}, {Share: 0.3, Fill: g.Wait}}, 20)
	fmt.Printf("[%s]\n", bar)
	// Output:
	// [############......  ]
}

func ExampleSparkline() {
	g := theme.New(theme.Options{}).Glyphs
	fmt.Println(draw.Sparkline([]float64{1, 2, 4, 8, 4, 2}, 8, g))
	fmt.Println(draw.SteadySparkline([]float64{1.016, 1.020, 1.017, 1.3}, 8, 0.2, g))
	// Output:
	//   ▁▂▄█▄▂
	//     ▁▁▁█
}

// ranks is the simplest rows there are.
type ranks []string

func (r ranks) Len() int           { return len(r) }
func (r ranks) Key(row int) string { return r[row] }

func (r ranks) Cell(row int, column string) draw.Cell {
	if column == "n" {
		return draw.Cell{Text: fmt.Sprint(len(r[row]))}
	}
	return draw.Cell{Text: r[row]}
}

func ExampleTable() {
	t := draw.NewTable(theme.New(theme.Options{ASCII: true}),
		draw.Column{ID: "host", Title: "host", Min: 6, Max: 12},
		draw.Column{ID: "n", Title: "n", Min: 3, Right: true})
	t.SetSize(20, 4)
	t.SetRows(ranks{"node-0001", "node-2", "gpu-0003-ib"})
	t.HandleKey(tea.KeyMsg{Type: tea.KeyDown})
	for _, line := range strings.Split(t.View(), "\n") {
		fmt.Println("|" + strings.TrimRight(line, " "))
	}
	// Output:
	// |  host           n
	// |  node-0001      9
	// |> node-2         6
	// |  gpu-0003-ib   11
}

func ExampleLine() {
	l := draw.NewLine(24).Text("62 of 64 ranks")
	l.AddIf(theme.Style{}, "  which is too long to fit here")
	fmt.Printf("%q\n", l.Right(theme.Style{}, "1–40").String())
	// Output:
	// "62 of 64 ranks      1–40"
}

func ExampleAge() {
	now := int64(1_760_000_000_000_000_000)
	for _, ago := range []int64{0, 12, 99, 240, 7200} {
		fmt.Print(draw.Age(now, now-ago*1e9), " ")
	}
	fmt.Println(draw.Age(now, 0))
	// Output: now 12s 99s 4m 2h –
}
