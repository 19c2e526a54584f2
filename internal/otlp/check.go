package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// The functions here check messages that are kept as bytes and expanded only
// when somebody looks: nested values, events, links, exemplars.

// checkList checks an ArrayValue or KeyValueList at nesting depth.
func (b *Batch) checkList(p []byte, i int, t run.Type, depth int) error {
	if depth > MaxDepth {
		return errDepth
	}
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		if f.key() != 1<<3|bytesType {
			continue
		}
		var err error
		if t == run.KVList {
			err = b.checkPair(p[:f.end], f.at, depth)
		} else {
			err = b.checkValue(p[:f.end], f.at, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkPair checks a KeyValue.
func (b *Batch) checkPair(p []byte, i, depth int) error {
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			b.count(p[f.at:f.end])
		case 2<<3 | bytesType:
			if err := b.checkValue(p[:f.end], f.at, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValue checks an AnyValue.
func (b *Batch) checkValue(p []byte, i, depth int) error {
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			b.count(p[f.at:f.end])
		case 5<<3 | bytesType, 6<<3 | bytesType:
			if err := b.checkList(p[:f.end], f.at, run.Type(f.num), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkMessage checks a flat message: text says which fields are strings and
// attrs which one is a list of KeyValue.
func (b *Batch) checkMessage(p []byte, i int, text, attrs uint32) error {
	var f field
	for n := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch {
		case f.wire != bytesType:
		case f.num == text:
			b.count(p[f.at:f.end])
		case f.num == attrs:
			if err := b.checkPair(p[:f.end], f.at, 0); err != nil {
				return at(err, "attributes", n)
			}
			n++
		}
	}
	return nil
}
