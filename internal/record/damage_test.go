package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Ids of CASES.md.
const (
	hexA = "5b8efff798038103d269b633813fc60c"
	hex1 = "eee19b7ec3c1b174"
)

// trace is a request with one span of the name, on one line.
func trace(name string) string {
	return fmt.Sprintf(`{"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{"name":"t"},"spans":[`+
		`{"traceId":"%s","spanId":"%s","name":"%s"}]}]}]}`, hexA, hex1, name)
}

// tracePretty is the same over many lines, with indentation.
func tracePretty(name, indent string) string {
	lines := []string{
		`{`, `  "resourceSpans": [`, `    {`, `      "scopeSpans": [{`, `        "spans": [`, `          {`,
		`            "traceId": "` + hexA + `",`, `            "spanId": "` + hex1 + `",`, `            "name": "` + name + `"`,
		`          }`, `        ]`, `      }]`, `    }`, `  ]`, `}`,
	}
	return indent + strings.Join(lines, "\n"+indent)
}

const (
	logLine    = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"severityNumber":9}]}]}]}`
	metricLine = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[{"asInt":"1"},{"asInt":"2"}]}}]}]}]}`
	cutLine    = `{"resourceSpans":[{"reso`
)

// damageCase is a file, the names of the spans that must be found in it, and
// what must be said.
type damageCase struct {
	name, text string
	spans      string // names in order, separated by spaces
	bad        uint64
	tail       bool
	messages   []string
}

func damageCases() []damageCase {
	nul := strings.Repeat("\x00", 4096)
	return []damageCase{
		{name: "row 18", spans: "bom crlf nul one two three", tail: true,
			text: "\ufeff" + trace("bom") + "\n" + trace("crlf") + "\r\n\n" + nul + trace("nul") + "\n" + trace("one") + trace("two") + "\n" +
				trace("three") + "\n" + logLine + "\n" + metricLine + "\n" + cutLine,
			messages: []string{"f:9: incomplete last line (still being written?)"}},
		{name: "blank", text: "\n\n  \r\n\t\n", spans: ""},
		{name: "cut in a string, then a line end", text: trace("a") + "\n" + cutLine + "\n" + trace("b") + "\n", spans: "a b", bad: 1,
			messages: []string{"f:2: the line ends inside a string"}},
		{name: "cut after a brace", text: `{"resourceSpans":[{` + "\n" + trace("b") + "\n", spans: "b", bad: 1,
			messages: []string{"f:1: the record is cut; the next one begins at line 2"}},
		{name: "cut where a value may follow", text: `{"resourceSpans":[` + "\n" + trace("b") + "\n" + trace("c") + "\n", spans: "b c", bad: 1,
			messages: []string{"f:1: the record is cut; the next one begins at line 2"}},
		{name: "cut where a value may follow, before the end", text: `{"resourceSpans":[` + "\n" + trace("b"), spans: "b", bad: 1,
			messages: []string{"f:1: the record is cut; the next one begins at line 2"}},
		{name: "cut after a colon, twice", text: `{"resourceSpans":` + "\n" + `{"resourceSpans":` + "\n" + trace("b") + "\n", spans: "b", bad: 2,
			messages: []string{"f:1: the record is cut; the next one begins at line 2", "f:2: the record is cut; the next one begins at line 3"}},
		{name: "hole", text: cutLine + nul + trace("b") + "\n", spans: "b", bad: 1, messages: []string{"f:1: NUL bytes inside a record"}},
		{name: "hole to the end", text: trace("a") + "\n" + cutLine + nul, spans: "a", tail: true,
			messages: []string{"f:2: incomplete last line (still being written?)"}},
		{name: "not JSON", text: "hello\n" + trace("a") + "\nworld {}\n" + trace("b") + " tail\n", spans: "a b", bad: 3,
			messages: []string{"f:1: not JSON", "f:3: not JSON", "f:4: not JSON"}},
		{name: "a bad word", text: trace("a") + "\n" + strings.Replace(trace("x"), `"x"`, "tru", 1) + "\n" + trace("b") + "\n", spans: "a b", bad: 1,
			messages: []string{"f:2: resourceSpans[0].scopeSpans[0].spans[0].name: not JSON at byte 162: invalid character '}' in literal true (expecting 'e')"}},
		{name: "a foreign byte", text: trace("a") + "\n" + strings.Replace(trace("x"), `"x"`, "?", 1) + "\n" + trace("b") + "\n", spans: "a b", bad: 1,
			messages: []string{"f:2: not JSON: '?' is out of place"}},
		{name: "wrong bracket", text: `{"resourceSpans":[}` + "\n" + trace("b"), spans: "b", bad: 1, messages: []string{"f:1: not JSON: '}' is out of place"}},
		{name: "other JSON", text: `{"data":[],"a\u001b[2J":1}` + "\n" + trace("b"), spans: "b", bad: 1,
			messages: []string{`f:1: not OTLP: no resourceSpans, resourceMetrics or resourceLogs beside "data", "a\x1b[2J"`}},
		{name: "a value that does not fit", text: `{"resourceSpans":[{"resource":` + "\n5}]}\n" + trace("b"), spans: "b", bad: 1,
			messages: []string{"f:2: resourceSpans[0].resource: want an object, got a number"}},
		{name: "an item that does not fit", spans: "a b",
			text:     strings.Replace(trace("a"), `"spans":[`, `"spans":[{"name":7},`, 1) + "\n" + trace("b"),
			messages: []string{`f:1: left out: resourceSpans[0].scopeSpans[0].spans[0].name: want a string, got 7`}},
		{name: "array of requests", text: "[\n  " + trace("a") + ",\n  " + trace("b") + "\n]\n", spans: "a b"},
		{name: "array on one line", text: "[" + trace("a") + "," + trace("b") + "]", spans: "a b"},
		{name: "pretty", text: tracePretty("a", "") + "\n" + tracePretty("b", "") + tracePretty("c", ""), spans: "a b c"},
		{name: "pretty, indented in an array", text: "[\n" + tracePretty("a", "    ") + ",\n" + tracePretty("b", "    ") + "\n]\n", spans: "a b"},
		{name: "pretty, no indentation", text: strings.ReplaceAll(tracePretty("a", ""), "  ", "") + "\n" + trace("b"), spans: "a b"},
		{name: "pretty, behind byte-order marks", text: "\ufeff" + tracePretty("a", "") + "\n\ufeff" + tracePretty("b", "") + "\n\ufeff" + trace("c"), spans: "a b c"},
		{name: "pretty, behind NULs", text: nul + tracePretty("a", "") + "\n" + nul + tracePretty("b", ""), spans: "a b"},
		{name: "pretty, cut", text: tracePretty("a", "") + "\n" + tracePretty("b", "")[:90], spans: "a", tail: true,
			messages: []string{"f:16: incomplete last line (still being written?)"}},
		{name: "pretty, cut and continued", text: tracePretty("a", "")[:90] + "\n" + tracePretty("b", "") + "\n" + trace("c"), spans: "b c", bad: 1},
		{name: "pretty, lines missing", text: strings.Replace(tracePretty("a", ""), "          }\n        ]\n", "", 1) + "\n" + trace("b"), spans: "b", bad: 1,
			messages: []string{"f:1: the record is cut; the next one begins at line 14"}},
		{name: "pretty, indented, a bad line", spans: "b", bad: 1,
			text: "[\n" + strings.Replace(tracePretty("a", "    "), `"name"`, `name`, 1) + ",\n" + tracePretty("b", "    ") + "\n]\n"},
		{name: "pretty, a bad value", text: strings.Replace(tracePretty("a", ""), `"a"`, "fals", 1) + "\n" + trace("b"), spans: "b", bad: 1,
			messages: []string{"f:9: resourceSpans[0].scopeSpans[0].spans[0].name: not JSON at byte 208: invalid character '\\n' in literal false (expecting 'e')"}},
		{name: "deep", text: `{"a":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + "}\n" + trace("b"), spans: "b", bad: 1,
			messages: []string{"f:1: nested deeper than 1000"}},
		{name: "labels", text: "0: " + trace("a") + "\n[rank1]: " + trace("b") + "\n2: " + cutLine + "\n3: {\n", spans: "a b", bad: 2,
			messages: []string{"f:3: not JSON", "f:4: not JSON"}},
	}
}

// CASES row 18 and its kind: nothing complete is lost and nothing is silent.
func TestDamage(t *testing.T) {
	for _, c := range damageCases() {
		t.Run(c.name, func(t *testing.T) {
			s, got := importText(t, c.text)
			var names []string
			for _, span := range got.spans {
				names = append(names, span.Name)
			}
			if diff := cmp.Diff(c.spans, strings.Join(names, " ")); diff != "" {
				t.Errorf("spans: %s", diff)
			}
			if s.BadRecords != c.bad || s.IncompleteTail != c.tail {
				t.Errorf("%d bad, tail %v, want %d and %v: %q", s.BadRecords, s.IncompleteTail, c.bad, c.tail, s.Messages)
			}
			if diff := cmp.Diff(c.messages, s.Messages); diff != "" && (c.messages != nil || c.bad == 0) {
				t.Errorf("messages: %s", diff)
			}
		})
	}
}

func TestDamageKeepsOtherSignals(t *testing.T) {
	s, _ := importText(t, damageCases()[0].text)
	want := counts{Format: OTLPJSON, Spans: 6, Metrics: 1, Points: 2, Logs: 1, IncompleteTail: true}
	if diff := cmp.Diff(want, countsOf(s)); diff != "" {
		t.Error(diff)
	}
}

// The first messages are kept, all bad records are counted.
func TestManyBadRecords(t *testing.T) {
	s, _ := importText(t, strings.Repeat("bad\n", 100)+trace("a"))
	if s.BadRecords != 100 || s.Spans != 1 || len(s.Messages) != maxMessages+1 {
		t.Errorf("%d bad records, %d spans, %d messages", s.BadRecords, s.Spans, len(s.Messages))
	}
	if last := s.Messages[maxMessages]; last != "f: 80 more bad records" {
		t.Errorf("last message %q", last)
	}
}

// CASES row 6 in a file: bad ids cost their spans and are counted.
func TestBadIDsInAFile(t *testing.T) {
	span := func(trace, id, more string) string {
		return fmt.Sprintf(`{"traceId":"%s","spanId":"%s"%s}`, trace, id, more)
	}
	body := `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join([]string{
		span(hexA, hex1, `,"parentSpanId":"0000000000000000"`), span(hexA, hex1, `,"parentSpanId":""`), span("f9965485593768ce", hex1, ""),
		span(strings.Repeat("0", 32), hex1, ""), span("", "", ""), span("", "", ""), span(hexA, "xyz", ""), span(hexA, hex1, ""),
	}, ",") + `]}]}]}`
	s, got := importText(t, body)
	if len(got.spans) != 3 || s.Spans != 8 || s.Rejected != 5 || s.BadRecords != 0 {
		t.Errorf("%d spans of %d, %d rejected, %d bad: %q", len(got.spans), s.Spans, s.Rejected, s.BadRecords, s.Messages)
	}
	if len(s.Messages) == 0 || !strings.HasPrefix(s.Messages[0], "f:1: ") || !strings.Contains(s.Messages[0], "rejected") {
		t.Errorf("messages %q", s.Messages)
	}
}

// CASES rows 1, 4 and 5: what is tolerated in files is told once for the file.
func TestToleratedForms(t *testing.T) {
	old := `{"resourceSpans":[{"resource":{},"instrumentationLibrarySpans":[{"instrumentationLibrary":{"name":"x"},"spans":[{"traceId":"` + hexA + `","spanId":"` + hex1 + `"}]}]}]}` + "\n"
	snake := `{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"` + hexA + `","span_id":"` + hex1 + `"}]}]}]}` + "\n"
	stock := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"Z6z8LqVvEI+kU1/Ci6mXBQ==","spanId":"gMEgDJS+EXg="}]}]}]}` + "\n"
	for text, want := range map[string]string{
		old + old:     `f:1: instrumentationLibrarySpans: field names from before OTLP 0.15 were read under their new names (4 times)`,
		"\n" + snake:  `f:2: resource_spans: snake_case field names were read; OTLP JSON is lowerCamelCase (4 times)`,
		stock + stock: `f:1: resourceSpans[0].scopeSpans[0].spans[0].traceId: base64 id read; OTLP JSON ids are hex (4 times)`,
	} {
		s, got := importText(t, text)
		if len(got.spans) != int(s.Records) || s.BadRecords != 0 {
			t.Errorf("%s: %d spans, %d bad", text, len(got.spans), s.BadRecords)
		}
		if diff := cmp.Diff([]string{want}, s.Messages); diff != "" {
			t.Error(diff)
		}
	}
}

func TestZeroItemsAreNotSilent(t *testing.T) {
	for text, word := range map[string]string{
		`{"resourceSpans":[{"librarySpans":[{"spans":[{}]}]}]}`: "f:1: 0 spans; not understood: librarySpans",
		`{"batches":[]}`: "not OTLP", "plain text": "not JSON",
	} {
		s, _ := importText(t, text)
		if s.Items() != 0 || len(s.Messages) != 1 || !strings.Contains(s.Messages[0], word) {
			t.Errorf("%s: %d items, messages %q", text, s.Items(), s.Messages)
		}
	}
	for _, text := range []string{"", "{}", `{"resourceSpans":[]}`, `{"resourceSpans":[{"scopeSpans":[{}]}]}`} {
		if s, _ := importText(t, text); s.BadRecords != 0 || len(s.Messages) != 0 {
			t.Errorf("%s: %+v", text, s)
		}
	}
}

// Python and others write NaN and Infinity as bare words.
func TestBareNumbers(t *testing.T) {
	line := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"` + hexA + `","spanId":"` + hex1 + `","name":"NaN -Infinity \" NaN","attributes":[` +
		`{"key":"a","value":{"doubleValue":NaN}},{"key":"b","value":{"doubleValue": Infinity}},{"key":"c","value":{"doubleValue":-Infinity}}]}]}]}]}`
	s, got := importText(t, line)
	if s.BadRecords != 0 || len(got.spans) != 1 || len(s.Messages) != 1 {
		t.Fatalf("%+v", s)
	}
	if diff := cmp.Diff(`NaN -Infinity " NaN [{a NaN} {b Infinity} {c -Infinity}]`, fmt.Sprint(got.spans[0].Name, " ", got.spans[0].Attrs)); diff != "" {
		t.Error(diff)
	}
}
