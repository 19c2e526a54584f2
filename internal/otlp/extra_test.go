package otlp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestDecodeExtra(t *testing.T) {
	for _, c := range []struct {
		name  string
		extra []byte
		want  Extra
	}{
		{"nothing", nil, Extra{}},
		{"unknown fields", cat(vint(99, 1), text1(5, "name")), Extra{}},
		{"counts", cat(vint(10, 1), vint(12, 2), vint(14, 3)), Extra{DroppedAttrs: 1, DroppedEvents: 2, DroppedLinks: 3}},
		{"state and message", cat(text1(3, "a=b"), msg(15, text1(2, "m"), vint(3, 2))), Extra{TraceState: "a=b", StatusMessage: "m"}},
		{"event", msg(11, fix64(1, 5), text1(2, "e"), kv1(3, "a", "b"), vint(4, 6), kv1(3, "c", "d")),
			Extra{Events: []run.Event{{Time: 5, Name: "e", Attrs: []run.Attr{str("a", "b"), str("c", "d")}, Dropped: 6}}}},
		{"events and links in order", cat(msg(11, text1(2, "1")), msg(13, fix32(6, 1)), msg(11, text1(2, "2")), msg(13, fix32(6, 2))),
			Extra{Events: []run.Event{{Name: "1"}, {Name: "2"}}, Links: []run.Link{{Flags: 1}, {Flags: 2}}}},
		{"link", msg(13, text1(1, string(idA[:])), text1(2, string(id1[:])), text1(3, "x=y"), kv1(4, "a", "b"), vint(5, 6), fix32(6, 0x301)),
			Extra{Links: []run.Link{{TraceID: idA, ID: id1, TraceState: "x=y", Attrs: []run.Attr{str("a", "b")}, Dropped: 6, Flags: 0x301}}}},
		{"link with bad ids", msg(13, text1(1, "short"), text1(2, string(idA[:]))), Extra{Links: []run.Link{{}}}},
		{"link in foreign wire types", msg(13, vint(1, 1), fix64(5, 2), vint(6, 3)), Extra{Links: []run.Link{{}}}},
		{"text to repair", cat(text1(3, "\xff"), msg(11, text1(2, "\xff"), kv1(3, "\xff", "\xff")), msg(13, text1(3, "\xff"))), Extra{
			TraceState: "\uFFFD", Events: []run.Event{{Name: "\uFFFD", Attrs: []run.Attr{str("\uFFFD", "\uFFFD")}}},
			Links: []run.Link{{TraceState: "\uFFFD"}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := DecodeExtra(c.extra)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got, sameValues()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestDecodeExtraOfGarbage wants an error that names the part, and nothing
// beside it.
func TestDecodeExtraOfGarbage(t *testing.T) {
	cut := []byte{0x08, 0x80}
	for want, extra := range map[string][]byte{
		"truncated varint":                cut,
		"events: truncated varint":        cat(text1(3, "a=b"), msg(11, cut)),
		"links: truncated varint":         msg(13, cut),
		"status: truncated varint":        msg(15, cut),
		"field runs past the end":         msg(11, kv1(3, "a", "b"))[:6],
		"nested deeper than 200 levels":   msg(11, msg(3, msg(2, nested(MaxDepth+1, 5)))),
		"end of a group that was not beg": {0x0c},
	} {
		got, err := DecodeExtra(extra)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if d := cmp.Diff(Extra{}, got, sameValues()); d != "" {
			t.Errorf("%s: something was returned: %s", want, d)
		}
	}
}

func TestHasEvent(t *testing.T) {
	const name = "nemo.span.truncated"
	other := msg(11, text1(2, "exception"), kv1(3, "k", name))
	for _, c := range []struct {
		what  string
		extra []byte
		want  bool
	}{
		{"nothing", nil, false},
		{"the event", msg(11, fix64(1, 1), text1(2, name)), true},
		{"after others", cat(text1(3, name), other, other, msg(13, text1(3, name)), msg(11, text1(2, name))), true},
		{"only in other places", cat(text1(3, name), other, msg(13, text1(3, name)), msg(15, text1(2, name))), false},
		{"a longer name", msg(11, text1(2, name+"s")), false},
		{"name overwritten", msg(11, text1(2, name), text1(2, "x")), false},
		{"name overwriting", msg(11, text1(2, "x"), text1(2, name)), true},
		{"cut before it", cat([]byte{0x0b}, msg(11, text1(2, name))), false},
		{"cut inside", msg(11, text1(2, name), []byte{0x80}), false},
	} {
		if got := HasEvent(c.extra, name); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if !HasEvent(msg(11, fix64(1, 1)), "") || HasEvent(msg(11, text1(2, "x")), "") {
		t.Error("an event without a name is one with the empty name")
	}
}
