package telemetry_test

import (
	"bytes"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

func remote(t *testing.T) trace.SpanContext {
	t.Helper()
	traceID, _ := trace.TraceIDFromHex("5b8efff798038103d269b633813fc60c")
	spanID, _ := trace.SpanIDFromHex("eee19b7ec3c1b174")
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: spanID, TraceFlags: trace.FlagsSampled})
}

// TestCarrier goes there and back, without any set-up.
func TestCarrier(t *testing.T) {
	member, _ := baggage.NewMember("user", "me")
	bag, _ := baggage.New(member)
	ctx := baggage.ContextWithBaggage(trace.ContextWithSpanContext(t.Context(), remote(t)), bag)
	c := telemetry.Inject(ctx)
	if c["traceparent"] != "00-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174-01" || c["baggage"] != "user=me" {
		t.Errorf("carrier %v", c)
	}
	back := telemetry.Extract(t.Context(), c)
	if sc := trace.SpanContextFromContext(back); sc.SpanID() != remote(t).SpanID() || !sc.IsRemote() || baggage.FromContext(back).Member("user").Value() != "me" {
		t.Errorf("%v", sc)
	}
	if len(telemetry.Inject(t.Context())) != 0 {
		t.Error("something of nothing")
	}
	if telemetry.Extract(t.Context(), telemetry.Carrier{"traceparent": "nonsense"}) != t.Context() {
		t.Error("a context of nonsense")
	}
}

// TestCarrierBytes: the form of the Python library, json.dumps of the headers.
func TestCarrierBytes(t *testing.T) {
	const python = `{"traceparent": "00-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174-01"}`
	ours := telemetry.InjectBytes(trace.ContextWithSpanContext(t.Context(), remote(t)))
	if string(ours) != strings.ReplaceAll(python, ": ", ":") {
		t.Errorf("%s", ours)
	}
	tests := []struct {
		name  string
		bytes []byte
		valid bool
		err   bool
	}{
		{"ours", ours, true, false},
		{"python", []byte(python), true, false},
		{"padded", append([]byte(python), make([]byte, 40)...), true, false},
		{"nothing", nil, false, false},
		{"zeros", make([]byte, 8), false, false},
		{"empty object", []byte(`{}`), false, false},
		{"cut", []byte(python[:20]), false, true},
		{"not texts", []byte(`{"traceparent":1}`), false, true},
		{"huge", bytes.Repeat([]byte("x"), 1<<20), false, true},
	}
	for _, tt := range tests {
		ctx, err := telemetry.ExtractBytes(t.Context(), tt.bytes)
		if sc := trace.SpanContextFromContext(ctx); sc.IsValid() != tt.valid || (err != nil) != tt.err {
			t.Errorf("%s: %v, %v", tt.name, sc, err)
		}
		if !tt.valid && ctx != t.Context() {
			t.Errorf("%s: another context", tt.name)
		}
	}
}

func FuzzExtractBytes(f *testing.F) {
	f.Add([]byte(`{"traceparent":"00-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174-01"}`))
	f.Add([]byte(`{"baggage":"a=b;c"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		ctx, err := telemetry.ExtractBytes(t.Context(), b)
		if err != nil && ctx != t.Context() {
			t.Error("an error with another context")
		}
		again, err2 := telemetry.ExtractBytes(t.Context(), telemetry.InjectBytes(ctx))
		if sc := trace.SpanContextFromContext(ctx); err2 != nil || sc.TraceID() != trace.SpanContextFromContext(again).TraceID() {
			t.Errorf("%v does not come back: %v", sc, err2)
		}
	})
}

// TestPropagators is the standard variable.
func TestPropagators(t *testing.T) {
	for text, want := range map[string]string{"": "traceparent", "tracecontext": "traceparent", "baggage": "baggage", "none": "", "b3,tracecontext": "traceparent"} {
		var w told
		h := setup(t, newBackend(t), enabled(), w.option(), telemetry.WithEnv(env("OTEL_PROPAGATORS="+text)))
		fields := otel.GetTextMapPropagator().Fields()
		if !strings.Contains(strings.Join(fields, " "), want) || (want == "") != (len(fields) == 0) {
			t.Errorf("%q: %v", text, fields)
		}
		if (w.with("OTEL_PROPAGATORS", `"b3"`) == 1) != strings.Contains(text, "b3") {
			t.Errorf("%q: warnings %v", text, w.texts())
		}
		end(t, h)
	}
}
