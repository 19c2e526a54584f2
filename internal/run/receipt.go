package run

import "errors"

// Receipt says how a request came in.
type Receipt struct {
	At     int64  // receive time, unix nanoseconds of the receiver's clock (files: the recorded time, else 0)
	Sender string // peer host, or the path of a file; never a secret
	Raw    []byte // the request as sent (decompressed); valid only during the call
	JSON   bool   // Raw is OTLP JSON, else protobuf
}

// Outcome says what became of the items of one request.
type Outcome struct {
	Kept, Rejected, Duplicates, Replaced uint64
	Reason                               string // why items were rejected, for partial_success
}

// ErrBusy is returned by a sink that cannot take the request now: the sender
// is told to retry. Nothing of the request was kept.
var ErrBusy = errors.New("receiver is busy, retry")

// Account is the exact accounting of one signal. At every moment
// Received = Kept + Evicted + Rejected + Duplicates + Replaced + InFlight.
type Account struct {
	Received, Kept, Evicted, Rejected, Duplicates, Replaced, InFlight uint64
}

// Balanced reports whether the identity holds.
func (a Account) Balanced() bool {
	return a.Received == a.Kept+a.Evicted+a.Rejected+a.Duplicates+a.Replaced+a.InFlight
}

// Receiver is what the receivers say of themselves: listeners, requests that
// never reached the store, and the last errors. Counts since start.
type Receiver struct {
	Listeners []Listener
	Refused   []Refusal
	Requests  uint64   // answered with success
	Bytes     uint64   // of accepted requests, decompressed
	Repaired  uint64   // strings whose invalid UTF-8 was replaced
	Conns     int      // open now
	Held      uint64   // bytes of memory that they take, an estimate
	Notices   []Notice // about the receivers themselves: who can reach them, what their libraries logged
}

// Listener is one open port. Host is the name under which this host is known to
// others, for addresses that are open on all of its interfaces; "" when unknown.
type Listener struct {
	Protocol, Addr, Host string
	TLS                  bool // senders need the token too: 'lensview env' prints all
}

// Refusal counts requests answered with an error, by reason.
type Refusal struct {
	Code  string // "too-large", "undecodable", "http-on-grpc-port", …
	Text  string // one sentence with the figure and what to do
	Count uint64
	At    int64
}
