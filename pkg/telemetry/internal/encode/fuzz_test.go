package encode_test

import (
	"encoding/json"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
)

// FuzzJSON: any text and number comes back by the stock decoder, from one line
// without a control character.
func FuzzJSON(f *testing.F) {
	f.Add("a\nb\x1b\"\\", int64(-1), 0.1, []byte{0, 255})
	f.Add("\u2028\u0085\U0001F600", int64(1<<53+1), -1e300, []byte(nil))
	f.Fuzz(func(t *testing.T, text string, n int64, x float64, b []byte) {
		m := &commonpb.KeyValueList{Values: []*commonpb.KeyValue{
			{Key: strings.ToValidUTF8(text, "?"), Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: strings.ToValidUTF8(text, "?")}}},
			{Key: "n", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: n}}},
			{Key: "x", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: x}}},
			{Key: "b", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: b}}},
		}}
		line := encode.AppendJSON(nil, m)
		if !json.Valid(line) || strings.ContainsFunc(string(line), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			t.Fatalf("line %q", line)
		}
		var back commonpb.KeyValueList
		if err := protojson.Unmarshal(line, &back); err != nil {
			t.Fatal(err)
		}
		if x == x && !proto.Equal(m, &back) {
			t.Errorf("%v came back as %v", m, &back)
		}
	})
}
