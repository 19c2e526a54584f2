package otlp

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestFieldRead holds single fields to protowire, at an offset and with bytes
// behind them.
func TestFieldRead(t *testing.T) {
	fields := map[string][]byte{
		"varint": vint(1, 1), "long varint": vint(15, 1<<63), "high number": vint(maxField, 7), "fixed64": fix64(2, 9), "fixed32": fix32(3, 9),
		"bytes": text1(4, "abc"), "empty bytes": msg(5), "group": group(6, vint(1, 1), fix32(2, 2), fix64(3, 3), text1(4, "x"), group(6, group(7))),
	}
	for name, p := range fields {
		t.Run(name, func(t *testing.T) {
			num, wire, n := protowire.ConsumeField(p)
			body := cat([]byte{1, 2, 3}, p, []byte{0xff, 0xff})
			var f field
			if err := f.read(body[:3+n], 3); err != nil {
				t.Fatal(err)
			}
			if f.num != uint32(num) || f.wire != uint8(wire) || f.end != 3+n {
				t.Errorf("got %+v, want number %d, wire type %d, end %d", f, num, wire, 3+n)
			}
			for cut := range n {
				if err := f.read(body[:3+cut], 3); err == nil {
					t.Errorf("cut at %d of %d: no error", cut, n)
				}
			}
		})
	}
}

func TestFieldReadErrors(t *testing.T) {
	for _, c := range []struct {
		p    []byte
		want wireError
	}{
		{nil, errVarint},
		{[]byte{0x80}, errVarint},
		{[]byte{0x00}, errFieldNumber},
		{[]byte{0x02, 0x00}, errFieldNumber},
		{vint(maxField, 1)[:4], errVarint},
		{protowire.AppendVarint(nil, (maxField+1)<<3), errFieldNumber},
		{[]byte{0x08}, errVarint},
		{[]byte{0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, errOverflow},
		{[]byte{0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, errOverflow},
		{[]byte{0x09, 1, 2, 3, 4, 5, 6, 7}, errTruncated},
		{[]byte{0x0a, 0x01}, errTruncated},
		{[]byte{0x0a}, errVarint},
		{[]byte{0x0b}, errVarint},
		{[]byte{0x0b, 0x14}, errEndGroup},
		{[]byte{0x0b, 0x00}, errFieldNumber},
		{[]byte{0x0b, 0x0e, 0x0c}, errWireType},
		{[]byte{0x0b, 0x12, 0x7f, 0x0c}, errTruncated},
		{[]byte{0x0c}, errEndGroup},
		{[]byte{0x0d, 1, 2, 3}, errTruncated},
		{[]byte{0x0e}, errWireType},
		{[]byte{0x0f}, errWireType},
	} {
		var f field
		if err := f.read(c.p, 0); !errors.Is(err, c.want) {
			t.Errorf("% x: %v, want %v", c.p, err, c.want)
		}
		if _, _, n := protowire.ConsumeField(c.p); n >= 0 && c.want != errFieldNumber {
			t.Errorf("% x: protowire takes it", c.p)
		}
	}
}

// TestGroupDepth bounds groups in groups.
func TestGroupDepth(t *testing.T) {
	deep := func(n int) []byte {
		p := group(7)
		for ; n > 1; n-- {
			p = group(7, p)
		}
		return p
	}
	var f field
	if err := f.read(deep(MaxDepth), 0); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
	if err := f.read(deep(MaxDepth+1), 0); !errors.Is(err, errDepth) {
		t.Errorf("%d levels: %v", MaxDepth+1, err)
	}
}
