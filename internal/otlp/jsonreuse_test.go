package otlp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// A batch tells nothing of the requests before.
func TestJSONReuse(t *testing.T) {
	var b Batch
	odd := jsonSpans(jsonSpan(`,"name":"\ud800","attributes":[{"key":"k","value":{"intValue":null}}]`))
	if err := b.DecodeJSON(run.Traces, odd, JSONOptions{File: true}); err != nil || b.Repaired != 1 || len(b.Notices) != 1 {
		t.Fatalf("%v, %d repaired, notices %+v", err, b.Repaired, b.Notices)
	}
	if err := b.DecodeJSON(run.Traces, jsonSpans(jsonSpan("")), JSONOptions{}); err != nil || b.Repaired != 0 || b.Notices != nil || b.Spans[0].Attrs.Len() != 0 {
		t.Errorf("%v, %d repaired, notices %+v", err, b.Repaired, b.Notices)
	}
	if err := b.DecodeJSON(run.Traces, odd, JSONOptions{}); err != nil || len(b.Notices) != 1 {
		t.Fatal(err, b.Notices)
	}
	if err := b.Decode(run.Logs, richBody(run.Logs)); err != nil || b.Notices != nil || len(b.Spans) != 0 {
		t.Errorf("after protobuf: %v, notices %+v", err, b.Notices)
	}
	if err := b.DecodeJSON(run.Traces, []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":`), JSONOptions{}); err == nil || b.Items() != 0 || b.Notices != nil {
		t.Errorf("after an error: %v, %d items, notices %+v", err, b.Items(), b.Notices)
	}
	if err := b.DecodeJSON(run.Traces, jsonSpans(jsonSpan("")), JSONOptions{}); err != nil || b.Items() != 1 {
		t.Errorf("after an error: %v, %d items", err, b.Items())
	}
}

// The transcoder's buffers are those of the last call only.
func TestJSONTranscoderReuse(t *testing.T) {
	tr := NewTranscoder(JSONOptions{})
	first, err := tr.Transcode([]byte(`{"resourceSpans":[{"schemaUrl":"` + strings.Repeat("x", 100) + `"}],"resourceLogs":[{}]}`))
	if err != nil || first[run.Traces] == nil || first[run.Logs] == nil || first[run.Metrics] != nil {
		t.Fatalf("%q, %v", first, err)
	}
	second, err := tr.Transcode([]byte(`{"resourceLogs":[{"schemaUrl":"y"}]}`))
	if err != nil || second[run.Traces] != nil || len(second[run.Logs]) == 0 {
		t.Errorf("%q, %v", second, err)
	}
	if _, err := tr.Transcode([]byte(`{"resourceLogs":[{"schemaUrl":5}]}`)); err == nil {
		t.Error("a number is read as text")
	}
	third, err := tr.Transcode([]byte(`{"resourceLogs":[]}`))
	if err != nil || third[run.Logs] == nil || len(third[run.Logs]) != 0 {
		t.Errorf("%q, %v", third, err)
	}
}

// In steady state neither direction allocates.
func TestJSONAllocatesNothing(t *testing.T) {
	var b Batch
	for _, s := range allSignals {
		line, err := AppendJSON(nil, s, richBody(s))
		if err != nil {
			t.Fatal(err)
		}
		read := 0.0
		for _, opt := range []JSONOptions{{}, {File: true}} {
			read += testing.AllocsPerRun(20, func() {
				if err := b.DecodeJSON(s, line, opt); err != nil {
					t.Fatal(err)
				}
			})
		}
		wire := richBody(s)
		write := testing.AllocsPerRun(20, func() {
			if line, err = AppendJSON(line[:0], s, wire); err != nil {
				t.Fatal(err)
			}
		})
		if read != 0 || write != 0 {
			t.Errorf("%s: %v allocations to read, %v to write", s, read, write)
		}
	}
}

func TestJSONNotices(t *testing.T) {
	var n jsonNotes
	for range 3 {
		n.note(jsonNoteNull, func() string { return "first" })
		n.unknown([]byte("same"))
	}
	want := []run.Notice{{Code: "json-null-value", Level: run.Warning, Text: "first", Count: 3}}
	if diff := cmp.Diff(want, n.notices()); diff != "" {
		t.Error(diff)
	}
	for range 100 {
		n.unknown([]byte(strings.Repeat("x", len(n.names)+100)))
		n.unknown([]byte{byte(len(n.names))})
	}
	if len(n.names) > jsonNamesMax || n.names[0] != "same" {
		t.Errorf("%d names: %q", len(n.names), n.names)
	}
	codes := map[string]bool{}
	for kind := range jsonNoteCount {
		codes[kind.code()] = true
	}
	if len(codes) != int(jsonNoteCount) {
		t.Errorf("codes %v are not distinct", codes)
	}
}

func TestJSONIntegerBounds(t *testing.T) {
	for text, want := range map[string]uint64{
		"18446744073709551615": 1<<64 - 1, "1844674407370955161.5e1": 1<<64 - 1, "0.18446744073709551615e20": 1<<64 - 1, "000000000000000000000000001": 1,
	} {
		if got, negative, ok := jsonInteger([]byte(text)); got != want || negative || !ok {
			t.Errorf("%s is read as %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"18446744073709551616", "99999999999999999999", "1e20", "0.1", "1e-1", "12e-1", "e", ".", "-", "--1", "1e1e1", "1.e", "1e+", "0x1"} {
		if got, _, ok := jsonInteger([]byte(text)); ok {
			t.Errorf("%s is read as %d", text, got)
		}
	}
}
