package ui

// The smallest terminal anything is drawn in.
const (
	minWidth  = 40
	minHeight = 12
)

// maxNotice is how many lines an answer may take.
const maxNotice = 3

// layout is where things are: one header line, one footer line, a notice above it
// when there is one, and the screen in between.
type layout struct {
	tooSmall bool
	top      int // first line of the screen
	height   int // lines of the screen
	notice   int // lines of the notice, 0 when there is none
}

func arrange(width, height, notice int) layout {
	if width < minWidth || height < minHeight {
		return layout{tooSmall: true}
	}
	notice = min(notice, maxNotice)
	return layout{top: 1, height: height - 2 - notice, notice: notice}
}

func (a *App) layout() layout { return arrange(a.size.width, a.size.height, len(a.noticeLines())) }

// resize tells the screen on top its size, which may have changed.
func (a *App) resize() {
	if l := a.layout(); !l.tooSmall {
		a.screen().SetSize(a.size.width, l.height)
	}
}
