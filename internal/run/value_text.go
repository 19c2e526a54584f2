package run

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// String is the value as people read it: scalars plain, bytes as 0x and hex, an
// empty value as nothing, arrays and lists as compact JSON-like text in which
// strings are quoted. It contains whatever was sent: clean it before it reaches
// a terminal. Nesting of any depth is written without recursion.
func (v Value) String() string {
	if v.isScalar() {
		return v.scalar()
	}
	var w textWriter
	w.open(v)
	for len(w.stack) > 0 {
		w.step()
	}
	return w.out.String()
}

func (v Value) scalar() string {
	switch v.Type {
	case String:
		return v.str
	case Bool:
		return strconv.FormatBool(v.num != 0)
	case Int:
		return strconv.FormatInt(int64(v.num), 10)
	case Double:
		return formatDouble(v.Double())
	case Bytes:
		return "0x" + hex.EncodeToString([]byte(v.str))
	}
	return ""
}

// formatDouble writes the shortest text that reads back equal, and the words of
// OTLP JSON for what is not finite.
func formatDouble(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case f > maxFloat:
		return "Infinity"
	case f < -maxFloat:
		return "-Infinity"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))

// textWriter writes a nested value with a stack of its own.
type textWriter struct {
	out   strings.Builder
	stack []frame
}

// frame is one open array or list and its next element.
type frame struct {
	v    Value
	next int
}

func (w *textWriter) open(v Value) {
	w.out.WriteByte(bracket(v.Type, "[{"))
	w.stack = append(w.stack, frame{v: v})
}

// step writes one element of the innermost open value, or closes it.
func (w *textWriter) step() {
	top := &w.stack[len(w.stack)-1]
	i := top.next
	if i == len(top.v.list)+len(top.v.kvs) {
		w.out.WriteByte(bracket(top.v.Type, "]}"))
		w.stack = w.stack[:len(w.stack)-1]
		return
	}
	top.next++
	if i > 0 {
		w.out.WriteByte(',')
	}
	w.element(top.v, i)
}

// element writes element i of v. It may grow the stack, so the frame that v
// came from must not be touched afterwards.
func (w *textWriter) element(v Value, i int) {
	var e Value
	if v.Type == KVList {
		e = v.kvs[i].Value
		w.out.WriteString(strconv.Quote(v.kvs[i].Key))
		w.out.WriteByte(':')
	} else {
		e = v.list[i]
	}
	switch e.Type {
	case Array, KVList:
		w.open(e)
	case String:
		w.out.WriteString(strconv.Quote(e.str))
	case Empty:
		w.out.WriteString("null")
	default:
		w.out.WriteString(e.scalar())
	}
}

func bracket(t Type, pair string) byte {
	if t == KVList {
		return pair[1]
	}
	return pair[0]
}
