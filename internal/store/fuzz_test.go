package store

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// FuzzPut stores whatever decodes, twice and with another request between, and
// then reads everything: no panic, and every account balances.
func FuzzPut(f *testing.F) {
	f.Add(uint8(0), request(rank(0), fullStep(1)...))
	f.Add(uint8(0), request(rank(3, of("h", 1, str("nv.dl.run.uuid", "u"))...), oneTrace(ms)...))
	for sig := range run.SignalCount {
		body, _ := newChaos(1).request(sig)
		f.Add(uint8(sig), body)
	}
	f.Fuzz(func(t *testing.T, sig uint8, body []byte) {
		signal := run.Signal(sig % uint8(run.SignalCount))
		b := new(otlp.Batch)
		if b.Decode(signal, body) != nil {
			return
		}
		for _, files := range []bool{false, true} {
			s := New(Config{Budget: 1 << 20, Files: files})
			fx := &fixture{Store: s, t: t, now: int64(t0)}
			for range 2 {
				if _, err := s.Put(t.Context(), b, run.Receipt{Sender: "f", Raw: body}); err != nil {
					t.Fatal(err)
				}
				fx.send(rank(1), fullStep(1)...)
				s.Snapshot()
			}
			walk(t, s.Snapshot())
		}
	})
}

// FuzzBlob writes attributes into a dictionary's form and reads them back.
func FuzzBlob(f *testing.F) {
	f.Add(request(rank(0), sp(1, 0, "x", 0, 1, str("a", "b"), num("c", -5), real64("d", 1.5), truth("e", true))))
	f.Add(request(rank(0), sp(1, 0, "x", 0, 1, run.Attr{Key: "l", Value: run.ArrayValue([]run.Value{run.IntValue(1), run.BytesValue([]byte("x"))})})))
	f.Fuzz(func(t *testing.T, body []byte) {
		b := new(otlp.Batch)
		if b.Decode(run.Traces, body) != nil {
			return
		}
		d := newDict(run.IterationKeys())
		for i := range b.Spans {
			attrs := b.Attributes(b.Spans[i].Attrs)
			blob, at := d.encode(nil, b, attrs)
			sh := d.shapes[at]
			rest := blob
			for k := range attrs {
				v, n := d.value(rest, sh.types[k])
				if want := b.Value(attrs[k]); sh.keys[k] != string(b.Bytes(attrs[k].Key)) || !v.Equal(want) {
					t.Fatalf("attribute %d is %s=%v, want %v", k, sh.keys[k], v, want)
				}
				rest = rest[n:]
			}
			if len(rest) != 0 {
				t.Fatalf("%d bytes are left", len(rest))
			}
		}
	})
}
