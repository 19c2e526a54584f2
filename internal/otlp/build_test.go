package otlp

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// reencoded is body as the generated code writes it.
func reencoded(t *testing.T, m proto.Message, body []byte) []byte {
	t.Helper()
	if err := (proto.UnmarshalOptions{}).Unmarshal(body, m); err != nil {
		t.Fatal(err)
	}
	return mustMarshal(t, m)
}

func TestBuilderSpans(t *testing.T) {
	small := run.Span{TraceID: idA, ID: id2, Name: "s", Start: 1, End: 2}
	long := small
	long.Name = string(bytes.Repeat([]byte("long "), 20_000))
	scope := run.Scope{Name: "nemo.lens", Version: "1", Schema: "s1", Attrs: richAttrs()}
	for name, spans := range map[string][]run.Span{
		"none": nil, "small": {small}, "rich": {richSpan()}, "mixed": {small, richSpan(), long, small},
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(run.Traces)
			b.Resource(richAttrs(), 7, "s0")
			b.Scope(scope)
			for i := range spans {
				spans[i].Scope = scope
				b.Span(&spans[i])
			}
			body := b.Bytes()
			if !bytes.Equal(body, reencoded(t, &coltrace.ExportTraceServiceRequest{}, body)) {
				t.Errorf("not the canonical encoding")
			}
			got := mustDecode(t, run.Traces, body)
			var back []run.Span
			for i := range got.Spans {
				s, err := got.FullSpan(&got.Spans[i])
				if err != nil {
					t.Fatal(err)
				}
				back = append(back, s)
			}
			if d := cmp.Diff(spans, back, sameValues()); d != "" {
				t.Errorf("spans changed (-sent +read):\n%s", d)
			}
			if d := cmp.Diff(richAttrs(), got.AttrList(got.Resources[0].Attrs), sameValues()); d != "" {
				t.Errorf("resource changed (-sent +read):\n%s", d)
			}
		})
	}
}
