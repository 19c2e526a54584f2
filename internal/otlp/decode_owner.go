package otlp

// occurrences are the places of one singular message field in its parent.
// Protobuf lets a writer repeat it; the parts merge.
type occurrences struct {
	num   uint32
	n     int
	first field
}

func (o *occurrences) add(f *field) {
	if o.n == 0 {
		o.num, o.first = f.num, *f
	}
	o.n++
}

// next advances f to the next part at or after index i of the parent p.
func (o *occurrences) next(p []byte, i int, f *field) bool {
	for i < len(p) && f.read(p, i) == nil {
		if f.num == o.num && f.wire == bytesType {
			return true
		}
		i = f.end
	}
	return false
}

// gather is the parts as one message: in place when there is one, else copied
// together.
func (b *Batch) gather(p []byte, o occurrences) Ref {
	if o.n == 0 {
		return Ref{}
	}
	f := o.first
	r := f.ref()
	for n := 1; n < o.n && o.next(p, f.end, &f); n++ {
		r = b.join(r, f.ref())
	}
	return r
}

// resource reads the parts of a Resource.
func (b *Batch) resource(p []byte, parts occurrences, r *Resource) error {
	r.Raw = b.gather(p, parts)
	r.Attrs.From = uint32(len(b.Attrs))
	f := parts.first
	for n := range parts.n {
		if err := b.resourceFields(p[:f.end], f.at, r); err != nil {
			return within(err, "resource")
		}
		if n+1 < parts.n {
			parts.next(p, f.end, &f)
		}
	}
	r.Attrs.To = uint32(len(b.Attrs))
	return nil
}

func (b *Batch) resourceFields(p []byte, i int, r *Resource) error {
	var f field
	for n := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			if err := b.attr(p[:f.end], f.at); err != nil {
				return at(err, "attributes", n)
			}
			n++
		case 2<<3 | varintType:
			r.Dropped = uint32(f.v)
		case 3<<3 | bytesType:
			if err := b.entity(p[:f.end], f.at); err != nil {
				return within(err, "entity_refs")
			}
		}
	}
	return nil
}

// entity checks an EntityRef. Its four fields are all text; lensview keeps
// them only in Resource.Raw.
func (b *Batch) entity(p []byte, i int) error {
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		if f.wire == bytesType && f.num <= 4 {
			b.count(p[f.at:f.end])
		}
	}
	return nil
}

// scope reads the parts of an InstrumentationScope.
func (b *Batch) scope(p []byte, parts occurrences, s *Scope) error {
	s.Raw = b.gather(p, parts)
	s.Attrs.From = uint32(len(b.Attrs))
	f := parts.first
	for n := range parts.n {
		if err := b.scopeFields(p[:f.end], f.at, s); err != nil {
			return within(err, "scope")
		}
		if n+1 < parts.n {
			parts.next(p, f.end, &f)
		}
	}
	s.Attrs.To = uint32(len(b.Attrs))
	return nil
}

func (b *Batch) scopeFields(p []byte, i int, s *Scope) error {
	var f field
	for n := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			s.Name = b.str(f.ref())
		case 2<<3 | bytesType:
			s.Version = b.str(f.ref())
		case 3<<3 | bytesType:
			if err := b.attr(p[:f.end], f.at); err != nil {
				return at(err, "attributes", n)
			}
			n++
		case 4<<3 | varintType:
			s.Dropped = uint32(f.v)
		}
	}
	return nil
}
