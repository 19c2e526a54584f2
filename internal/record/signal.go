package record

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// signalOf tells the signal of a request from what is in it: the three kinds of
// requests are told apart by their items alone. A request without items is taken
// for traces; ok is false for what is no request.
func signalOf(b []byte) (sig run.Signal, ok bool) {
	var votes [run.SignalCount]int
	ok = each(b, func(num protowire.Number, content []byte) bool { // resources
		if num != 1 {
			return true
		}
		return each(content, func(num protowire.Number, content []byte) bool { // scopes
			if num != 2 {
				return true
			}
			return each(content, func(num protowire.Number, content []byte) bool { // items
				if num == 2 && votes[run.Traces]+votes[run.Metrics]+votes[run.Logs] < maxVotes {
					votes[itemOf(content)]++
				}
				return true
			})
		})
	})
	for s, n := range votes {
		if n > votes[sig] {
			sig = run.Signal(s)
		}
	}
	return sig, ok
}

// maxVotes is how many items are looked at.
const maxVotes = 8

// itemOf tells a span, a metric and a log record apart by fields that the others
// have not, or have of another type.
func itemOf(b []byte) run.Signal {
	var ids [3]int // lengths of fields 1 and 2
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			break
		}
		size := protowire.ConsumeFieldValue(num, typ, b[n:])
		if size < 0 {
			break
		}
		switch {
		case typ == protowire.Fixed64Type && (num == 1 || num == 11), typ == protowire.VarintType && num == 2, typ == protowire.Fixed32Type && num == 8:
			return run.Logs // time, severity, flags
		case typ == protowire.Fixed64Type && (num == 7 || num == 8), typ == protowire.Fixed32Type && num == 16, typ == protowire.VarintType && num == 6:
			return run.Traces // start, end, flags, kind
		case typ == protowire.BytesType && num <= 2:
			_, k := protowire.ConsumeVarint(b[n:])
			ids[num] = size - k
		}
		b = b[n+size:]
	}
	switch {
	case ids[1] == 16 && ids[2] == 8:
		return run.Traces
	case ids[1] == 0 && ids[2] == 0:
		return run.Logs // a body alone
	}
	return run.Metrics
}

// each gives the fields with a length of a message; false when it is none, or
// when f says so.
func each(b []byte, f func(num protowire.Number, content []byte) bool) bool {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return false
		}
		size := protowire.ConsumeFieldValue(num, typ, b[n:])
		if size < 0 {
			return false
		}
		if typ == protowire.BytesType {
			_, k := protowire.ConsumeVarint(b[n:])
			if !f(num, b[n+k:n+size]) {
				return false
			}
		}
		b = b[n+size:]
	}
	return true
}
