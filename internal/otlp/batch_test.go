package otlp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestReuse decodes requests of all signals, good and broken, one after the
// other into one batch: none leaves a trace in the next.
func TestReuse(t *testing.T) {
	var b Batch
	for range 3 {
		for s := range run.SignalCount {
			body := richBody(s)
			if err := b.Decode(s, body[:len(body)-1]); err == nil {
				t.Fatal("a cut request is accepted")
			}
			if b.Items() != 0 || len(b.Resources)+len(b.Attrs)+len(b.Rejected)+b.Repaired != 0 || b.buf != nil {
				t.Errorf("%s: rows left after an error: %+v", s, dumpBatch(t, &b))
			}
			if err := b.Decode(s, body); err != nil {
				t.Fatal(err)
			}
			sameDump(t, s.String(), dumpBatch(t, mustDecode(t, s, body)), dumpBatch(t, &b))
		}
	}
}

// TestLateErrorLeavesNothing breaks the last of many spans: the ones before it
// are not there either.
func TestLateErrorLeavesNothing(t *testing.T) {
	good := msg(2, ids(), kv1(9, "a", "\xff"))
	body := msg(1, msg(2, bytes.Repeat(good, 100), msg(2, text1(1, "short")), msg(2, ids(), msg(9, []byte{0x08}))))
	eachDecoder(t, func(t *testing.T, decode Decoder) {
		b := mustDecode(t, run.Traces, richBody(run.Traces))
		if err := decode(run.Traces, body, b); err == nil {
			t.Fatal("accepted")
		}
		sameDump(t, "rows left", dump{}, dumpBatch(t, b))
	})
}

func TestItems(t *testing.T) {
	for s, want := range map[run.Signal]int{run.Traces: 1, run.Metrics: 9, run.Logs: 1} {
		if b := mustDecode(t, s, richBody(s)); b.Items() != want {
			t.Errorf("%s: %d items, want %d", s, b.Items(), want)
		}
	}
	bad := msg(2, text1(5, "no ids"))
	if b := mustDecode(t, run.Traces, msg(1, msg(2, msg(2, ids()), bad, bad))); b.Items() != 3 {
		t.Errorf("%d items, rejected ones must count", b.Items())
	}
}

func TestZeroRef(t *testing.T) {
	var b Batch
	if p := b.Bytes(Ref{}); len(p) != 0 {
		t.Errorf("the zero Ref of an empty batch is %q", p)
	}
	if (Ref{}).Len() != 0 || (Range{3, 7}).Len() != 4 || b.AttrList(Range{}) != nil {
		t.Error("zero values have a length")
	}
}

// TestJoin checks that joining onto the end of the side buffer moves nothing.
func TestJoin(t *testing.T) {
	b := Batch{buf: []byte("onetwothree")}
	one, two, three := Ref{0, 3}, Ref{3, 3}, Ref{6, 5}
	if r := b.join(Ref{}, one); r != one || len(b.side) != 0 {
		t.Errorf("joining to nothing copied: %+v", r)
	}
	r := b.join(one, two)
	r = b.join(r, three)
	if got := string(b.Bytes(r)); got != "onetwothree" || len(b.side) != 11 {
		t.Errorf("%q in %d side bytes", got, len(b.side))
	}
	b.keep([]byte("-"))
	if got := string(b.Bytes(b.join(r, one))); got != "onetwothreeone" {
		t.Errorf("after other bytes: %q", got)
	}
	if got := string(b.Bytes(r)); got != "onetwothree" {
		t.Errorf("the earlier Ref leads to %q", got)
	}
}

// TestBytesCannotGrow checks that appending to what Bytes gives overwrites
// nothing of the request.
func TestBytesCannotGrow(t *testing.T) {
	b := mustDecode(t, run.Traces, oneItem(ids(), text1(5, "name"), kv1(9, "k", "v")))
	_ = append(b.Bytes(b.Spans[0].Name), "XXXX"...)
	if got := string(b.Bytes(b.Attrs[0].Key)); got != "k" {
		t.Errorf("key became %q", got)
	}
}

// TestRepairedIsCounted counts each text that is not UTF-8 once, wherever it
// stands, also in what is dropped, skipped or read later.
func TestRepairedIsCounted(t *testing.T) {
	bad := "\xff"
	for _, c := range []struct {
		what   string
		signal run.Signal
		body   []byte
		want   int
	}{
		{"nothing", run.Traces, richBody(run.Traces), 0},
		{"resource, entity and schema", run.Logs, msg(1, msg(1, kv1(1, bad, bad), msg(3, text1(1, bad), text1(2, bad), text1(3, bad), text1(3, bad), text1(4, bad), text1(5, bad))), text1(3, bad)), 8},
		{"scope", run.Logs, msg(1, msg(2, msg(1, text1(1, bad), text1(2, bad), kv1(3, bad, bad)), text1(3, bad))), 5},
		{"span", run.Traces, oneItem(ids(), text1(5, bad), text1(5, bad), text1(3, bad), kv1(9, bad, bad)), 5},
		{"event, link, status", run.Traces, oneItem(ids(), msg(11, text1(2, bad), kv1(3, bad, bad)), msg(13, text1(3, bad), kv1(4, bad, bad)), msg(15, text1(2, bad))), 7},
		{"nested values", run.Traces, oneItem(ids(), kv(9, "k", msg(5, msg(1, text1(1, bad)), msg(1, msg(6, kv1(1, bad, bad)))))), 3},
		{"replaced value", run.Traces, oneItem(ids(), kv(9, "k", cat(text1(1, bad), vint(3, 1)))), 1},
		{"bytes are not text", run.Traces, oneItem(ids(), kv(9, "k", text1(7, bad))), 0},
		{"unknown field", run.Traces, oneItem(ids(), text1(99, bad)), 0},
		{"metric", run.Metrics, oneItem(text1(1, bad), text1(2, bad), text1(3, bad), kv1(12, bad, bad), msg(5, msg(1, kv1(7, bad, bad), msg(5, kv1(7, bad, bad))))), 9},
		{"data that is replaced", run.Metrics, oneItem(msg(5, msg(1, kv1(7, bad, bad))), msg(7)), 2},
		{"log", run.Logs, oneItem(text1(3, bad), text1(12, bad), msg(5, text1(1, bad)), kv1(6, bad, bad)), 5},
	} {
		eachDecoder(t, func(t *testing.T, decode Decoder) {
			var b Batch
			if err := decode(c.signal, c.body, &b); err != nil || b.Repaired != c.want {
				t.Errorf("%s: repaired %d, want %d (%v)", c.what, b.Repaired, c.want, err)
			}
		})
	}
}

func TestDecoderNamed(t *testing.T) {
	if d, err := DecoderNamed(""); d == nil || err != nil {
		t.Errorf("no default: %v", err)
	}
	_, err := DecoderNamed("slow")
	if err == nil || !strings.Contains(err.Error(), `"slow"`) || !strings.Contains(err.Error(), "fast, generated") {
		t.Errorf("got %v, want the name and the choice", err)
	}
}

func TestFootprint(t *testing.T) {
	var b Batch
	if n := b.Footprint(); n != 0 {
		t.Errorf("an unused batch holds %d bytes", n)
	}
	small := mustDecode(t, run.Traces, richBody(run.Traces)).Footprint()
	large := mustDecode(t, run.Traces, trainingBatches()[0]).Footprint()
	if small == 0 || large < benchSpans*8*32 || large > 64*benchSpans*8*32 {
		t.Errorf("holds %d and %d bytes", small, large)
	}
}
