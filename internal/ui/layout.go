package ui

// The smallest terminal anything is drawn in.
const (
	minWidth  = 40
	minHeight = 12
)

// layout is where things are: one header line, one footer line, a notice line
// above it when there is a notice, and the screen in between.
type layout struct {
	tooSmall bool
	top      int // first line of the screen
	height   int // lines of the screen
	notice   bool
}

func arrange(width, height int, notice bool) layout {
	if width < minWidth || height < minHeight {
		return layout{tooSmall: true}
	}
	l := layout{top: 1, height: height - 2, notice: notice}
	if notice {
		l.height--
	}
	return l
}

func (a *App) layout() layout { return arrange(a.size.width, a.size.height, a.notices.line() != "") }

// resize tells the screen on top its size, which may have changed.
func (a *App) resize() {
	if l := a.layout(); !l.tooSmall {
		a.screen().SetSize(a.size.width, l.height)
	}
}
