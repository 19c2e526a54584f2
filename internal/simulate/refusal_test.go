package simulate

import (
	"errors"
	"fmt"
	"testing"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

func TestReadAnswer(t *testing.T) {
	full, err := proto.Marshal(&coltrace.ExportTraceServiceResponse{PartialSuccess: &coltrace.ExportTracePartialSuccess{RejectedSpans: 7, ErrorMessage: "ids"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		body []byte
		want answer
	}{
		{nil, answer{}}, {[]byte{0x0a, 0}, answer{}}, {full, answer{7, "ids"}},
		{append([]byte{0x7d, 1, 2, 3, 4}, full...), answer{7, "ids"}}, // an unknown field before
	} {
		if got, err := readAnswer(tc.body); err != nil || got != tc.want {
			t.Errorf("%x: %+v, %v, want %+v", tc.body, got, err, tc.want)
		}
	}
	for _, body := range [][]byte{{0x0a}, {0x0a, 5, 1}, {0xff}, {0x0a, 1, 0x08}, {0x0d, 1}} {
		if got, err := readAnswer(body); err == nil {
			t.Errorf("%x is read as %+v", body, got)
		}
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add(partial(3, "x"))
	f.Add([]byte{0x0a, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := readAnswer(body)
		var m coltrace.ExportTraceServiceResponse
		if proto.Unmarshal(body, &m) != nil || err != nil {
			return
		}
		// Messages sent in parts merge alike: the last of a field counts.
		if p := m.GetPartialSuccess(); uint64(p.GetRejectedSpans()) != a.rejected || p.GetErrorMessage() != a.message {
			t.Errorf("%x: %+v, generated code reads %v", body, a, p)
		}
	})
}

func TestAsRefusal(t *testing.T) {
	r := &refusal{text: "x", retry: true}
	if got := asRefusal(fmt.Errorf("wrapped: %w", r)); got != r {
		t.Errorf("asRefusal lost %+v: %+v", r, got)
	}
	if got := asRefusal(errors.New("y")); got.retry || got.fatal || got.text != "y" {
		t.Errorf("asRefusal of another error: %+v", got)
	}
}
