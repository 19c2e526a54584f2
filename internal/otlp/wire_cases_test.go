package otlp

import (
	"bytes"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Messages by hand, for forms that no generated code writes.

// cat joins fields to a message.
func cat(fields ...[]byte) []byte { return bytes.Join(fields, nil) }

// msg is a bytes field with a message of these fields in it.
func msg(num protowire.Number, fields ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), cat(fields...))
}

func text1(num protowire.Number, s string) []byte { return msg(num, []byte(s)) }

func vint(num protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
}

func fix64(num protowire.Number, v uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), v)
}

func fix32(num protowire.Number, v uint32) []byte {
	return protowire.AppendFixed32(protowire.AppendTag(nil, num, protowire.Fixed32Type), v)
}

func group(num protowire.Number, fields ...[]byte) []byte {
	return protowire.AppendGroup(protowire.AppendTag(nil, num, protowire.StartGroupType), num, cat(fields...))
}

// kv is a KeyValue in field num, kv1 one with a string value.
func kv(num protowire.Number, key string, values ...[]byte) []byte {
	fields := [][]byte{text1(1, key)}
	for _, v := range values {
		fields = append(fields, msg(2, v))
	}
	return msg(num, fields...)
}

func kv1(num protowire.Number, key, value string) []byte { return kv(num, key, text1(1, value)) }

// ids are the ids of a good span.
func ids() []byte { return cat(text1(1, string(idA[:])), text1(2, string(id1[:]))) }

// oneItem is a request with one item of these fields.
func oneItem(fields ...[]byte) []byte { return msg(1, msg(2, msg(2, fields...))) }

// attrField is where an item of the signal keeps its attributes.
func attrField(s run.Signal) protowire.Number { return [...]protowire.Number{9, 12, 6}[s] }

// nameField is a text field of an item of the signal.
func nameField(s run.Signal) protowire.Number { return [...]protowire.Number{5, 1, 3}[s] }

// item is a good item of the signal with more fields.
func item(s run.Signal, fields ...[]byte) []byte {
	if s == run.Traces {
		fields = append([][]byte{ids()}, fields...)
	}
	return oneItem(fields...)
}

// withAttr is a request with one item of one attribute of these fields.
func withAttr(s run.Signal, fields ...[]byte) []byte { return item(s, msg(attrField(s), fields...)) }

// wireCase is a request in an odd form, for each signal.
type wireCase struct {
	name string
	body func(run.Signal) []byte
	bad  bool // must be refused
}

// same is a body that does not depend on the signal.
func same(fields ...[]byte) func(run.Signal) []byte {
	return func(run.Signal) []byte { return cat(fields...) }
}

// attr is a body with one attribute of these fields.
func attrCase(fields ...[]byte) func(run.Signal) []byte {
	return func(s run.Signal) []byte { return withAttr(s, fields...) }
}

func wireCases() []wireCase {
	return append(append(envelopeCases(), valueCases()...), brokenCases()...)
}

func envelopeCases() []wireCase {
	resource := msg(1, kv1(1, "a", "1"), vint(2, 3))
	return []wireCase{
		{name: "empty resource list entry", body: same(msg(1))},
		{name: "empty scope", body: same(msg(1, msg(1), msg(2, msg(1))))},
		{name: "empty item", body: same(oneItem())},
		{name: "unknown fields everywhere", body: func(s run.Signal) []byte {
			u := cat(vint(900, 1), fix64(901, 2), text1(902, "\xff"), fix32(903, 4), group(904, vint(1, 1), group(5, text1(6, "x"))))
			return cat(u, msg(1, u, msg(1, u), msg(2, u, msg(1, u), item(s, u), msg(2, ids(), u, msg(attrField(s), u)))), u)
		}},
		{name: "resource after scopes", body: func(s run.Signal) []byte { return msg(1, msg(2, msg(2, ids())), resource) }},
		{name: "resource in two parts", body: same(msg(1, resource, msg(2, msg(2, ids())), msg(1, kv1(1, "b", "2"), vint(2, 9))))},
		{name: "scope in three parts after items", body: same(msg(1, msg(2, msg(2, ids()), msg(1, text1(1, "n"), kv1(3, "a", "1")),
			msg(1, text1(2, "v"), kv1(3, "b", "2")), text1(3, "schema"), msg(1, text1(1, "m")))))},
		{name: "known numbers with foreign wire types", body: same(msg(1, vint(1, 1), fix64(2, 5), vint(3, 7), msg(2, vint(2, 2), fix32(1, 3))))},
		{name: "long varints", body: func(s run.Signal) []byte {
			inner := withAttr(s, text1(1, "k"), msg(2, []byte{0x98, 0x80, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}))
			_, _, n := protowire.ConsumeTag(inner)
			content, _ := protowire.ConsumeBytes(inner[n:])
			return cat([]byte{0x8a, 0x80, 0x80, 0x00}, protowire.AppendVarint(nil, uint64(len(content))), content)
		}},
		{name: "text that is not UTF-8", body: func(s run.Signal) []byte {
			bad := "caf\xe9 \xff\xfe\u00e9"
			return msg(1, msg(1, kv1(1, bad, bad), msg(3, text1(1, bad), text1(3, bad))), text1(3, bad), msg(2,
				msg(1, text1(1, bad), text1(2, bad), kv1(3, bad, bad)), text1(3, bad),
				msg(2, ids(), text1(nameField(s), bad), kv(attrField(s), bad, msg(6, kv1(1, bad, bad))))))
		}},
	}
}

func valueCases() []wireCase {
	one, two := msg(1, vint(3, 1)), msg(1, vint(3, 2)) // elements of an array
	return []wireCase{
		{name: "key without value", body: attrCase(text1(1, "k"))},
		{name: "empty value", body: attrCase(text1(1, "k"), msg(2))},
		{name: "value before key", body: attrCase(msg(2, vint(3, 1)), text1(1, "k"))},
		{name: "key twice", body: attrCase(text1(1, "\xff"), text1(1, "k"), msg(2, vint(3, 1)))},
		{name: "last member of the oneof", body: attrCase(text1(1, "k"), msg(2, msg(5, one), text1(1, "s"), vint(2, 7)))},
		{name: "array in two parts", body: attrCase(text1(1, "k"), msg(2, msg(5, one), msg(5, two)))},
		{name: "array in two values", body: attrCase(text1(1, "k"), msg(2, msg(5, one)), text1(1, "\xff"), msg(2, msg(5, two), msg(5, one)))},
		{name: "array anew after a scalar", body: attrCase(text1(1, "k"), msg(2, msg(5, one), vint(3, 1), msg(5, two)))},
		{name: "array, then map", body: attrCase(text1(1, "k"), msg(2, msg(5, one), msg(6, kv1(1, "x", "y")), msg(6, kv1(1, "x", "z"))))},
		{name: "nested parts", body: attrCase(text1(1, "k"), msg(2, msg(5, msg(1, msg(5, one), msg(5, two), msg(6), msg(6, kv1(1, "\xff", "\xff"))))))},
		{name: "string index of profiles", body: attrCase(text1(1, "k"), msg(2, text1(1, "s"), vint(8, 1)), vint(3, 4))},
		{name: "bool of 2", body: attrCase(text1(1, "k"), msg(2, vint(2, 2)))},
		{name: "NaN", body: attrCase(text1(1, "k"), msg(2, fix64(4, math.Float64bits(math.NaN())|1)))},
		{name: "value of foreign wire types", body: attrCase(text1(1, "k"), msg(2, vint(1, 1), fix64(3, 1), vint(4, 1)))},
		{name: "long string", body: attrCase(text1(1, "k"), msg(2, text1(1, string(bytes.Repeat([]byte("0123456789"), 50)))))},
		{name: "60 deep", body: attrCase(text1(1, "k"), msg(2, nested(60, 6)))},
		{name: "as deep as is read", body: attrCase(text1(1, "k"), msg(2, nested(MaxDepth, 5)))},
		{name: "one level too deep", body: attrCase(text1(1, "k"), msg(2, nested(MaxDepth+1, 5))), bad: true},
		{name: "one map level too deep", body: attrCase(text1(1, "k"), msg(2, nested(MaxDepth+1, 6))), bad: true},
	}
}

// nested is an AnyValue with levels of arrays (5) or kvlists (6) in one another.
func nested(levels int, kind protowire.Number) []byte {
	sizes := make([]int, levels+1) // of the AnyValue around so many levels
	for n := 1; n <= levels; n++ {
		inner := protowire.SizeTag(1) + protowire.SizeBytes(sizes[n-1])
		if kind == 6 {
			inner = protowire.SizeTag(1) + protowire.SizeBytes(inner)
		}
		sizes[n] = protowire.SizeTag(kind) + protowire.SizeBytes(inner)
	}
	var p []byte
	for n := levels; n > 0; n-- {
		value := protowire.SizeTag(1) + protowire.SizeBytes(sizes[n-1])
		list := value
		if kind == 6 {
			list = protowire.SizeTag(1) + protowire.SizeBytes(value)
		}
		p = protowire.AppendVarint(protowire.AppendTag(p, kind, protowire.BytesType), uint64(list))
		num := protowire.Number(1) // of the value in the list or pair
		if kind == 6 {
			p = protowire.AppendVarint(protowire.AppendTag(p, 1, protowire.BytesType), uint64(value))
			num = 2
		}
		p = protowire.AppendVarint(protowire.AppendTag(p, num, protowire.BytesType), uint64(sizes[n-1]))
	}
	return p
}

func brokenCases() []wireCase {
	cases := []wireCase{
		{name: "field 0", body: same([]byte{0x00, 0x01})},
		{name: "field number of 30 bits", body: same(protowire.AppendVarint(nil, 1<<32), []byte{1})},
		{name: "group with a field number of 31 bits", body: same(group(7, protowire.AppendVarint(nil, (1<<31-1)<<3), []byte{1}))},
		{name: "group with a field number of 32 bits", body: same(group(7, protowire.AppendVarint(nil, 1<<34), []byte{1})), bad: true},
		{name: "group without an end", body: same(group(7, vint(1, 1))[:3])},
		{name: "group with a foreign end", body: same([]byte{0x3b, 0x44})},
		{name: "end of no group", body: same([]byte{0x3c})},
		{name: "wire type 6", body: same([]byte{0x0e})},
		{name: "varint of 65 bits", body: same(vint(1, 0)[:1], bytes.Repeat([]byte{0x80}, 9), []byte{0x02})},
		{name: "varint without an end", body: same([]byte{0x08, 0x80})},
		{name: "length past the end", body: same([]byte{0x0a, 0x05, 0x01})},
		{name: "length of 64 bits", body: same([]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})},
		{name: "fixed64 cut", body: same([]byte{0x09, 1, 2, 3})},
		{name: "fixed32 cut", body: same([]byte{0x0d, 1, 2, 3})},
		{name: "resource cut in one part of two", body: same(msg(1, msg(1, []byte{0x0a, 0x02}), msg(1, []byte{0x0a, 0x00})))},
		{name: "value cut in one part of two", body: attrCase(text1(1, "k"), msg(2, []byte{0x2a, 0x02}), msg(2, []byte{0x0a, 0x00}))},
		{name: "array cut", body: attrCase(text1(1, "k"), msg(2, msg(5, []byte{0x0a, 0x09})))},
		{name: "map cut", body: attrCase(text1(1, "k"), msg(2, msg(6, msg(1, []byte{0x0a, 0x09}))))},
		{name: "nested value cut", body: attrCase(text1(1, "k"), msg(2, msg(5, msg(1, []byte{0x08}))))},
		{name: "entity cut", body: same(msg(1, msg(1, msg(3, []byte{0x0a, 0x09}))))},
		{name: "status code without an end", body: func(s run.Signal) []byte {
			if s == run.Traces {
				return oneItem(ids(), msg(15, []byte{0x18, 0x82}))
			}
			return []byte{0x08, 0x82}
		}},
		{name: "scope cut", body: same(msg(1, msg(2, msg(1, []byte{0x0a, 0x09}))))},
	}
	for i := range cases {
		cases[i].bad = cases[i].name != "group with a field number of 31 bits"
	}
	return cases
}
