package otlp

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// repairer copies a message with its text made UTF-8, led by descriptors and
// not by our own field tables.
type repairer struct{ count int }

// maxMessages bounds the nesting of messages: a request's own levels and three
// for each level of a value.
const maxMessages = 3*MaxDepth + 20

// message appends the repaired copy of p, a message of type md.
func (r *repairer) message(dst, p []byte, md protoreflect.MessageDescriptor, depth int) ([]byte, error) {
	if depth > maxMessages {
		return nil, errDepth
	}
	for len(p) > 0 {
		num, wire, n := protowire.ConsumeTag(p)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		m := protowire.ConsumeFieldValue(num, wire, p[n:])
		if m < 0 {
			return nil, protowire.ParseError(m)
		}
		fd := md.Fields().ByNumber(num)
		var err error
		if fd == nil || wire != protowire.BytesType {
			dst = append(dst, p[:n+m]...)
		} else if dst, err = r.field(append(dst, p[:n]...), p[n:n+m], fd, depth); err != nil {
			return nil, err
		}
		p = p[n+m:]
	}
	return dst, nil
}

// field appends the repaired copy of p, the length and content of field fd.
func (r *repairer) field(dst, p []byte, fd protoreflect.FieldDescriptor, depth int) ([]byte, error) {
	content, _ := protowire.ConsumeBytes(p)
	switch fd.Kind() {
	case protoreflect.StringKind:
		if !validText(content) {
			r.count++
			content = appendRepaired(nil, content)
		}
		return protowire.AppendBytes(dst, content), nil
	case protoreflect.MessageKind:
		inner, err := r.message(nil, content, fd.Message(), depth+1)
		return protowire.AppendBytes(dst, inner), err
	}
	return append(dst, p...), nil
}
