package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// overlay is what lies over the screen and takes all keys: the filter bar or
// the help.
type overlay interface {
	// key takes a key; msg, when not nil, is for the program. done closes it.
	key(tea.KeyMsg) (msg tea.Msg, done bool)
	// lines is drawn over the last lines of the screen: at most height lines of
	// width cells.
	lines(width, height int) []string
	keys() []key.Binding
}
