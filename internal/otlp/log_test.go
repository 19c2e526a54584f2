package otlp

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestLogs reads log records in odd forms. A record with a bad id is kept
// without it.
func TestLogs(t *testing.T) {
	list := func(n int64) []byte { return msg(5, msg(1, vint(3, uint64(n)))) }
	for _, c := range []struct {
		name   string
		record []byte
		want   run.Log
	}{
		{"empty", nil, run.Log{}},
		{"short ids", cat(text1(9, "short"), text1(10, "short"), text1(3, "INFO")), run.Log{SeverityText: "INFO"}},
		{"good trace id, long span id", cat(text1(9, string(idA[:])), text1(10, string(idA[:]))), run.Log{TraceID: idA}},
		{"bad id, then good", cat(text1(10, "x"), text1(10, string(id1[:]))), run.Log{SpanID: id1}},
		{"good id, then bad", cat(text1(10, string(id1[:])), text1(10, "x")), run.Log{}},
		{"severity beyond the enum", vint(2, 200), run.Log{Severity: 200}},
		{"severity beyond a byte", vint(2, 1<<20), run.Log{}},
		{"body of text", msg(5, text1(1, "loss is NaN")), run.Log{Body: run.StringValue("loss is NaN")}},
		{"body to repair", msg(5, text1(1, "caf\xe9")), run.Log{Body: run.StringValue("caf\uFFFD")}},
		{"body of bytes", msg(5, text1(7, "\xff\x00")), run.Log{Body: run.BytesValue([]byte{0xff, 0})}},
		{"empty body", msg(5), run.Log{}},
		{"body and attributes interleaved", cat(msg(5, list(1)), kv1(6, "a", "\xff"), msg(5, list(2)), kv1(6, "c", "d"), msg(5, list(3))), run.Log{
			Body:  run.ArrayValue([]run.Value{run.IntValue(1), run.IntValue(2), run.IntValue(3)}),
			Attrs: []run.Attr{str("a", "\uFFFD"), str("c", "d")},
		}},
		{"body replaced", cat(msg(5, list(1)), msg(5, vint(3, 4))), run.Log{Body: run.IntValue(4)}},
		{"numbers in foreign wire types", cat(vint(1, 1), fix64(2, 2), fix32(7, 3), vint(8, 4), vint(11, 5)), run.Log{}},
		{"last scalar", cat(fix64(1, 1), fix64(1, 2), vint(2, 3), vint(2, 4), fix64(11, 5), fix64(11, 6), text1(12, "a"), text1(12, "b"), fix32(8, 7), fix32(8, 8), vint(7, 9)),
			run.Log{Time: 2, Severity: 4, Observed: 6, EventName: "b", Flags: 8, Dropped: 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				if err := decode(run.Logs, oneItem(c.record), &b); err != nil {
					t.Fatal(err)
				}
				if b.Items() != 1 || len(b.Rejected) != 0 {
					t.Fatalf("%d items, rejected %v", b.Items(), b.Rejected)
				}
				if d := cmp.Diff(c.want, b.FullLog(&b.Logs[0]), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}
