package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Builder writes one Export{Trace,Metrics,Logs}ServiceRequest as protobuf, the
// way back from full values to the wire. Calls follow the nesting of the
// request: Resource opens a resource, Scope a scope in it, then Span, Log, or
// Metric and Point add to that scope. An item without an open scope or resource
// gets an empty one. The bytes are the canonical encoding, equal to that of the
// generated code. Text must be UTF-8, as all text that the decoders give is.
//
// A Builder that is Reset keeps its storage, so a sender's steady state
// allocates nothing. The zero Builder is ready for traces.
type Builder struct {
	buf    []byte
	signal run.Signal
	open   [4]int // where the content of the open resource, scope, metric and its data begins; 0 when closed
	schema [2]string
	kind   MetricKind
	tail   metricTail
}

// Levels of open messages.
const (
	levelResource = iota
	levelScope
	levelMetric
	levelData
)

// NewBuilder returns a Builder for a request of the signal.
func NewBuilder(signal run.Signal) *Builder {
	b := &Builder{}
	b.Reset(signal)
	return b
}

// Reset starts a new request. The bytes given out before become invalid.
func (b *Builder) Reset(signal run.Signal) {
	*b = Builder{buf: b.buf[:0], signal: signal}
}

// Signal is the signal of the request.
func (b *Builder) Signal() run.Signal { return b.signal }

// Bytes closes what is open and is the whole request. They are valid until the
// next Reset; no more can be added before it.
func (b *Builder) Bytes() []byte {
	b.close(levelResource)
	return b.buf
}

// Len is the size of the request so far, for a sender that fills batches by
// bytes.
func (b *Builder) Len() int { return len(b.buf) }

// Resource opens a resource. dropped is its count of dropped attributes.
func (b *Builder) Resource(attrs []run.Attr, dropped uint32, schema string) {
	b.close(levelResource)
	b.begin(levelResource, 1)
	at := b.message(1)
	b.buf = appendAttrs(b.buf, 1, attrs)
	b.buf = appendVarintField(b.buf, 2, uint64(dropped))
	b.end(at)
	b.schema[levelResource] = schema
}

// Scope opens an instrumentation scope in the open resource.
func (b *Builder) Scope(s run.Scope) {
	if b.open[levelResource] == 0 {
		b.begin(levelResource, 1)
	}
	b.close(levelScope)
	b.begin(levelScope, 2)
	at := b.message(1)
	b.buf = appendStringField(b.buf, 1, s.Name)
	b.buf = appendStringField(b.buf, 2, s.Version)
	b.buf = appendAttrs(b.buf, 3, s.Attrs)
	b.end(at)
	b.schema[levelScope] = s.Schema
}

// inScope opens a resource and scope without content where none is open.
func (b *Builder) inScope() {
	if b.open[levelResource] == 0 {
		b.begin(levelResource, 1)
	}
	if b.open[levelScope] == 0 {
		b.begin(levelScope, 2)
	}
}

// begin opens a level as the field num of the level around it.
func (b *Builder) begin(level int, num uint32) { b.open[level] = b.message(num) }

// close ends the open messages from the innermost up to level.
func (b *Builder) close(level int) {
	for l := levelData; l >= level; l-- {
		if b.open[l] == 0 {
			continue
		}
		b.finish(l)
		b.end(b.open[l])
		b.open[l] = 0
	}
}

// finish writes the fields that come after a level's list.
func (b *Builder) finish(level int) {
	switch level {
	case levelResource, levelScope:
		b.buf = appendStringField(b.buf, 3, b.schema[level])
		b.schema[level] = ""
	case levelData:
		b.buf = b.tail.append(b.buf)
	}
}

// lengthRoom is what message leaves for the length, which is known only at the
// end: right for messages of 128 to 16,383 bytes, as spans and points are.
const lengthRoom = 2

// message begins a message as field num and gives the index of its content.
func (b *Builder) message(num uint32) int {
	b.buf = appendTag(b.buf, num, bytesType)
	b.buf = append(b.buf, 0, 0)
	return len(b.buf)
}

// end writes the length of the message whose content begins at index at,
// moving the content when the length needs another room.
func (b *Builder) end(at int) {
	n := len(b.buf) - at
	size := sizeVarint(uint64(n))
	for range size - lengthRoom {
		b.buf = append(b.buf, 0)
	}
	if size != lengthRoom {
		copy(b.buf[at-lengthRoom+size:], b.buf[at:at+n])
	}
	b.buf = b.buf[:at-lengthRoom+size+n]
	putVarint(b.buf[at-lengthRoom:], uint64(n))
}
