package otlp

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestOwners reads resources and scopes wherever they stand and however often.
func TestOwners(t *testing.T) {
	span := msg(2, ids())
	none := dump{Resources: []dumpResource{{}}, Scopes: []dumpScope{{}}}
	for _, c := range []struct {
		name string
		body []byte
		want dump
	}{
		{"nothing", nil, dump{}},
		{"empty resource entry", msg(1), dump{Resources: []dumpResource{{}}}},
		{"no resource, no scope", msg(1, msg(2, span)), none},
		{"empty resource, empty scope", msg(1, msg(1), msg(2, msg(1), span)), none},
		{"resource last", msg(1, msg(2, span), text1(3, "u"), msg(1, kv1(1, "a", "b"), vint(2, 3))),
			dump{Resources: []dumpResource{{[]run.Attr{str("a", "b")}, "u", 3}}, Scopes: []dumpScope{{}}}},
		{"resource in parts", msg(1, msg(1, kv1(1, "a", "b"), vint(2, 3)), msg(2, msg(2, ids(), kv1(9, "x", "y"))), msg(1, kv1(1, "c", "d"), vint(2, 4))),
			dump{Resources: []dumpResource{{[]run.Attr{str("a", "b"), str("c", "d")}, "", 4}}, Scopes: []dumpScope{{}}}},
		{"scope in parts", msg(1, msg(2, msg(1, text1(1, "n"), kv1(3, "a", "b")), span, msg(1, text1(2, "v"), kv1(3, "c", "d"), vint(4, 5)), text1(3, "u"))), dump{
			Resources: []dumpResource{{}},
			Scopes:    []dumpScope{{run.Scope{Name: "n", Version: "v", Schema: "u", Attrs: []run.Attr{str("a", "b"), str("c", "d")}}, 0, 5}},
		}},
		{"two of each", cat(msg(1, msg(2, span), msg(2, span)), msg(1, msg(1, kv1(1, "a", "b")), msg(2, msg(1, text1(1, "n"))))), dump{
			Resources: []dumpResource{{}, {[]run.Attr{str("a", "b")}, "", 0}},
			Scopes:    []dumpScope{{}, {}, {Scope: run.Scope{Name: "n"}, Resource: 1}},
		}},
		{"last schema", msg(1, text1(3, "a"), text1(3, "b")), dump{Resources: []dumpResource{{nil, "b", 0}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				if err := decode(run.Traces, c.body, &b); err != nil {
					t.Fatal(err)
				}
				d := dumpBatch(t, &b)
				d.Spans = nil
				if d := cmp.Diff(c.want, d, sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// TestRawOfOwners checks the bytes by which a process is recognised: the wire
// message itself, whatever stands around it, and its parts in order.
func TestRawOfOwners(t *testing.T) {
	one, two := cat(kv1(1, "a", "b"), vint(77, 1)), kv1(1, "c", "d")
	for _, c := range []struct {
		body []byte
		want []byte
	}{
		{msg(1, msg(1, one)), one},
		{msg(1, msg(2, msg(2, ids(), text1(5, "\xff"))), msg(1, one)), one},
		{msg(1, msg(1, one), msg(2, msg(2, ids(), text1(5, "\xff"))), msg(1, two), vint(9, 9), msg(1), msg(1, one)), cat(one, two, one)},
	} {
		b := mustDecode(t, run.Traces, c.body)
		if got := b.Bytes(b.Resources[0].Raw); !bytes.Equal(got, c.want) {
			t.Errorf("raw is % x, want % x", got, c.want)
		}
	}
	b := mustDecode(t, run.Traces, msg(1, msg(2, msg(1, text1(1, "n")), msg(1, text1(2, "v")))))
	if got := b.Bytes(b.Scopes[0].Raw); !bytes.Equal(got, cat(text1(1, "n"), text1(2, "v"))) {
		t.Errorf("raw scope is % x", got)
	}
}
