package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/report"
)

// What files of other tools hold, from standard input to the report: each test
// is one kind of thing that goes wrong elsewhere.

const (
	traceA             = "5b8efff798038103d269b633813fc60c"
	span1, span2       = "eee19b7ec3c1b174", "b7ad6b7169203331"
	span3              = "00f067aa0ba902b7"
	at0          int64 = 1760000000000000000
	sec, milli   int64 = 1e9, 1e6
)

// res is the resource of a rank; more is members of its attributes.
func res(rank int, more ...string) string {
	attrs := append([]string{text("service.name", "megatron-lm"), fmt.Sprintf(`{"key":"dl.rank","value":{"intValue":"%d"}}`, rank)}, more...)
	return `{"attributes":[` + strings.Join(attrs, ",") + `]}`
}

func text(key, value string) string {
	return fmt.Sprintf(`{"key":%q,"value":{"stringValue":%q}}`, key, value)
}

// tr is a request line of one resource.
func tr(resource string, spans ...string) string {
	return `{"resourceSpans":[{"resource":` + resource + `,"scopeSpans":[{"scope":{"name":"t"},"spans":[` + strings.Join(spans, ",") + `]}]}]}` + "\n"
}

// sp is a span that runs from at0 + from to at0 + to; more is further members.
func sp(id, parent, name string, from, to int64, more ...string) string {
	return raw(id, parent, name, fmt.Sprint(at0+from), fmt.Sprint(at0+to), more...)
}

func raw(id, parent, name, start, end string, more ...string) string {
	members := append([]string{fmt.Sprintf(`"traceId":"%s","spanId":"%s","parentSpanId":"%s","name":%q,"kind":1,"startTimeUnixNano":"%s","endTimeUnixNano":"%s"`,
		traceA, id, parent, name, start, end)}, more...)
	return "{" + strings.Join(members, ",") + "}"
}

func nth(i int) string { return fmt.Sprintf("%016x", i+1) }

// reported is the report on what comes in on standard input.
func reported(t *testing.T, in string) report.Report {
	t.Helper()
	code, out, errs := cli(t, in, "report", "--format", "json", "-")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// differ is where two reports differ in what is said.
func differ(want, got report.Report) string {
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(report.Report{}, report.Run{}))
}

func statOf(t *testing.T, r report.Report, name string) report.SpanStat {
	t.Helper()
	for _, x := range r.Runs {
		for _, s := range x.SpanStats {
			if s.Name == name {
				return s
			}
		}
	}
	t.Fatalf("no statistics of %s", name)
	return report.SpanStat{}
}

// Ids: hex in either case is one id, and a saved file may have base64.
func TestSpellingsOfIDs(t *testing.T) {
	upper := strings.NewReplacer(traceA, strings.ToUpper(traceA), span1, strings.ToUpper(span1)).Replace(tr(res(0), sp(span1, "", "parent", 0, sec)))
	base64 := strings.NewReplacer(traceA, "W47/95gDgQPSabYzgT/GDA==", span1, "7uGbfsPBsXQ=").Replace(tr(res(0), sp(span3, span1, "child of base64", 0, sec)))
	r := reported(t, upper+tr(res(0), sp(span2, span1, "child", 0, sec/2))+base64)
	if r.Traces.Count != 1 || r.Traces.OrphanSpans != 0 || r.Runs[0].Spans.Kept != 3 {
		t.Errorf("%+v, %d spans kept; want one trace of a parent and its children", r.Traces, r.Runs[0].Spans.Kept)
	}
}

// Old and foreign names: read and said, or said and not read; never 0 spans and
// no word.
func TestNamesOfOtherTimes(t *testing.T) {
	line := tr(res(0), sp(span1, "", "x", 0, sec))
	old := strings.NewReplacer("scopeSpans", "instrumentationLibrarySpans", `"scope"`, `"instrumentationLibrary"`).Replace(line)
	snake := strings.NewReplacer("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "traceId", "trace_id", "spanId", "span_id",
		"startTimeUnixNano", "start_time_unix_nano", "endTimeUnixNano", "end_time_unix_nano").Replace(line)
	for name, in := range map[string]string{"before OTLP 0.15": old, "snake_case": snake} {
		r := reported(t, in)
		if statOf(t, r, "x").Count != 1 || *statOf(t, r, "x").Max != 1 || len(r.Sources[0].Messages) != 1 || !strings.Contains(r.Sources[0].Messages[0], name) {
			t.Errorf("%s: %+v", name, r.Sources[0])
		}
	}
	code, _, errs := cli(t, strings.Replace(line, "scopeSpans", "libSpans", 1), "report", "-")
	if code != exitFailed || !strings.Contains(errs, "nothing was read") {
		t.Errorf("names that mean nothing: exit %d, %s", code, errs)
	}
	_, out, _ := cli(t, strings.Replace(line, "scopeSpans", "libSpans", 1), "report", "-")
	if !strings.Contains(out, "0 spans; not understood: libSpans") {
		t.Errorf("does not say what was not understood:\n%s", out)
	}
}

// A value that does not fit costs its span, is told with its path, and --strict
// does not pass over it.
func TestValuesThatDoNotFit(t *testing.T) {
	good := tr(res(0), sp(span1, "", "good", 0, sec))
	for name, member := range map[string]string{
		"no integer":       `"attributes":[{"key":"k","value":{"intValue":"abc"}}]`,
		"a fraction":       `"attributes":[{"key":"k","value":{"intValue":1.5}}]`,
		"beyond 64 bits":   `"attributes":[{"key":"k","value":{"intValue":"9223372036854775808"}}]`,
		"no number":        `"attributes":[{"key":"k","value":{"doubleValue":"abc"}}]`,
		"a negative count": `"droppedLinksCount":-1`,
	} {
		in := good + tr(res(0), sp(span2, "", "bad", 0, sec, member))
		r := reported(t, in)
		s := r.Sources[0]
		if s.Spans != 1 || s.Rejected != 1 || len(s.Messages) != 1 || !strings.HasPrefix(s.Messages[0], "stdin:2: left out: resourceSpans[0].scopeSpans[0].spans[0].") {
			t.Errorf("%s: %+v", name, s)
		}
		if code, _, errs := cli(t, in, "report", "--strict", "-"); code != exitFailed || !strings.Contains(errs, "1 item left out") {
			t.Errorf("%s with --strict: exit %d, %s", name, code, errs)
		}
	}
}

// Impossible times: listed, flagged and counted, in no statistic.
func TestImpossibleTimesEnterNoStatistic(t *testing.T) {
	start, end := fmt.Sprint(at0), fmt.Sprint(at0+sec)
	spans := []string{sp(span1, "", "root", 0, 10*sec)}
	for i, times := range [][2]string{
		{start, fmt.Sprint(at0 - 1)}, {"0", start}, {"18446744073709551615", end}, {"1760000000000", end}, {start, "18446744073709551615"}, {"1760000000", "1760000001"}, {"9223372036854775807", "9223372036854775807"},
	} {
		spans = append(spans, raw(nth(i), span1, "bad", times[0], times[1]))
	}
	r := reported(t, tr(res(0), spans...))
	if n := r.Runs[0].Spans; n.InvalidTime != 7 || n.Kept != 8 || r.Traces.OrphanSpans != 0 {
		t.Errorf("spans %+v, traces %+v", n, r.Traces)
	}
	bad := statOf(t, r, "bad")
	if d := cmp.Diff(report.SpanStat{Name: "bad", Class: "other", Invalid: 7, Few: true}, bad); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if root := statOf(t, r, "root"); *root.Max != 10 || *root.P99 != 10 {
		t.Errorf("root %+v", root)
	}
}

// A sender that folds series together says so; the folded point is no rank.
func TestFoldedSeries(t *testing.T) {
	var points []string
	for i := range 5 {
		points = append(points, fmt.Sprintf(`{"asInt":"1","timeUnixNano":"%d","attributes":[{"key":"dl.rank","value":{"intValue":"%d"}}]}`, at0, i))
	}
	points = append(points, fmt.Sprintf(`{"asInt":"96","timeUnixNano":"%d","attributes":[{"key":"otel.metric.overflow","value":{"boolValue":true}}]}`, at0))
	r := reported(t, `{"resourceMetrics":[{"resource":`+res(0)+`,"scopeMetrics":[{"metrics":[{"name":"tok","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[`+strings.Join(points, ",")+`]}}]}]}]}`)
	x := r.Runs[0]
	if len(x.Cardinality) != 1 || !strings.Contains(x.Cardinality[0].Reason, "per-series numbers are incomplete") || x.Cardinality[0].Distinct != 5 || x.RanksSeen != 1 {
		t.Errorf("%d ranks, %+v", x.RanksSeen, x.Cardinality)
	}
}

// One object, however it is laid out and packed, gives one report.
func TestLayoutsOfOneObject(t *testing.T) {
	var spans []string
	for i := range 2000 {
		spans = append(spans, sp(nth(i), "", "x", int64(i)*sec, int64(i+1)*sec, `"attributes":[`+text("pad", strings.Repeat("y", 500))+`]`))
	}
	line := tr(res(0), spans...)
	var pretty, packed bytes.Buffer
	if err := json.Indent(&pretty, []byte(line), "", "  "); err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(line)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	want := reported(t, line)
	if want.Runs[0].Spans.Kept != 2000 {
		t.Fatalf("%+v", want.Runs[0].Spans)
	}
	for name, content := range map[string]string{"a line": line, "pretty": pretty.String(), "gzip": packed.String(), "no newline": strings.TrimSpace(line), "CRLF": strings.TrimSpace(line) + "\r\n"} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, got := range []report.Report{reported(t, content), reportOf(t, path)} {
			got.Sources = want.Sources
			if d := differ(want, got); d != "" {
				t.Errorf("%s (-want +got)\n%s", name, d)
			}
		}
	}
}

// All that a file says survives import, export and import.
func TestValuesSurviveAnExport(t *testing.T) {
	line := tr(res(0), sp(span1, "", "x", 0, sec, `"flags":257,"traceState":"a=b","droppedAttributesCount":1,"droppedEventsCount":2,"droppedLinksCount":3`,
		`"links":[{"traceId":"`+traceA+`","spanId":"`+span2+`","flags":1}]`,
		`"attributes":[{"key":"bytes","value":{"bytesValue":"AAEC"}},{"key":"mixed","value":{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"a"},{"boolValue":true},{"arrayValue":{}}]}}},`+
			`{"key":"empty","value":{"stringValue":""}},{"key":"no","value":{"boolValue":false}},{"key":"k","value":{"intValue":"1"}},{"key":"k","value":{"intValue":"2"}},{"key":"","value":{"doubleValue":"NaN"}},`+
			`{"key":"esc","value":{"stringValue":"\u001b]52;c;\u0007\u202e"}}]`)) +
		`{"resourceMetrics":[{"resource":` + res(0) + `,"scopeMetrics":[{"metrics":[{"name":"dl.loss","metadata":[` + text("a", "b") + `],"gauge":{"dataPoints":[{"timeUnixNano":"1","asDouble":"-Infinity"}]}}]}]}]}` + "\n" +
		`{"resourceLogs":[{"resource":` + res(0) + `,"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","eventName":"e","body":{"kvlistValue":{"values":[` + text("a", "b") + `]}}}]}]}]}` + "\n"
	code, once, errs := cli(t, line, "export", "-")
	if code != exitOK || errs != "" {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if _, twice, _ := cli(t, once, "export", "-"); twice != once {
		t.Errorf("an export of an export differs:\n%s\n%s", once, twice)
	}
	if d := cmp.Diff(decoded(t, line), decoded(t, once)); d != "" {
		t.Errorf("(-in +out)\n%s", d)
	}
}

// decoded is lines of JSON as values, without what an empty field says.
func decoded(t *testing.T, lines string) (out []any) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		var v any
		if err := json.Unmarshal([]byte(strings.NewReplacer(`"parentSpanId":"",`, "", `"key":"",`, "").Replace(line)), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}
