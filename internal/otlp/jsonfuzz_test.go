package otlp

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/beamline-hpc/lensview/internal/run"
)

// FuzzJSON gives the same bytes to both directions. As JSON they must be refused
// or give protobuf that the generated code reads; as protobuf they must become
// JSON that reads back to what the generated code read.
func FuzzJSON(f *testing.F) {
	for _, s := range allSignals {
		f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8e","kind":2,"name":null,"name":"\ud800"}]}]}],"x":[1]}`), uint8(s))
		f.Add(richBody(s), uint8(s))
		for seed := range uint64(4) {
			m := randomMessage(s, seed)
			wire, _ := proto.Marshal(m)
			body, _ := protojson.Marshal(m)
			f.Add(wire, uint8(s))
			f.Add(body, uint8(s))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		s := allSignals[int(which)%len(allSignals)]
		fuzzFromJSON(t, data)
		fuzzFromWire(t, s, data)
	})
}

func fuzzFromJSON(t *testing.T, body []byte) {
	for _, opt := range []JSONOptions{{}, {File: true}} {
		requests, err := NewTranscoder(opt).Transcode(body)
		if err != nil {
			continue
		}
		if !json.Valid(body) {
			t.Fatalf("read what is no JSON: %q", body)
		}
		for s, wire := range requests {
			want, err := oracle(run.Signal(s), wire)
			if err != nil {
				t.Fatalf("generated code refuses what was made of %q: %v", body, err)
			}
			sameMessage(t, "message after another round", want, throughJSON(t, run.Signal(s), wire))
		}
	}
}

// throughJSON writes wire as JSON and reads that back.
func throughJSON(t *testing.T, s run.Signal, wire []byte) proto.Message {
	line, err := AppendJSON(nil, s, wire)
	if err != nil {
		t.Fatalf("AppendJSON: %v", err)
	}
	return fromJSON(t, JSONOptions{}, s, line)
}

func fuzzFromWire(t *testing.T, s run.Signal, wire []byte) {
	want, err := oracle(s, wire)
	line, ours := AppendJSON(nil, s, wire)
	if err != nil {
		return // AppendJSON repairs text that the generated code refuses
	}
	if ours != nil {
		if !strings.Contains(ours.Error(), errDepth.Error()) {
			t.Fatalf("generated code reads what AppendJSON refuses: %v", ours)
		}
		return
	}
	sameMessage(t, "message through JSON", withoutUnknown(want), fromJSON(t, JSONOptions{}, s, line))
}

// withoutUnknown is m without unknown fields.
func withoutUnknown(m proto.Message) proto.Message {
	b, err := proto.Marshal(m)
	if err != nil {
		return m
	}
	clean := m.ProtoReflect().New().Interface()
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(b, clean); err != nil {
		return m
	}
	return clean
}

// randomMessage fills a request by reflection, so that it has every field of
// the protocol, those that no one has thought of here included.
func randomMessage(s run.Signal, seed uint64) proto.Message {
	m, _ := oracle(s, nil)
	fillMessage(rand.New(rand.NewPCG(seed, 1)), m.ProtoReflect(), 0)
	return m
}

func fillMessage(r *rand.Rand, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Message() != nil && depth > 11 || r.IntN(8) == 0 {
			continue
		}
		if !f.IsList() {
			m.Set(f, fillValue(r, m.NewField(f), f, depth))
			continue
		}
		list := m.Mutable(f).List()
		for range r.IntN(3) {
			list.Append(fillValue(r, list.NewElement(), f, depth))
		}
	}
}

func fillValue(r *rand.Rand, v protoreflect.Value, f protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	small := r.IntN(2) == 0
	number := r.Uint64() >> (r.IntN(64) * r.IntN(2))
	if small {
		number = 0
	}
	switch f.Kind() {
	case protoreflect.MessageKind:
		fillMessage(r, v.Message(), depth+1)
		return v
	case protoreflect.StringKind:
		return protoreflect.ValueOfString([]string{"", "text", "a\n\"\\\x00\x7f", "\u2028😀", "NaN"}[r.IntN(5)])
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(fillBytes(r, f))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(small)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64([]float64{0, 1.5, -1e300, 5e-324, 1 << 53, float64(number)}[r.IntN(6)])
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(r.IntN(3)))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(int32(number))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(number))
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(number))
	}
	return protoreflect.ValueOfUint64(number)
}

// fillBytes is an id of its size where stock JSON must be read back as a file.
func fillBytes(r *rand.Rand, f protoreflect.FieldDescriptor) []byte {
	b := make([]byte, r.IntN(5))
	if size := jsonIDSize(f.JSONName()); size > 0 {
		b = make([]byte, size)
	}
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestJSONRandomMessages(t *testing.T) {
	for _, s := range allSignals {
		for seed := range uint64(60) {
			m := randomMessage(s, seed)
			wire, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			sameMessage(t, "random message through JSON", m, throughJSON(t, s, wire))
			stockJSON(t, s, wire)
		}
	}
}
