package screen

import tea "github.com/charmbracelet/bubbletea"

// What a screen may be besides a Screen. Mouse messages reach Update with
// coordinates relative to the screen's upper left cell. The answers of commands
// a screen returns come back to that screen, on top or not; combine commands
// with tea.Batch only, the answers of tea.Sequence find nobody.

// Copier is a screen with something to copy: what y puts on the clipboard of the
// terminal, and "" when nothing is selected.
type Copier interface{ CopyText() string }

// Backer is a screen that opens things inside itself, such as a detail pane.
// Back closes the innermost and reports whether there was one.
type Backer interface{ Back() bool }

// Command is one thing a screen does on the program's command line with an
// argument, such as "sort step p50". What a key does needs none: every binding of
// FullHelp is on the command line by its words.
type Command struct {
	Name, About string
	Arg         string                   // what follows the name: "COLUMN"
	Values      func() []string          // what it may be, for completion; nil when that is open
	Do          func(arg string) tea.Cmd // in the event loop
}

// Commander is a screen with commands that take an argument.
type Commander interface{ Commands() []Command }

// Exporter is a screen that exports more than what is drawn: all rows and not
// those in the window, figures as they are and not as they are shown.
type Exporter interface{ Export() Export }

// Export is the content of a file. Ext is the ending of its name without the dot,
// such as "csv"; an empty Text stands for nothing to export.
type Export struct{ Ext, Text string }

// Open is the command that asks for another screen.
func Open(name Name, target Target) tea.Cmd {
	return func() tea.Msg { return OpenMsg{Screen: name, Target: target} }
}

// Say is the command that shows one line until the next key.
func Say(text string) tea.Cmd {
	return func() tea.Msg { return NoticeMsg{Text: text} }
}

// Releaser is a screen that keeps something of its last snapshot. Release is
// called when it leaves the top: it keeps what it shows, but no spans (see
// store.Snapshot.WithoutSpans), which would stay in memory for its sake. It is
// given a newer snapshot before it is drawn again.
type Releaser interface{ Release() }
