package spansscreen

import "github.com/beamline-hpc/lensview/internal/ui/draw"

// columns is the table's columns at a width: names get more room before less
// important figures do.
func columns(width int) []draw.Column {
	name := 22
	switch {
	case width >= 120:
		name = 34
	case width >= 80:
		name = 28
	}
	number := func(id, title string, cells, priority int) draw.Column {
		return draw.Column{ID: id, Title: title, Min: cells, Priority: priority, Right: true, Sortable: true, DescBy: true}
	}
	return []draw.Column{
		{ID: "name", Title: "span", Min: name, Max: 72, Last: true, Sortable: true},
		{ID: "class", Title: "class", Min: 8, Priority: 8, Sortable: true},
		{ID: "phase", Title: "phase", Min: 14, Max: 22, Priority: 13},
		{ID: "n", Title: "count", Min: 6, Max: 11, Priority: 1, Right: true, Sortable: true, DescBy: true},
		number("p50", "p50", 8, 2),
		number("p95", "p95 ", 9, 3),
		number("p99", "p99 ", 9, 6),
		number("max", "max", 8, 5),
		number("mean", "mean", 8, 11),
		number("min", "min", 8, 12),
		number("total", "total", 8, 7),
		number("share", "share", 6, 4),
		number("truncated", "trunc", 5, 4),
		number("invalid", "invalid", 7, 9),
		number("errors", "errors", 6, 10),
	}
}
