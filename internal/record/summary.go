package record

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Formats of a source.
const (
	OTLPJSON      = "otlp-json"
	OTLPProto     = "otlp-proto"
	PythonConsole = "python-console"
	Recording     = "recording"
)

// Summary says what was in a source: the entry of "sources" in the report.
type Summary struct {
	Path   string
	Format string // OTLPJSON when nothing was recognised

	Spans, Points, Logs uint64 // as received, rejected ones included
	Metrics             uint64 // Metric messages
	Rejected            uint64 // items refused one by one, for their ids or for a value that does not fit
	Repaired            uint64 // strings with invalid UTF-8
	Records             uint64 // that were read
	BadRecords          uint64 // that could not be read
	OtherLines          uint64 // of text or JSON passed over between the records of a console
	IncompleteTail      bool   // the source ends inside a record
	Missing             uint64 // items that were received and not recorded, as the recording says
	Older               uint64 // items of the recording's oldest files, which were deleted to keep to its size
	MissingFiles        uint64 // other files of the recording that should stand before this one and are not there
	Messages            []string
}

// Items is the number of spans, points and log records.
func (s *Summary) Items() uint64 { return s.Spans + s.Points + s.Logs }

// maxMessages is how many messages of one kind are kept; all are counted.
const maxMessages = 20

// journal gathers the messages of one source.
type journal struct {
	Summary
	bad, others, told list
	notices           map[string]*repeated
	codes             []string // of notices, in order of appearance
}

// list keeps the first messages and counts all.
type list struct {
	texts []string
	count uint64
	tell  func(text string) // is told of each text that is kept; nil for nobody
}

// repeated is a notice with the place where it came first.
type repeated struct {
	text  string
	count uint64
}

func (l *list) add(text string) {
	if l.count++; l.count <= maxMessages {
		l.texts = append(l.texts, text)
		if l.tell != nil {
			l.tell(text)
		}
	}
}

// lines is the kept messages and, when there were more, how many.
func (l *list) lines(path, what string) []string {
	if l.count > maxMessages {
		return append(l.texts, fmt.Sprintf("%s: %d more %s", path, l.count-maxMessages, what))
	}
	return l.texts
}

// spot is where in a source something is: a line of text, or an offset.
type spot struct {
	line   int
	offset int64
	binary bool
}

func line(n int) spot { return spot{line: n} }

// at is a message in the form file:line: reason, or file:+offset: reason.
func (j *journal) at(p spot, reason string) string {
	if p.binary {
		return fmt.Sprintf("%s:+%d: %s", j.Path, p.offset, reason)
	}
	return fmt.Sprintf("%s:%d: %s", j.Path, p.line, reason)
}

// notice adds n, which was found in the record there. Refused items are each
// their own story; what is merely tolerated is told once for the file.
func (j *journal) notice(at spot, n run.Notice) {
	if r := j.notices[n.Code]; r != nil {
		r.count += n.Count
		return
	}
	if j.notices == nil {
		j.notices = map[string]*repeated{}
	}
	j.notices[n.Code] = &repeated{j.at(at, n.Text), n.Count}
	j.codes = append(j.codes, n.Code)
}

// summary closes the journal. Text between records is expected on a console;
// elsewhere it is damage, unless the file was only found beside others and holds
// nothing of ours.
func (j *journal) summary(found bool) Summary {
	s := j.Summary
	switch {
	case s.Format == PythonConsole:
		s.OtherLines = j.others.count
	case found && s.Records == 0 && j.bad.count == 0 && j.others.count > 0:
		s.OtherLines = j.others.count
		j.others = list{}
		j.told.add(s.Path + ": passed over: no telemetry in it")
	default:
		j.bad.count += j.others.count
		j.bad.texts = append(j.bad.texts, j.others.texts...)
		j.bad.texts = j.bad.texts[:min(len(j.bad.texts), maxMessages)]
	}
	s.BadRecords = j.bad.count
	s.Messages = append(j.bad.lines(s.Path, "bad records"), j.told.lines(s.Path, "messages")...)
	if s.OtherLines > 0 && s.Format == PythonConsole {
		s.Messages = append(s.Messages, fmt.Sprintf("%s: %d lines of other text passed over", s.Path, s.OtherLines))
	}
	for _, code := range j.codes {
		s.Messages = append(s.Messages, j.notices[code].String())
	}
	if s.Format == "" {
		s.Format = OTLPJSON
	}
	return s
}

// String is the text with the number of cases behind it.
func (r *repeated) String() string {
	if r.count > 1 {
		return fmt.Sprintf("%s (%d times)", r.text, r.count)
	}
	return r.text
}
