package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
)

// door is what both protocols share: once a request's bytes are there, nothing
// depends on how they came.
type door struct {
	sink     Sink
	stats    *stats
	now      func() time.Time
	limit    int
	wait     time.Duration
	begin    time.Duration
	maxCalls int64

	calls       atomic.Int64
	space       *space
	batches     sync.Pool
	buffers     *pool
	gunzip      gunzip
	proto, json otlp.Decoder
}

func newDoor(c Config, sink Sink, s *stats) (*door, error) {
	proto, err := otlp.DecoderNamed(string(c.Decoder))
	if err != nil {
		return nil, err
	}
	buffers := new(pool)
	return &door{
		sink: sink, stats: s, now: c.Now, limit: c.MaxRequest, wait: c.Wait, begin: c.begin, maxCalls: int64(c.MaxCalls),
		space: newSpace(c.MaxBytes), buffers: buffers, gunzip: gunzip{buffers: buffers}, proto: proto, json: decodeJSON,
	}, nil
}

// enter takes a place among the calls in flight. It is taken before the body
// is read, so memory is bounded by places × limit.
func (d *door) enter() *fault {
	if d.calls.Add(1) > d.maxCalls {
		d.calls.Add(-1)
		return busy(fmt.Sprintf("%d requests are in flight already, retry", d.maxCalls))
	}
	if d.space.full() {
		d.calls.Add(-1)
		return d.space.busy()
	}
	return nil
}

func (d *door) leave() { d.calls.Add(-1) }

// request is one request, unpacked.
type request struct {
	signal run.Signal
	body   []byte
	json   bool
	sender string
}

// partial is what a successful answer says about items that were not kept.
type partial struct {
	rejected uint64
	message  string
}

// take decodes and stores one request in the caller's goroutine.
func (d *door) take(ctx context.Context, q request) (partial, *fault) {
	turn, err := d.space.decode(ctx, len(q.body), d.wait)
	if err != nil {
		return partial{}, d.noTurn(ctx)
	}
	defer d.space.rows.end(turn)
	b, ok := d.batches.Get().(*otlp.Batch)
	if !ok {
		b = new(otlp.Batch)
	}
	decode := d.proto
	if q.json {
		decode = d.json
	}
	if err := decode(q.signal, q.body, b); err != nil {
		d.keep(b)
		return partial{}, undecodable(err)
	}
	out, f := d.put(ctx, b, q)
	p := partial{rejected: out.Rejected, message: reason(b, out)}
	if f == nil {
		d.accepted(b, len(q.body))
		d.rejected(q.signal, p)
	}
	// A panic in the sink passes by here: a batch it may still hold is not reused.
	d.keep(b)
	return p, f
}

// noTurn is the answer to a request that was not decoded in time.
func (d *door) noTurn(ctx context.Context) *fault {
	if ctx.Err() != nil {
		return senderGone()
	}
	return d.space.busy()
}

// maxRows is the storage of a batch that is kept for the next request.
const maxRows = 4 << 20

// keep keeps a batch for the next request, unless this one has blown it up.
func (d *door) keep(b *otlp.Batch) {
	if b.Footprint() <= maxRows {
		d.batches.Put(b)
	}
}

func (d *door) accepted(b *otlp.Batch, size int) {
	d.stats.requests.Add(1)
	d.stats.bytes.Add(uint64(size))
	if b.Repaired > 0 {
		d.stats.repaired.Add(uint64(b.Repaired))
	}
	for _, n := range b.Notices {
		d.stats.note(n.Code, n.Level, n.Text)
	}
}

// rejected says on the screen what the sender is told of items that were not kept:
// many exporters tell nobody.
func (d *door) rejected(sig run.Signal, p partial) {
	if p.rejected > 0 {
		d.stats.noteSome("rejected-"+sig.Item(), p.rejected, run.Warning, fmt.Sprintf("%s were rejected; the last: %s", sig.Item(), p.message))
	}
}

func (d *door) put(ctx context.Context, b *otlp.Batch, q request) (run.Outcome, *fault) {
	bounded, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	out, err := d.sink.Put(bounded, b, run.Receipt{At: d.now().UnixNano(), Sender: q.sender, Raw: q.body, JSON: q.json})
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return run.Outcome{}, senderGone()
	case errors.Is(err, run.ErrBusy), errors.Is(err, context.DeadlineExceeded):
		return run.Outcome{}, busy("the store takes no more data now, retry")
	}
	return run.Outcome{}, internal("sink-failed", fmt.Sprintf("store %s: %v", q.signal, err))
}

func senderGone() *fault {
	return &fault{word: "sender-gone", grpc: codes.Canceled, http: 503, text: "the sender gave up before its request was stored", retry: true}
}

// reason says why items were rejected: each of the decoder's reasons with its
// count, and the sink's own where it is none of those.
func reason(b *otlp.Batch, out run.Outcome) string {
	if out.Rejected == 0 {
		return out.Reason
	}
	var s []string
	own := out.Reason != ""
	for _, r := range b.Rejected {
		s = append(s, fmt.Sprintf("%d %s: %s", r.Count, b.Signal.Item(), r.Reason))
		own = own && r.Reason != out.Reason
	}
	if own {
		s = append(s, out.Reason)
	}
	return strings.Join(s, "; ")
}

// refuse counts a fault and gives it back.
func (d *door) refuse(f *fault) *fault {
	d.stats.refuse(f.word, f.text)
	return f
}
