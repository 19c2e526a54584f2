package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Value is a's value in full, independent of the batch.
func (b *Batch) Value(a Attr) run.Value { return ExpandValue(a.Type, a.Num, b.Bytes(a.Val)) }

// AttrList is the attributes of r in full, independent of the batch; nil when
// there are none.
func (b *Batch) AttrList(r Range) []run.Attr {
	if r.Len() == 0 {
		return nil
	}
	list := make([]run.Attr, 0, r.Len())
	for _, a := range b.Attributes(r) {
		list = append(list, run.Attr{Key: string(b.Bytes(a.Key)), Value: b.Value(a)})
	}
	return list
}

// ExpandValue makes a value from its row form: num for bool, int and double,
// val for the others, in which arrays and kvlists are the wire bytes that Attr
// describes. Nested text that is not UTF-8 is repaired. Bytes that no Decode
// has validated give what can be read of them; levels beyond MaxDepth are empty.
func ExpandValue(t run.Type, num uint64, val []byte) run.Value {
	switch t {
	case run.Array, run.KVList:
		v, _ := expandList(run.Value{}, t, val, 1)
		return v
	case run.String, run.Bytes:
		return run.Raw(t, 0, string(val))
	case run.Empty:
		return run.Value{}
	}
	return run.Raw(t, num, "")
}

// expandList is the list of type t in p, joined to old when that is one of the
// same type.
func expandList(old run.Value, t run.Type, p []byte, depth int) (run.Value, error) {
	if depth > MaxDepth {
		return run.Value{}, errDepth
	}
	if t == run.KVList {
		kvs, err := expandPairs(oldAttrs(old), p, 1, depth)
		return run.KVListValue(kvs), err
	}
	var vs []run.Value
	if old.Type == run.Array {
		vs = old.List()
	}
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return run.ArrayValue(vs), err
		}
		if f.key() == 1<<3|bytesType {
			v, err := expandValue(run.Value{}, p[f.at:f.end], depth)
			vs = append(vs, v)
			if err != nil {
				return run.ArrayValue(vs), err
			}
		}
	}
	return run.ArrayValue(vs), nil
}

func oldAttrs(v run.Value) []run.Attr {
	if v.Type == run.KVList {
		return v.Attrs()
	}
	return nil
}

// expandPairs appends the KeyValue messages that are field num of p.
func expandPairs(kvs []run.Attr, p []byte, num uint32, depth int) ([]run.Attr, error) {
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return kvs, err
		}
		if f.num == num && f.wire == bytesType {
			kv, err := expandPair(p[f.at:f.end], depth)
			kvs = append(kvs, kv)
			if err != nil {
				return kvs, err
			}
		}
	}
	return kvs, nil
}

// expandPair is the KeyValue p.
func expandPair(p []byte, depth int) (kv run.Attr, err error) {
	var f field
	for i := 0; i < len(p) && err == nil; i = f.end {
		if err = f.read(p, i); err != nil {
			return kv, err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			kv.Key = text(p[f.at:f.end])
		case 2<<3 | bytesType:
			kv.Value, err = expandValue(kv.Value, p[f.at:f.end], depth)
		}
	}
	return kv, err
}

// expandValue is the AnyValue p merged into old. Lists in it are one level
// deeper than depth.
func expandValue(old run.Value, p []byte, depth int) (v run.Value, err error) {
	v = old
	var f field
	for i := 0; i < len(p) && err == nil; i = f.end {
		if err = f.read(p, i); err != nil {
			return v, err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			v = run.StringValue(text(p[f.at:f.end]))
		case 2<<3 | varintType:
			v = run.BoolValue(f.v != 0)
		case 3<<3 | varintType:
			v = run.IntValue(int64(f.v))
		case 4<<3 | fixed64Type:
			v = run.Raw(run.Double, f.v, "")
		case 5<<3 | bytesType, 6<<3 | bytesType:
			v, err = expandList(v, run.Type(f.num), p[f.at:f.end], depth+1)
		case 7<<3 | bytesType:
			v = run.BytesValue(p[f.at:f.end])
		case 8<<3 | varintType:
			v = run.Value{}
		}
	}
	return v, err
}
