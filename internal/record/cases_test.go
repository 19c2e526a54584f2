package record

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// spanWith is a request with a span that has more members.
func spanWith(more string) string {
	return fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"%s","spanId":"%s","name":"n"%s}]}]}]}`+"\n", hexA, hex1, more)
}

// attribute is a span's member with one attribute of the value.
func attribute(value string) string { return `,"attributes":[{"key":"k","value":` + value + `}]` }

// CASES row 1 at the file door: one id in three spellings.
func TestCase1File(t *testing.T) {
	upper := strings.Replace(trace("upper"), hexA, strings.ToUpper(hexA), 1)
	base64 := strings.Replace(trace("base64"), hexA, "W47/95gDgQPSabYzgT/GDA==", 1)
	_, got := importText(t, trace("lower")+upper+base64)
	if len(got.spans) != 3 {
		t.Fatalf("%d spans", len(got.spans))
	}
	for _, s := range got.spans {
		if s.TraceID.String() != hexA || s.ID.String() != hex1 {
			t.Errorf("%s has the ids %s %s", s.Name, s.TraceID, s.ID)
		}
	}
}

// CASES row 2 at the file door: integers in both forms, exactly; one that is none
// costs its span and is told with its path.
func TestCase2File(t *testing.T) {
	for text, want := range map[string]int64{
		`"42"`: 42, `42`: 42, `"-7"`: -7, `9007199254740993`: 9007199254740993, `"9223372036854775807"`: math.MaxInt64,
	} {
		_, got := importText(t, spanWith(attribute(`{"intValue":`+text+`}`)+`,"startTimeUnixNano":1760000000000000123`))
		if v := got.spans[0].Attrs[0].Value; v.Int() != want || got.spans[0].Start != 1760000000000000123 {
			t.Errorf("%s is read as %d, start %d", text, v.Int(), got.spans[0].Start)
		}
	}
	s, got := importText(t, spanWith("")+spanWith(attribute(`{"intValue":"abc"}`))+spanWith(""))
	want := []string{`f:2: left out: resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value.intValue: want an integer, got "abc"`}
	if diff := cmp.Diff(want, s.Messages); diff != "" || len(got.spans) != 2 || s.Rejected != 1 {
		t.Errorf("%s %d spans, %d rejected", diff, len(got.spans), s.Rejected)
	}
}

// CASES row 5 at the file door: nothing is invented and nothing refused.
func TestCase5File(t *testing.T) {
	text := strings.Join([]string{
		`{}`, `{"resourceSpans":[]}`, `{"resourceSpans":[{}]}`, `{"resourceSpans":[{"scopeSpans":[{}],"zzz":{"a":[1]}}],"futureField":1}`, trace("a"),
	}, "\n")
	s, got := importText(t, text)
	if len(got.spans) != 1 || s.BadRecords != 0 || s.Records != 5 {
		t.Errorf("%d spans, %d bad, %d records", len(got.spans), s.BadRecords, s.Records)
	}
	want := []string{"f:4: 0 spans; not understood: zzz, futureField"}
	if diff := cmp.Diff(want, s.Messages); diff != "" {
		t.Error(diff)
	}
}

// CASES row 8 at the file door: depth costs its span, or its record when not even
// JSON readers go so deep.
func TestCase8File(t *testing.T) {
	deep := func(n int) string {
		return spanWith(attribute(strings.Repeat(`{"kvlistValue":{"values":[{"key":"k","value":`, n) + `{}` + strings.Repeat(`}]}}`, n)))
	}
	s, got := importText(t, spanWith("")+deep(60)+deep(otlp.MaxDepth)+deep(otlp.MaxDepth+1)+deep(200_000)+spanWith(""))
	if len(got.spans) != 4 || s.Rejected != 1 || s.BadRecords != 1 {
		t.Errorf("%d spans, %d rejected, %d bad: %.300q", len(got.spans), s.Rejected, s.BadRecords, s.Messages)
	}
}

// CASES row 9 at the file door: what is not finite arrives and leaves unchanged,
// null is unset and told.
func TestCase9File(t *testing.T) {
	gauge := func(name, values string) string {
		return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"` + name + `","gauge":{"dataPoints":[` + values + `]}}]}]}]}` + "\n"
	}
	text := gauge("dl.loss", `{"asDouble":2},{"asDouble":"NaN"},{"asDouble":1}`) + gauge("dl.grad_norm", `{"asDouble":"Infinity"},{"asDouble":"-Infinity"}`)
	var values []float64
	_, err := Import(context.Background(), fromBytes([]byte(text)), func(b *otlp.Batch, _ run.Receipt) error {
		for _, p := range b.Points {
			values = append(values, math.Float64frombits(p.Num))
		}
		return nil
	})
	if err != nil || fmt.Sprint(values) != "[2 NaN 1 +Inf -Inf]" {
		t.Errorf("%v, %v", values, err)
	}
	_, out := exported(t, fromBytes([]byte(text)))
	if diff := cmp.Diff(text, string(out)); diff != "" {
		t.Error(diff)
	}
	s, _ := importText(t, gauge("dl.loss", `{"asDouble":null}`))
	want := []string{"f:1: resourceMetrics[0].scopeMetrics[0].metrics[0].gauge.dataPoints[0].asDouble: null counts as unset"}
	if diff := cmp.Diff(want, s.Messages); diff != "" || s.Points != 1 {
		t.Errorf("%s %d points", diff, s.Points)
	}
}

// CASES row 67: other console formats are named for what they are not.
func TestCase67OtherConsoles(t *testing.T) {
	for name, text := range map[string]string{
		"Go stdouttrace": `{"Name":"s","SpanContext":{"TraceID":"5b8e"},"Parent":{},"SpanKind":1}`,
		"JavaScript":     "{\n  resource: { attributes: {} },\n  name: 's',\n}",
		"Jaeger":         `{"data":[{"traceID":"5b8e","spans":[]}]}`,
		"Zipkin":         `[{"traceId":"5b8e","id":"1","name":"s"}]`,
	} {
		s, _ := importText(t, text+"\n"+trace("a"))
		if s.Spans != 1 || s.BadRecords == 0 || len(s.Messages) == 0 || !strings.HasPrefix(s.Messages[0], "f:1: not ") {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A request whose rows would outgrow it is a bad record, not a full memory.
func TestExpandingRecord(t *testing.T) {
	s, got := importText(t, `{"resourceSpans":[{"scopeSpans":[`+strings.Repeat("{},", 200_000)+"{}]}]}\n"+trace("a"))
	if s.BadRecords != 1 || len(got.spans) != 1 || !strings.Contains(s.Messages[0], "f:1: decode traces request: ") {
		t.Errorf("%+v", s)
	}
}
