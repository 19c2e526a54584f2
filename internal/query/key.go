package query

import "strings"

// subject is what a term looks at.
type subject uint8

const (
	onAttribute subject = iota
	onRun
	onRank
	onLocalRank
	onWorldSize
	onTP
	onPP
	onDP
	onCP
	onEP
	onTPSize
	onPPSize
	onDPSize
	onCPSize
	onEPSize
	onHost
	onRole
	onService
	onUser
	onJob
	onName
	onPhase
	onClass
	onIter
	onDur
	onStatus
	onKind
	onTruncated
	onError
	onTrace
	onSpan
)

// shape is what values a key takes, and so which operators.
type shape uint8

const (
	anyValue shape = iota // attributes: number or text
	text
	integer
	duration
	choice // one of a list of words
	flag   // true or false, or the key alone
	hexID
)

// Key is a short key of the language with what it reads.
type Key struct {
	Name  string
	About string
	Words []string // the values it takes, when they are few

	on    subject
	shape shape
}

var shortKeys = [...]Key{
	{"rank", "global rank of the process", nil, onRank, integer},
	{"role", "role of the process", nil, onRole, text},
	{"host", "host name of the process", nil, onHost, text},
	{"tp", "tensor-parallel coordinate, sent or derived", nil, onTP, integer},
	{"pp", "pipeline stage, sent or derived", nil, onPP, integer},
	{"dp", "data-parallel coordinate, sent or derived", nil, onDP, integer},
	{"cp", "context-parallel coordinate, sent or derived", nil, onCP, integer},
	{"ep", "expert-parallel coordinate, sent or derived", nil, onEP, integer},
	{"name", "span name", nil, onName, text},
	{"phase", "phase that the span name means", nil, onPhase, text},
	{"class", "class of the phase", []string{"step", "compute", "wait", "io", "other"}, onClass, choice},
	{"iter", "iteration as sent", nil, onIter, integer},
	{"dur", "duration of the span, with a unit: 2s, 150ms", nil, onDur, duration},
	{"status", "status of the span", []string{"unset", "ok", "error"}, onStatus, choice},
	{"error", "the span's status is error", []string{"true", "false"}, onError, flag},
	{"truncated", "the span was cut off at shutdown", []string{"true", "false"}, onTruncated, flag},
	{"kind", "kind of the span", []string{"unspecified", "internal", "server", "client", "producer", "consumer"}, onKind, choice},
	{"trace", "trace id, 32 hex digits", nil, onTrace, hexID},
	{"span", "span id, 16 hex digits", nil, onSpan, hexID},
	{"run", "run id", nil, onRun, text},
	{"job", "submitted job", nil, onJob, text},
	{"user", "user of the run", nil, onUser, text},
	{"service", "service name", nil, onService, text},
	{"local_rank", "rank on the node", nil, onLocalRank, integer},
	{"world_size", "total ranks, as sent", nil, onWorldSize, integer},
	{"tp.size", "tensor-parallel size, as sent", nil, onTPSize, integer},
	{"pp.size", "pipeline-parallel size, as sent", nil, onPPSize, integer},
	{"dp.size", "data-parallel size, as sent", nil, onDPSize, integer},
	{"cp.size", "context-parallel size, as sent", nil, onCPSize, integer},
	{"ep.size", "expert-parallel size, as sent", nil, onEPSize, integer},
}

// Keys lists the short keys, the most used first. Any other key is an attribute.
func Keys() []Key { return append([]Key(nil), shortKeys[:]...) }

// shortKey finds a short key in any case, or nil.
func shortKey(word string) *Key {
	for i := range shortKeys {
		if strings.EqualFold(shortKeys[i].Name, word) {
			return &shortKeys[i]
		}
	}
	return nil
}

// operators lists the operators that a shape takes, in the order shown.
func (s shape) operators() []string {
	switch s {
	case integer, anyValue, text:
		return []string{"=", "!=", ">", ">=", "<", "<=", "=~", "!~", "in"}
	case duration:
		return []string{"=", "!=", ">", ">=", "<", "<=", "in"}
	case hexID:
		return []string{"=", "!=", "=~", "!~", "in"}
	case choice:
		return []string{"=", "!=", "in"}
	}
	return []string{"=", "!="}
}

// Operators lists the operators that the key takes.
func (k Key) Operators() []string { return k.shape.operators() }
