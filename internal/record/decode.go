package record

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// record reads one object, in whatever form it is.
func (im *importer) record(p piece, split *splitter) error {
	requests, bad := im.transcode(&p)
	if r, ok := im.python.read(p.data, im.json.Unknown(), bad); ok {
		im.Format = PythonConsole
		return im.printed(p, r)
	}
	if bad != nil {
		im.unreadable(p, split, bad)
		return nil
	}
	return im.requests(p, requests)
}

// transcode reads the record as OTLP JSON, if need be with its bare NaN and
// Infinity put between quotes.
func (im *importer) transcode(p *piece) (otlp.Requests, *otlp.JSONError) {
	requests, err := im.json.Transcode(p.data)
	if err != nil {
		if mended, ok := quoteNonFinite(p.data); ok {
			requests, err = im.json.Transcode(mended)
			p.data, p.mended = mended, true
		}
	}
	var bad *otlp.JSONError
	if errors.As(err, &bad) {
		return otlp.Requests{}, bad
	}
	return requests, nil
}

// printed hands on a record that the Python SDK has printed.
func (im *importer) printed(p piece, r pyRequest) error {
	if r.problem != "" {
		im.bad.add(im.at(line(p.line), r.problem))
		return nil
	}
	return im.request(p, r.signal, r.wire)
}

// unreadable reports a record that is not JSON or holds what does not fit.
// Braces in other text, as of a printed Python dict, are just text.
func (im *importer) unreadable(p piece, split *splitter, bad *otlp.JSONError) {
	if bad.Syntax && (p.label || !beginsObject(p.data[1:])) {
		im.others.add(im.at(line(p.line), "not JSON"))
		return
	}
	at := p.line + bytes.Count(p.data[:min(int(bad.Offset), len(p.data))], []byte("\n"))
	im.bad.add(im.at(line(at), bad.Error()))
	if bad.Syntax {
		split.retry()
	}
}

// requests hands on what is in a record, by signal. A record without any is an
// empty request, or JSON of another kind.
func (im *importer) requests(p piece, requests otlp.Requests) error {
	unknown, items := im.json.Unknown(), im.Items()
	var signal run.Signal
	there := false
	for s, wire := range requests {
		if wire == nil {
			continue
		}
		signal, there = run.Signal(s), true
		if len(wire) == 0 {
			im.recognised()
			continue
		}
		if err := im.request(p, signal, wire); err != nil {
			return err
		}
	}
	switch {
	case !there && len(unknown) > 0:
		im.others.add(im.at(line(p.line), fmt.Sprintf("not OTLP: no resourceSpans, resourceMetrics or resourceLogs beside %s", quoted(unknown))))
		return nil
	case len(unknown) > 0 && im.Items() == items:
		im.told.add(im.at(line(p.line), otlp.NotUnderstood(signal, unknown).Text))
	}
	im.tolerated(p)
	if !there {
		im.recognised()
	}
	return nil
}

// quoted is names as they can be shown.
func quoted(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(shown, ", ")
}

// tolerated takes over what the JSON reader has to tell of a record.
func (im *importer) tolerated(p piece) {
	if p.mended {
		im.notice(line(p.line), run.Notice{Code: "json-bare-nan", Text: "bare NaN or Infinity read; JSON has no such numbers", Count: 1})
	}
	im.Repaired += uint64(im.json.Repaired())
	im.Rejected += uint64(im.json.Refused())
	for _, n := range im.json.Notices() {
		if n.Code != otlp.ItemRefused {
			im.notice(line(p.line), n)
			continue
		}
		im.told.add(im.at(line(p.line), (&repeated{"left out: " + n.Text, n.Count}).String()))
	}
}

// recognised counts a record that is OTLP.
func (im *importer) recognised() {
	im.Records++
	if im.Format == "" {
		im.Format = OTLPJSON
	}
}

// request decodes one request and hands it to the sink.
func (im *importer) request(p piece, signal run.Signal, wire []byte) error {
	b := &im.batch
	if err := b.Decode(signal, wire); err != nil {
		im.bad.add(im.at(line(p.line), err.Error()))
		return nil
	}
	im.recognised()
	im.count(line(p.line), b)
	return im.sink(b, run.Receipt{At: im.stamp(), Sender: im.Path, Raw: wire})
}

func (im *importer) count(at spot, b *otlp.Batch) {
	items := uint64(b.Items())
	im.meter.items(items)
	switch b.Signal {
	case run.Traces:
		im.Spans += items
	case run.Metrics:
		im.Points += items
		im.Metrics += uint64(len(b.Metrics))
	case run.Logs:
		im.Logs += items
	}
	im.Repaired += uint64(b.Repaired)
	for _, r := range b.Rejected {
		im.Rejected += uint64(r.Count)
		im.told.add(im.at(at, fmt.Sprintf("%d %s rejected: %s", r.Count, b.Signal.Item(), r.Reason)))
	}
}
