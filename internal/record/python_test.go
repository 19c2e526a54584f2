package record

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// CASES row 67: the console of the Python SDK is read, all three signals of it.
func TestPythonConsole(t *testing.T) {
	s, got := exported(t, Source{Path: filepath.Join("testdata", "python-console.txt")})
	want := counts{Format: PythonConsole, Spans: 4, Metrics: 5, Points: 5, Logs: 1, OtherLines: 3}
	if diff := cmp.Diff(want, countsOf(s)); diff != "" {
		t.Error(diff)
	}
	if len(s.Messages) != 1 || !strings.HasSuffix(s.Messages[0], "3 lines of other text passed over") {
		t.Errorf("messages %q", s.Messages)
	}
	golden := filepath.Join("testdata", "python-console.otlp.jsonl")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(old), string(got)); diff != "" {
		t.Error(diff)
	}
}

// The values of the printed spans, by hand.
func TestPythonSpans(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "python-console.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, c := importText(t, string(text))
	forward, step := c.spans[0], c.spans[1]
	if forward.Parent != step.ID || forward.TraceID != step.TraceID || !step.Parent.IsZero() {
		t.Error("the child is not under its parent")
	}
	if forward.Kind != 3 || forward.Status != run.StatusError || forward.StatusMessage != "NCCL timeout" || step.Status != run.StatusOK || step.Kind != 1 {
		t.Errorf("kinds and statuses: %+v %+v", forward, step)
	}
	if l := forward.Links[0]; l.TraceState != "vendor=v1,b=2" || l.ID.String() != "b7ad6b7169203331" {
		t.Errorf("link %+v", l)
	}
	if step.Start != 1796036218217309000 || step.End != 1796036218217989000 || step.Events[0].Time != 1796036218217344000 {
		t.Errorf("times %d %d %d", step.Start, step.End, step.Events[0].Time)
	}
	types := map[string]run.Type{}
	for _, a := range step.Attrs {
		types[a.Key] = a.Value.Type
	}
	want := map[string]run.Type{
		"iteration": run.Int, "text": run.String, "loss": run.Double, "norm": run.Double, "lr": run.Double, "ok": run.Bool, "shape": run.Array,
	}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
	if loss := step.Attrs[2].Value.Double(); !math.IsNaN(loss) {
		t.Errorf("loss %v", loss)
	}
	first, second := c.spans[1], c.spans[3]
	if first.Name != second.Name || len(first.Attrs) != len(second.Attrs) {
		t.Error("one line and many lines are not read alike")
	}
}

func TestPythonResource(t *testing.T) {
	for name, resource := range map[string]string{
		"new":  `{"attributes": {"service.name": "x", "dl.rank": 3}, "schema_url": "u"}`,
		"old":  `{"service.name": "x", "dl.rank": 3}`,
		"none": `null`, "empty": `{"attributes": null, "schema_url": ""}`, "repr": `"{'service.name': 'x'}"`,
	} {
		want := map[string]int{"new": 2, "old": 2}[name]
		line := strings.Replace(pyLine("1"), `{"attributes": {"service.name": "megatron-lm", "dl.rank": 3}, "schema_url": ""}`, resource, 1)
		_, err := Import(context.Background(), fromBytes([]byte(line)), func(b *otlp.Batch, _ run.Receipt) error {
			if got := b.Resources[0].Attrs.Len(); got != want || len(b.Spans) != 1 {
				t.Errorf("%s: %d resource attributes, want %d", name, got, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// pyLine is a printed span with the last digit of its id.
func pyLine(digit string) string {
	return strings.Replace(pySpanLine, "%016x", strings.Repeat("0", 15)+digit, 1)
}

// Damage and bad values in printed spans cost their record and are told.
func TestPythonDamage(t *testing.T) {
	line := pyLine("1")
	for text, want := range map[string]counts{
		line + line:                                                       {Spans: 2},
		"0: " + line + "[rank1]: " + line:                                 {Spans: 2},
		line + "{'loss': 2.5}\n{\"step\": 7}\n" + line:                    {Spans: 2, OtherLines: 2},
		line + strings.Replace(line, "2026-11-30T", "yesterday ", 1):      {Spans: 1, BadRecords: 1},
		line + line[:100] + "\n" + line:                                   {Spans: 2, BadRecords: 1},
		line + line[:100]:                                                 {Spans: 1, IncompleteTail: true},
		strings.Replace(line, `"0x1213`, `"0xZZ13`, 1) + line:             {Spans: 2, Rejected: 1},
		strings.Replace(line, `"2026-11-30T10:31:24.661504Z"`, `null`, 1): {Spans: 1},
		strings.Replace(line, `"iteration": 7`, `"iteration": NaN`, 1):    {Spans: 1},
	} {
		want.Format = PythonConsole
		s, _ := importText(t, text)
		if diff := cmp.Diff(want, countsOf(s)); diff != "" {
			t.Errorf("%s\n%s\n%q", text, diff, s.Messages)
		}
	}
}

func TestPythonNumbers(t *testing.T) {
	for text, want := range map[string]run.Value{
		`7`: run.IntValue(7), `-9223372036854775808`: run.IntValue(math.MinInt64), `7.0`: run.DoubleValue(7), `1e300`: run.DoubleValue(1e300),
		`9223372036854775808`: run.StringValue("9223372036854775808"), `"NaN"`: run.StringValue("NaN"), `-Infinity`: run.DoubleValue(math.Inf(-1)),
		`[1, "a", null]`: run.ArrayValue([]run.Value{run.IntValue(1), run.StringValue("a"), {}}),
		`{"a": {}}`:      run.KVListValue([]run.Attr{{Key: "a", Value: run.KVListValue(nil)}}),
	} {
		_, c := importText(t, strings.Replace(pyLine("1"), `"iteration": 7`, `"iteration": `+text, 1))
		if len(c.spans) != 1 {
			t.Fatalf("%s: %d spans", text, len(c.spans))
		}
		if got := c.spans[0].Attrs[0].Value; got.String() != want.String() || got.Type != want.Type {
			t.Errorf("%s is read as %v %s, want %v %s", text, got.Type, got, want.Type, want)
		}
	}
	deep := strings.Repeat("[", 250) + strings.Repeat("]", 250)
	s, _ := importText(t, strings.Replace(pyLine("1"), `"iteration": 7`, `"iteration": `+deep, 1))
	if s.BadRecords != 1 || !strings.Contains(s.Messages[0], "nest too deep") {
		t.Errorf("%+v", s)
	}
}

// A metrics object that is OTLP with an error is not taken for Python's.
func TestPythonMetricsOrOTLP(t *testing.T) {
	s, _ := importText(t, `{"resource_metrics":[{"resource":{"attributes":{"a":1}},"scope_metrics":[{"metrics":[{"name":5}]}]}]}`)
	if s.BadRecords != 1 || !strings.Contains(s.Messages[0], "attributes: want an array, got an object") {
		t.Errorf("%+v", s)
	}
}

func TestQuoteNonFinite(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": NaN}`: `{"a": "\u004eaN"}`, `[-Infinity,Infinity]`: `["-\u0049nfinity","\u0049nfinity"]`,
		`{"NaN": "Infinity \" NaN"}`: "", `{"a":-1,"b":nan}`: "", `{"a": "open`: "", `"\`: "",
	} {
		got, ok := quoteNonFinite([]byte(text))
		if want == "" {
			if ok || !bytes.Equal(got, []byte(text)) {
				t.Errorf("%s became %s", text, got)
			}
		} else if !ok || string(got) != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}
