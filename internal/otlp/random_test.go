package otlp

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/beamline-hpc/lensview/internal/run"
)

// random writes messages that are valid for a descriptor but use all the
// freedom of the wire: any order, repeated and split fields, members of a oneof
// after one another, foreign wire types, unknown fields, long varints, text
// that is not UTF-8. Byte-level fuzzing hardly ever finds such messages.
type random struct{ *rand.Rand }

// body is a request, sometimes damaged in one byte or cut.
func (r random) body(s run.Signal) []byte {
	p := r.message(newRequest(s).ProtoReflect().Descriptor(), 0)
	switch n := r.IntN(10); {
	case n == 0 && len(p) > 0:
		p[r.IntN(len(p))] = byte(r.Uint32())
	case n == 1 && len(p) > 0:
		p = p[:r.IntN(len(p))]
	}
	return p
}

func (r random) message(md protoreflect.MessageDescriptor, depth int) []byte {
	var p []byte
	if md.Name() == "Span" && r.IntN(8) > 0 {
		p = ids()
	}
	n := r.IntN(6)
	if depth < 4 {
		n += 2 // reach the items
	}
	for ; n > 0; n-- {
		fd := md.Fields().Get(r.IntN(md.Fields().Len()))
		switch k := r.IntN(12); {
		case k == 0:
			p = r.field(p, protowire.Number(100+r.IntN(2000)))
		case k == 1:
			p = append(p, fix32(fd.Number(), r.Uint32())...)
		case k == 2 && fd.Kind() != protoreflect.MessageKind && !fd.IsList():
			p = r.field(p, fd.Number())
		case fd.Kind() == protoreflect.MessageKind && depth > 14:
		default:
			p = r.known(p, fd, depth)
		}
	}
	return p
}

// field appends a field of any wire type.
func (r random) field(p []byte, num protowire.Number) []byte {
	switch r.IntN(5) {
	case 0:
		return append(p, fix64(num, r.Uint64())...)
	case 1:
		return append(p, fix32(num, r.Uint32())...)
	case 2:
		return append(p, vint(num, r.number())...)
	case 3:
		return append(p, group(num, r.field(nil, 1), r.field(nil, num))...)
	}
	return append(p, text1(num, r.text())...)
}

// known appends a field of the type it should have.
func (r random) known(p []byte, fd protoreflect.FieldDescriptor, depth int) []byte {
	num := fd.Number()
	switch fd.Kind() {
	case protoreflect.StringKind:
		return append(p, text1(num, r.text())...)
	case protoreflect.BytesKind:
		return append(p, text1(num, r.id(string(fd.Name())))...)
	case protoreflect.MessageKind:
		return append(p, msg(num, r.message(fd.Message(), depth+1))...)
	case protoreflect.Fixed64Kind, protoreflect.DoubleKind, protoreflect.Sfixed64Kind:
		if fd.IsList() && r.IntN(3) > 0 {
			return append(p, text1(num, strings.Repeat("\x01\x02\x03\x04\x00\x00\x00\x00", r.IntN(4)))...)
		}
		return append(p, fix64(num, [...]uint64{0, 1, r.Uint64(), math.Float64bits(math.NaN()), math.Float64bits(-2)}[r.IntN(5)])...)
	case protoreflect.Fixed32Kind:
		return append(p, fix32(num, r.Uint32())...)
	}
	if fd.IsList() && r.IntN(3) > 0 {
		return append(p, msg(num, protowire.AppendVarint(nil, r.number()), protowire.AppendVarint(nil, r.number()))...)
	}
	return append(p, r.padded(vint(num, r.number()))...)
}

// number is small, an edge, or any.
func (r random) number() uint64 {
	return [...]uint64{0, 1, 2, 255, 256, math.MaxInt32, 1 << 31, math.MaxUint32 + 1, math.MaxUint64, r.Uint64()}[r.IntN(10)]
}

// padded gives the last varint of p bytes that add nothing, now and then.
func (r random) padded(p []byte) []byte {
	if len(p) > 6 || r.IntN(4) > 0 {
		return p
	}
	p[len(p)-1] |= 0x80
	return append(p, 0x80, 0x00)
}

func (r random) text() string {
	return [...]string{"", "k", "train.step", "naïve", "\xff", "a\xe2\x82z", strings.Repeat("long ", 40)}[r.IntN(7)]
}

// id is an id of a right or wrong length, or other bytes.
func (r random) id(name string) string {
	n := 8
	if strings.Contains(name, "trace") {
		n = 16
	}
	id := make([]byte, [...]int{0, 3, n, n, n, n + 1}[r.IntN(6)])
	if r.IntN(4) > 0 {
		for i := range id {
			id[i] = byte(r.Uint32())
		}
	}
	return string(id)
}

// FuzzRandom is the differential test on such messages.
func FuzzRandom(f *testing.F) {
	for i := range uint64(300) {
		f.Add(i)
	}
	var used [run.SignalCount][]byte
	for s := range used {
		used[s] = richBody(run.Signal(s))
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := random{rand.New(rand.NewPCG(seed, 1))}
		s := run.Signal(r.IntN(int(run.SignalCount)))
		differential(t, s, r.body(s), mustDecode(t, s, used[s]))
	})
}

// TestRandomReaches checks that the random messages are good for something.
func TestRandomReaches(t *testing.T) {
	refused, repaired, rejected, items := 0, 0, 0, [run.SignalCount]int{}
	for seed := range uint64(1500) {
		r := random{rand.New(rand.NewPCG(seed, 1))}
		s := run.Signal(r.IntN(int(run.SignalCount)))
		var b Batch
		if b.Decode(s, r.body(s)) != nil {
			refused++
			continue
		}
		items[s] += b.Items()
		repaired += b.Repaired
		rejected += len(b.Rejected)
	}
	if refused == 0 || repaired == 0 || rejected == 0 || items[run.Traces] < 250 || items[run.Metrics] < 250 || items[run.Logs] < 250 {
		t.Errorf("refused %d, repaired %d, rejected %d, items %v", refused, repaired, rejected, items)
	}
}
