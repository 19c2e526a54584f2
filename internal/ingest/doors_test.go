package ingest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// The names of the spans below, in T0 + ns, are those of the table of cases.
const (
	idA, idB = "5b8efff798038103d269b633813fc60c", "0af7651916cd43dd8448eb211c80319c"
	id1, id2 = "eee19b7ec3c1b174", "b7ad6b7169203331"
	caseT0   = "1760000000000000000"
)

// signalOf is the signal of an OTLP JSON request, and an empty message of it.
func signalOf(text string) (run.Signal, proto.Message) {
	switch {
	case strings.Contains(text, `"resourceMetrics"`):
		return run.Metrics, new(colmetrics.ExportMetricsServiceRequest)
	case strings.Contains(text, `"resourceLogs"`):
		return run.Logs, new(collogs.ExportLogsServiceRequest)
	}
	return run.Traces, new(coltrace.ExportTraceServiceRequest)
}

// protoOf is the same request as protobuf. The stock JSON mapping reads it, once
// the hex ids of OTLP are in base64: nothing of ours has a part in it.
func protoOf(t *testing.T, text string) []byte {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	stock, err := json.Marshal(base64IDs(v))
	if err != nil {
		t.Fatal(err)
	}
	_, m := signalOf(text)
	if err := protojson.Unmarshal(stock, m); err != nil {
		t.Fatalf("%v: %s", err, stock)
	}
	return marshal(t, m)
}

func base64IDs(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			if id, ok := e.(string); ok && strings.HasSuffix(strings.ToLower(k), "id") {
				if b, err := hex.DecodeString(id); err == nil {
					x[k] = base64.StdEncoding.EncodeToString(b)
				}
				continue
			}
			x[k] = base64IDs(e)
		}
	case []any:
		for i := range x {
			x[i] = base64IDs(x[i])
		}
	}
	return v
}

// told is what a sender is told: "ok", or the refusal.
type told struct {
	status   string
	rejected uint64
	message  string
}

// entrance is one way in, with a store behind it.
type entrance struct {
	name string
	send func(t *testing.T, text string) told
	st   *store.Store
}

var exportMethods = [run.SignalCount]string{
	exportTraces, "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export", "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
}

// entrances is every way in: gRPC with both decoders, HTTP in both encodings,
// and a file.
func entrances(t *testing.T) []entrance {
	var all []entrance
	add := func(name string, d Decoder, send func(*Server) func(*testing.T, string) told) {
		st := store.New(store.Config{Clock: t0.UnixNano})
		all = append(all, entrance{name, send(start(t, Config{Decoder: d}, st)), st})
	}
	add("gRPC", Fast, sendGRPC)
	add("gRPC, generated decoder", Generated, sendGRPC)
	add("HTTP protobuf", Fast, sendProto)
	add("HTTP JSON", Fast, sendJSON)
	st := store.New(store.Config{Files: true})
	return append(all, entrance{"file", importText(st), st})
}

func sendGRPC(s *Server) func(*testing.T, string) told {
	return func(t *testing.T, text string) told {
		signal, _ := signalOf(text)
		b, err := call(t, dial(t, s), exportMethods[signal], protoOf(t, text))
		if err != nil {
			return told{status: err.Error()}
		}
		return partialOf(t, b)
	}
}

func sendProto(s *Server) func(*testing.T, string) told {
	return func(t *testing.T, text string) told {
		signal, _ := signalOf(text)
		got := post(t, s, "/v1/"+signal.String(), protoOf(t, text), "Content-Type", typeProto)
		if got.status != 200 {
			return told{status: fmt.Sprint(got.status)}
		}
		return partialOf(t, got.body)
	}
}

func partialOf(t *testing.T, b []byte) told {
	t.Helper()
	in := b
	if len(b) > 0 {
		_, _, head := protowire.ConsumeTag(b)
		in, _ = protowire.ConsumeBytes(b[head:])
	}
	var p coltrace.ExportTracePartialSuccess
	if err := proto.Unmarshal(in, &p); err != nil {
		t.Fatal(err)
	}
	return told{"ok", uint64(p.RejectedSpans), p.ErrorMessage}
}

func sendJSON(s *Server) func(*testing.T, string) told {
	return func(t *testing.T, text string) told {
		signal, _ := signalOf(text)
		got := post(t, s, "/v1/"+signal.String(), []byte(text), "Content-Type", typeJSON)
		if got.status != 200 {
			return told{status: fmt.Sprintf("%d %s", got.status, got.body)}
		}
		var p struct {
			PartialSuccess struct {
				RejectedSpans uint64 `json:",string"`
				ErrorMessage  string
			}
		}
		if err := json.Unmarshal(got.body, &p); err != nil {
			t.Fatal(err)
		}
		return told{"ok", p.PartialSuccess.RejectedSpans, p.PartialSuccess.ErrorMessage}
	}
}

// importText reads a request as a file's only record. What is rejected is told
// in the file's messages.
func importText(st *store.Store) func(*testing.T, string) told {
	return func(t *testing.T, text string) told {
		sum, err := record.Import(t.Context(), record.Source{Path: "f", Input: strings.NewReader(text)}, func(b *otlp.Batch, r run.Receipt) error {
			_, err := st.Put(t.Context(), b, r)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if sum.BadRecords > 0 {
			return told{status: strings.Join(sum.Messages, "; ")}
		}
		return told{"ok", sum.Rejected, strings.Join(sum.Messages, "; ")}
	}
}

// stored is everything that is in a store, in words. Receive times are left out:
// a file has none.
func stored(st *store.Store) []string {
	var out []string
	s := st.Snapshot()
	for signal, a := range s.Accounts {
		out = append(out, fmt.Sprintf("%s: %+v", run.Signal(signal), a))
	}
	for _, r := range s.Runs {
		out = append(out, fmt.Sprintf("run %s of %s: %d truncated, %d invalid", r.ID, r.Service, r.Truncated, r.Invalid))
		for _, p := range r.Processes {
			out = append(out, "resource "+run.KVListValue(p.Resource).String())
		}
		r.EachSpan(func(c *store.Chunk, row int) bool {
			out = append(out, spanWords(c.Span(row)))
			return true
		})
		for _, m := range r.Metrics {
			out = append(out, fmt.Sprintf("metric %s %q %q %s %d %v, %d series, %+v", m.Name, m.Unit, m.Description, m.Kind, m.Temporality, m.Monotonic, m.SeriesSeen, m.Roll))
		}
		for _, c := range r.Logs {
			for _, l := range c.Records {
				out = append(out, fmt.Sprintf("log %d %d %s %s %q %s %s %d", l.Time, l.Severity, l.TraceID, l.SpanID, l.EventName, l.Body, run.KVListValue(l.Attrs), l.Flags))
			}
		}
	}
	return out
}

func spanWords(s run.Span) string {
	text := fmt.Sprintf("span %s %s %s %q %d %d–%d %d %q %d %d %q %s %v", s.TraceID, s.ID, s.Parent, s.Name, s.Kind, s.Start, s.End,
		s.Status, s.StatusMessage, s.Flags, s.Marks, s.TraceState, run.KVListValue(s.Attrs), []uint32{s.DroppedAttrs, s.DroppedEvents, s.DroppedLinks})
	for _, e := range s.Events {
		text += fmt.Sprintf(" event %d %q %s %d", e.Time, e.Name, run.KVListValue(e.Attrs), e.Dropped)
	}
	for _, l := range s.Links {
		text += fmt.Sprintf(" link %s %s %q %d %s", l.TraceID, l.ID, l.TraceState, l.Flags, run.KVListValue(l.Attrs))
	}
	return text
}
