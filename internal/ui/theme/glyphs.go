package theme

// Glyphs are the characters that carry meaning. Each is one cell wide.
type Glyphs struct {
	Cursor    string // before the row in focus
	Ascending string // sort markers
	Desc      string
	Folded    string
	Unfolded  string
	Yes, No   string
	Warn, Bad string
	Missing   string // no value: never 0
	Rule      string // horizontal line
	Divider   string // between fields of a line
	More      string // cut text
	Truncated string // mark of a span cut by shutdown
	Derived   string // mark of a value that was computed or estimated, not sent
	Marked    string // chosen for something that is done with several
	Live      string
	Paused    string
	File      string
	Up, Down  string // more above, more below

	Spark []string // rising levels of a sparkline
	Parts []string // eighths of a bar's last cell, rising; the last is full
	Track string   // the empty part of a bar

	Compute, Wait, IO, Other, Dark string // fills of a breakdown bar
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Cursor: "▌", Ascending: "▲", Desc: "▼", Folded: "▸", Unfolded: "▾",
		Yes: "✓", No: "✗", Warn: "!", Bad: "✗", Missing: "–",
		Rule: "─", Divider: "│", More: "…", Truncated: "✂", Derived: "~",
		Marked: "◆", Live: "●", Paused: "‖", File: "■", Up: "↑", Down: "↓",
		Spark: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Parts: []string{"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}, Track: " ",
		Compute: "█", Wait: "░", IO: "▒", Other: "▓", Dark: " ",
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Cursor: ">", Ascending: "^", Desc: "v", Folded: "+", Unfolded: "-",
		Yes: "y", No: "x", Warn: "!", Bad: "x", Missing: "-",
		Rule: "-", Divider: "|", More: ">", Truncated: "%", Derived: "~",
		Marked: "&", Live: "*", Paused: "=", File: "#", Up: "^", Down: "v",
		Spark: []string{"_", ".", ":", "-", "=", "+", "*", "#"},
		Parts: []string{".", ":", "-", "=", "+", "*", "%", "#"}, Track: " ",
		Compute: "#", Wait: ".", IO: "+", Other: "=", Dark: " ",
	}
}
