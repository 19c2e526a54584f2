package record

import (
	"bufio"
	"bytes"
	"errors"
	"maps"
	"slices"
)

// labels joins the lines of pretty-printed records that have a label before each
// line, as srun --label, torchrun and container runtimes write it: those of several
// ranks come in between each other. A record begins with a line of a label and a
// brace and ends with one of the same label and the brace that closes it, as
// everything printed with an indentation does. It becomes one line in the place of
// its last, with empty lines in the places of the others, so that lines keep their
// numbers. All else goes by untouched.
type labels struct {
	in   *bufio.Reader
	open map[string][]byte // records that have no end yet, by label: their lines without indentation
	held int               // bytes of all
	most int
	into string // the label of the record whose line goes on in the next read
	mid  bool   // in a long line that goes by
	owed int    // empty lines to give before anything else
	out  []byte
	err  error
}

// Bounds of labels.
const (
	maxLabel  = 64
	mostSpace = 8        // blanks at the end of one
	maxLabels = 1 << 14  // records at once
	maxJoined = 64 << 20 // bytes of all of them
)

func newLabels(in *bufio.Reader) *labels {
	return &labels{in: in, open: map[string][]byte{}, most: maxJoined}
}

// Read gives as many lines as fit and are there. A line that is not all there is
// waited for only when there is nothing else.
func (l *labels) Read(p []byte) (n int, err error) {
	for {
		k := copy(p[n:], l.out)
		n, l.out = n+k, l.out[k:]
		switch {
		case n == len(p) || n > 0 && !l.ready():
			return n, nil
		case l.err != nil && len(l.out) == 0:
			return n, l.err
		case len(l.out) == 0:
			l.next()
		}
	}
}

// ready reports whether there is more without waiting.
func (l *labels) ready() bool {
	if len(l.out) > 0 {
		return true
	}
	there, _ := l.in.Peek(l.in.Buffered()) // it has them
	return l.err == nil && bytes.IndexByte(there, '\n') >= 0
}

// bulk is the lines at hand up to one that begins a labelled record, where there is
// none that goes on: nearly always all of them.
func (l *labels) bulk() []byte {
	if l.mid || len(l.open) > 0 {
		return nil
	}
	there, _ := l.in.Peek(l.in.Buffered()) // it has them
	there = there[:bytes.LastIndexByte(there, '\n')+1]
	for from := 0; from < len(there); {
		to := from + bytes.IndexByte(there[from:], '\n') + 1
		if last := there[max(from, to-2)]; (last == '{' || last == '\r') && opens(there[from:to]) {
			return there[:from]
		}
		from = to
	}
	return there
}

// next makes output of the next line, or of the next part of a long one.
func (l *labels) next() {
	if l.into == "" {
		if l.out = l.bulk(); len(l.out) > 0 {
			_, _ = l.in.Discard(len(l.out)) // it has them
			l.pay()
			return
		}
	}
	line, err := l.in.ReadSlice('\n')
	more := errors.Is(err, bufio.ErrBufferFull)
	switch {
	case len(line) == 0:
	case l.into != "":
		l.out = l.add(l.into, line, more)
	case l.mid:
		l.out, l.mid = line, more
	default:
		l.out = l.line(line, more)
	}
	if err != nil && !more {
		l.err = err
		l.flush()
	}
	l.pay()
}

// pay puts the empty lines that are owed before what is given.
func (l *labels) pay() {
	if len(l.out) > 0 && l.owed > 0 {
		l.out = append(bytes.Repeat([]byte{'\n'}, l.owed), l.out...)
		l.owed = 0
	}
}

// flush gives what has no end at the end of the stream.
func (l *labels) flush() {
	l.out = bytes.Clone(l.out)
	if len(l.out) == 0 && len(l.open) > 0 && l.owed > 0 {
		l.owed-- // the first stands on the last line
	}
	for _, label := range slices.Sorted(maps.Keys(l.open)) {
		if n := len(l.out); n > 0 && l.out[n-1] != '\n' {
			l.out = append(l.out, '\n')
		}
		l.out = append(l.out, l.open[label]...)
	}
	clear(l.open)
}

// line takes the beginning of a line, which is all of it unless there is more.
func (l *labels) line(line []byte, more bool) []byte {
	begins := !more && opens(line)
	label := l.match(line)
	switch rest := line[len(label):]; {
	case label != "" && begins: // the one before was cut
		cut := l.end(label)
		l.begin(line)
		l.owed-- // its line is that of the other
		return cut
	case label != "" && string(bytes.TrimRight(rest, "\r\n")) == "}":
		l.open[label] = append(l.open[label], '}')
		l.held++
		return l.end(label)
	case label != "":
		return l.add(label, bytes.TrimLeft(rest, " \t"), more)
	case begins && len(l.open) < maxLabels:
		l.begin(line)
		return nil
	}
	l.mid = more
	return line
}

// begin opens the record of a line.
func (l *labels) begin(line []byte) {
	text := bytes.TrimRight(line, "\r\n")
	l.open[string(text[:len(text)-1])] = bytes.Clone(text)
	l.held += len(text)
	l.owed++
}

// end closes a record and gives it as a line.
func (l *labels) end(label string) []byte {
	text := l.open[label]
	l.held -= len(text)
	delete(l.open, label)
	return append(text, '\n')
}

// add appends a line, or a part of it, to a record, and gives that when it is too
// long.
func (l *labels) add(label string, line []byte, more bool) []byte {
	text := line
	if l.into = label; !more {
		l.into = ""
		text = bytes.TrimRight(line, "\r\n")
	}
	l.open[label] = append(l.open[label], text...)
	if l.held += len(text); l.held > l.most {
		l.into, l.mid = "", more
		return l.end(label)
	}
	if !more {
		l.owed++
	}
	return nil
}

// opens reports whether a line holds nothing but a label and an opening brace.
func opens(line []byte) bool {
	if len(line) < 3 || len(line) > maxLabel || line[len(line)-1] != '\n' {
		return false
	}
	text, ok := bytes.CutSuffix(bytes.TrimRight(line, "\r\n"), []byte("{"))
	label := bytes.TrimRight(text, " ")
	return ok && len(label) > 0 && len(text)-len(label) <= mostSpace && endsLabel(label[len(label)-1]) && !bytes.ContainsAny(label, `"{}`)
}

func endsLabel(c byte) bool { return c == ':' || c == '|' || c == ']' || c == '>' }

// match is the label of the open record that a line belongs to, "" for none.
func (l *labels) match(line []byte) string {
	if len(l.open) == 0 || line[0] == '{' {
		return ""
	}
	for i := range min(maxLabel, len(line)) {
		for end := i + 1; endsLabel(line[i]) && end <= min(len(line), i+1+mostSpace); end++ {
			if _, ok := l.open[string(line[:end])]; ok {
				return string(line[:end])
			}
			if end < len(line) && line[end] != ' ' {
				break
			}
		}
	}
	return ""
}
