package otlp

import (
	"bytes"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestRepairer repairs what descriptors call text and copies the rest.
func TestRepairer(t *testing.T) {
	md := newRequest(run.Traces).ProtoReflect().Descriptor()
	fix := func(s string) []byte { // a request in which s stands in all kinds of places
		return cat(
			msg(1, msg(1, kv1(1, s, s)), text1(3, s), msg(2, text1(3, s), msg(2, ids(), text1(5, s),
				kv(9, s, msg(6, kv(1, s, msg(5, msg(1, text1(1, s)))))))), vint(3, 5)),
			group(9, text1(1, "\xff")), text1(77, "\xff"), msg(1, msg(2, msg(2, kv(9, "k", text1(7, "\xff"))))))
	}
	var r repairer
	got, err := r.message(nil, fix("a\xff"), md, 0)
	if err != nil || r.count != 8 || !bytes.Equal(got, fix("a\uFFFD")) {
		t.Errorf("repaired %d, %v:\n% x\nwant\n% x", r.count, err, got, fix("a\uFFFD"))
	}
	for name, p := range map[string][]byte{
		"cut": {0x0a, 0x05}, "cut tag": {0x80}, "cut inside": msg(1, msg(2, []byte{0x0a, 0x05})),
		"too deep": oneItem(kv(9, "k", nested(2*MaxDepth, 6))),
	} {
		var r repairer
		if _, err := r.message(nil, p, md, 0); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestGeneratedKeepsItsError gives the first error of a request that is
// malformed beside having bad text.
func TestGeneratedKeepsItsError(t *testing.T) {
	var b Batch
	for _, body := range [][]byte{{0x80}, cat(oneItem(ids(), text1(5, "\xff")), []byte{0x80})} {
		if err := DecodeGenerated(run.Traces, body, &b); err == nil {
			t.Errorf("% x accepted", body)
		}
	}
}
