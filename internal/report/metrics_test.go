package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// fromJSON is a store that took OTLP JSON requests.
func fromJSON(t testing.TB, requests ...string) *store.Snapshot {
	t.Helper()
	s := store.New(store.Config{Files: true})
	for _, text := range requests {
		signal := run.Traces
		if strings.Contains(text, "resourceMetrics") {
			signal = run.Metrics
		}
		b := new(otlp.Batch)
		if err := b.DecodeJSON(signal, []byte(text), otlp.JSONOptions{File: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(t.Context(), b, run.Receipt{Sender: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	return s.Snapshot()
}

func metric(data string) string {
	return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m",` + data + `}]}]}]}`
}

func sums(temporality int, monotonic bool, values ...int) string {
	var points []string
	for i, v := range values {
		points = append(points, fmt.Sprintf(`{"asInt":"%d","startTimeUnixNano":"1","timeUnixNano":"%d"}`, v, 10+i))
	}
	return metric(fmt.Sprintf(`"sum":{"aggregationTemporality":%d,"isMonotonic":%v,"dataPoints":[%s]}`, temporality, monotonic, strings.Join(points, ",")))
}

func histogram(temporality int, points ...string) string {
	return metric(fmt.Sprintf(`"histogram":{"aggregationTemporality":%d,"dataPoints":[%s]}`, temporality, strings.Join(points, ",")))
}

// Figures are what the points say; what they do not say is null.
func TestFiguresOfMetrics(t *testing.T) {
	for name, tt := range map[string]struct{ request, want string }{
		"gauge":                 {metric(`"gauge":{"dataPoints":[{"asDouble":2,"timeUnixNano":"1"},{"asDouble":"NaN","timeUnixNano":"2"},{"asDouble":1,"timeUnixNano":"3"}]}`), `null 1 2 1.5 1`},
		"nothing finite":        {metric(`"gauge":{"dataPoints":[{"asDouble":"Infinity","timeUnixNano":"1"}]}`), `null null null null null`},
		"no number at all":      {metric(`"gauge":{"dataPoints":[{"timeUnixNano":"1"}]}`), `null null null null null`},
		"running totals":        {sums(2, true, 10, 30, 5, 15), `"cumulative" 5 30 null 15`},
		"totals up and down":    {sums(2, false, 10, 30), `"cumulative" 10 30 20 30`},
		"increments":            {sums(1, true, 10, 20, 6), `"delta" 6 20 12 6`},
		"nobody knows which":    {sums(0, true, 10, 30), `"unspecified" 10 30 null 30`},
		"one bucket, no bounds": {histogram(2, `{"count":"5","sum":10,"bucketCounts":["5"],"timeUnixNano":"1"}`), `"cumulative" null null 2 2`},
		"bounds were sent":      {histogram(1, `{"count":"5","sum":10,"min":1,"max":4,"timeUnixNano":"1"}`), `"delta" 1 4 2 2`},
		"histogram that goes on": {histogram(2, `{"count":"3","sum":3,"startTimeUnixNano":"1","timeUnixNano":"2"}`, `{"count":"8","sum":9,"startTimeUnixNano":"1","timeUnixNano":"3"}`),
			`"cumulative" null null 1.125 1.125`},
		"histogram that began again": {histogram(2, `{"count":"3","sum":3,"startTimeUnixNano":"1","timeUnixNano":"2"}`, `{"count":"1","sum":9,"startTimeUnixNano":"5","timeUnixNano":"6"}`),
			`"cumulative" null null null 9`},
		"histograms of unknown weight": {histogram(1, `{"count":"3","sum":3,"timeUnixNano":"2"}`, `{"count":"1","sum":9,"timeUnixNano":"3"}`), `"delta" null null null 9`},
		"two series of a histogram": {histogram(2, `{"count":"3","sum":3,"timeUnixNano":"2","attributes":[{"key":"a","value":{"intValue":"1"}}]}`,
			`{"count":"1","sum":9,"timeUnixNano":"3","attributes":[{"key":"a","value":{"intValue":"2"}}]}`), `"cumulative" null null 3 9`},
		"histogram of nothing": {histogram(2, `{"count":"0","timeUnixNano":"1"}`), `"cumulative" null null null null`},
		"exponential, no sum":  {metric(`"exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[{"count":"7","scale":2,"zeroCount":"1","positive":{"offset":0,"bucketCounts":["2","3"]},"negative":{"offset":0,"bucketCounts":["1"]},"timeUnixNano":"1"}]}`), `"cumulative" null null null null`},
		"summary":              {metric(`"summary":{"dataPoints":[{"count":"5","sum":10,"quantileValues":[{"quantile":0.5,"value":2}],"timeUnixNano":"1"}]}`), `null null null 2 2`},
	} {
		t.Run(name, func(t *testing.T) {
			m := build(t, fromJSON(t, tt.request), Options{}).Runs[0].Metrics[0]
			var got []string
			for _, v := range []any{m.Temporality, m.Min, m.Max, m.Mean, m.Last} {
				b, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(b))
			}
			if text := strings.Join(got, " "); text != tt.want {
				t.Errorf("temporality, min, max, mean, last = %s, want %s", text, tt.want)
			}
		})
	}
}

// A size that nobody sent is not 0.
func TestUnknownSizesAreNull(t *testing.T) {
	r := build(t, fromJSON(t, `{"resourceSpans":[{"resource":{"attributes":[{"key":"dl.rank","value":{"intValue":"0"}}]},"scopeSpans":[{"spans":[`+
		`{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"x","startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000001000000000"}]}]}]}`), Options{})
	top := r.Runs[0].Topology
	if top.TP != nil || top.PP != nil || top.DP != nil || top.CP != nil || len(top.Problems) == 0 {
		t.Errorf("topology = %+v, want null sizes and why", top)
	}
	var text strings.Builder
	if err := WriteText(&text, r); err != nil || !strings.Contains(text.String(), "tp ? cp ? pp ? dp ?\n") {
		t.Errorf("%v:\n%s", err, text.String())
	}
}

// What is to be said of no run, or of several, is said once, of the whole.
func TestNoticesOfTheInstance(t *testing.T) {
	shared := run.Notice{Code: "shared-span-ids", Level: run.Warning, Text: "ranks 0, 1 share span ids", Run: "a"}
	alike := run.Notice{Code: "runs-alike", Level: run.Warning, Text: "2 runs look like one"}
	s := &store.Snapshot{Runs: []*store.Run{{ID: "a", WorldSize: run.Unknown, Notices: []run.Notice{shared}}}, Notices: []run.Notice{shared, alike}}
	r := build(t, s, Options{})
	if len(r.Notices) != 1 || r.Notices[0] != (Notice{"runs-alike", "warning", "2 runs look like one"}) {
		t.Errorf("notices = %+v", r.Notices)
	}
	if n := r.Runs[0].Notices; len(n) != 1 || n[0].Code != "shared-span-ids" {
		t.Errorf("notices of the run = %+v", n)
	}
	var text strings.Builder
	if err := WriteText(&text, r); err != nil || strings.Count(text.String(), "! warning: ") != 2 {
		t.Errorf("%v:\n%s", err, text.String())
	}
}
