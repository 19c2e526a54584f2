package otlp

import (
	"errors"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestWireForms holds both decoders equal on forms that the protocol allows and
// no SDK writes, and on broken ones.
func TestWireForms(t *testing.T) {
	for s := range run.SignalCount {
		used := richBody(s)
		for _, c := range wireCases() {
			t.Run(s.String()+"/"+c.name, func(t *testing.T) {
				b := mustDecode(t, s, used)
				differential(t, s, c.body(s), b)
				if err := b.Decode(s, c.body(s)); (err != nil) != c.bad {
					t.Errorf("refused: %v (%v), want %v", err != nil, err, c.bad)
				}
			})
		}
	}
}

// TestCutAnywhere cuts a request that uses every field at each byte.
func TestCutAnywhere(t *testing.T) {
	for s := range run.SignalCount {
		body := richBody(s)
		var b, gen Batch
		for n := range body {
			err, genErr := b.Decode(s, body[:n]), DecodeGenerated(s, body[:n], &gen)
			if (err == nil) != (genErr == nil) {
				t.Fatalf("%s cut at %d: ours %v, generated %v", s, n, err, genErr)
			}
		}
	}
}

// TestDeepNesting sends what would overflow a stack.
func TestDeepNesting(t *testing.T) {
	for _, kind := range []protowire.Number{5, 6} {
		body := withAttr(run.Traces, text1(1, "k"), msg(2, nested(200_000, kind)))
		var b Batch
		err := b.Decode(run.Traces, body)
		if !errors.Is(err, errDepth) || !strings.Contains(err.Error(), "200 levels") {
			t.Errorf("got %v, want the bound named", err)
		}
		if err := DecodeGenerated(run.Traces, body, &b); err == nil {
			t.Error("accepted by the generated path")
		}
		ExpandValue(run.Array, 0, nested(200_000, kind))
	}
	groups := []byte(strings.Repeat("\x3b", 1<<20))
	if err := new(Batch).Decode(run.Traces, groups); !errors.Is(err, errDepth) {
		t.Errorf("groups: %v", err)
	}
}

// TestExpansion refuses lists of empty messages that would take a hundred times
// their size in rows, with a fresh and with a used batch.
func TestExpansion(t *testing.T) {
	empty := func(num protowire.Number) []byte { return []byte(strings.Repeat(string(msg(num)), 1<<18)) }
	bodies := map[string]struct {
		signal run.Signal
		body   []byte
	}{
		"scopes":     {run.Traces, msg(1, empty(2))},
		"metrics":    {run.Metrics, msg(1, msg(2, empty(2)))},
		"points":     {run.Metrics, oneItem(msg(5, empty(1)))},
		"logs":       {run.Logs, msg(1, msg(2, empty(2)))},
		"attributes": {run.Logs, msg(1, msg(2, empty(2)[:1<<16], msg(2, empty(6))))},
	}
	var b, gen Batch
	for name, c := range bodies {
		for range 2 {
			if err := b.Decode(c.signal, c.body); !errors.Is(err, errExpands) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if name == "points" {
			if err := DecodeGenerated(c.signal, c.body, &gen); !errors.Is(err, errExpands) {
				t.Errorf("%s, generated: %v", name, err)
			}
		}
	}
	if err := b.Decode(run.Traces, oneItem(ids(), empty(11))); err != nil {
		t.Errorf("empty events take no rows: %v", err)
	}
}

// TestManyParts repeats singular messages so often that copying all parts at
// each one would never end.
func TestManyParts(t *testing.T) {
	const n = 300_000
	bad := text1(3, "\xff")
	for name, body := range map[string][]byte{
		"resource": msg(1, []byte(strings.Repeat(string(cat(msg(1, vint(9, 1)), bad)), n))),
		"scope":    msg(1, msg(2, []byte(strings.Repeat(string(cat(msg(1, vint(9, 1)), bad)), n)))),
		"value":    withAttr(run.Traces, []byte(strings.Repeat(string(cat(text1(1, "\xff"), msg(2, msg(5, msg(1))))), n))),
		"status":   item(run.Traces, []byte(strings.Repeat(string(cat(msg(15, text1(2, "\xff")), text1(5, "\xff"))), n))),
		"body":     oneItem([]byte(strings.Repeat(string(cat(msg(5, msg(5, msg(1))), bad)), n))),
	} {
		signal := run.Traces
		if name == "body" {
			signal = run.Logs
		}
		var b Batch
		if err := b.Decode(signal, body); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(b.side) > 4*len(body) {
			t.Errorf("%s: side buffer of %d bytes for a body of %d", name, len(b.side), len(body))
		}
	}
}

func TestBodyTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("half a gigabyte of address space")
	}
	var b Batch
	if err := b.Decode(run.Logs, make([]byte, MaxBody+1)); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v", err)
	}
	if err := DecodeGenerated(run.Logs, make([]byte, MaxBody+1), &b); !errors.Is(err, errTooLarge) {
		t.Errorf("generated: %v", err)
	}
}

// TestErrorPlaces checks that an error leads to the field.
func TestErrorPlaces(t *testing.T) {
	cut := []byte{0x08, 0x80}
	good := msg(2, ids(), kv1(9, "a", "b"))
	for _, c := range []struct {
		signal run.Signal
		body   []byte
		want   string
	}{
		{run.Traces, cat(msg(1), msg(1), msg(1, msg(2, good, good, msg(2, ids(), kv1(9, "a", "b"), kv1(9, "a", "b"), msg(9, cut))))),
			"decode traces request: resource_spans[2].scope_spans[0].spans[2].attributes[2]: truncated varint"},
		{run.Traces, oneItem(ids(), msg(9, msg(2, msg(5, msg(1, cut))))),
			"decode traces request: resource_spans[0].scope_spans[0].spans[0].attributes[0].value: truncated varint"},
		{run.Traces, oneItem(msg(11, msg(3, cut))), "decode traces request: resource_spans[0].scope_spans[0].spans[0].events.attributes[0]: truncated varint"},
		{run.Traces, oneItem(msg(13, cut)), "decode traces request: resource_spans[0].scope_spans[0].spans[0].links: truncated varint"},
		{run.Traces, oneItem(msg(15, cut)), "decode traces request: resource_spans[0].scope_spans[0].spans[0].status: truncated varint"},
		{run.Traces, msg(1, msg(1, kv1(1, "a", "b"), msg(1, cut))), "decode traces request: resource_spans[0].resource.attributes[1]: truncated varint"},
		{run.Traces, msg(1, msg(2, msg(1, msg(3, cut)))), "decode traces request: resource_spans[0].scope_spans[0].scope.attributes[0]: truncated varint"},
		{run.Traces, []byte{0x0a, 0x7f}, "decode traces request: field runs past the end of its message"},
		{run.Metrics, oneItem(msg(12, cut)), "decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].metadata[0]: truncated varint"},
		{run.Metrics, oneItem(msg(7, msg(1), msg(1, msg(7, cut)))),
			"decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].sum.data_points[1].attributes[0]: truncated varint"},
		{run.Metrics, oneItem(msg(5, msg(1, msg(5, cut)))),
			"decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].gauge.data_points[0].exemplars: truncated varint"},
		{run.Metrics, oneItem(msg(9, msg(1, msg(6, []byte{1})))),
			"decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].histogram.data_points[0].bucket_counts: packed list ends inside a number"},
		{run.Metrics, oneItem(msg(9, msg(1, msg(7, []byte{1})))),
			"decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].histogram.data_points[0].explicit_bounds: packed list ends inside a number"},
		{run.Metrics, oneItem(msg(10, msg(1, msg(9, msg(2, []byte{0x80}))))),
			"decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].exponential_histogram.data_points[0].negative.bucket_counts: truncated varint"},
		{run.Metrics, oneItem(msg(11, msg(1, msg(6, cut)))),
			"decode metrics request: resource_metrics[0].scope_metrics[0].metrics[0].summary.data_points[0].quantile_values: truncated varint"},
		{run.Logs, oneItem(msg(5, cut)), "decode logs request: resource_logs[0].scope_logs[0].log_records[0].body: truncated varint"},
		{run.Logs, oneItem(kv1(6, "a", "b"), msg(6, cut)), "decode logs request: resource_logs[0].scope_logs[0].log_records[0].attributes[1]: truncated varint"},
	} {
		err := new(Batch).Decode(c.signal, c.body)
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestWireErrorsHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for e := errTruncated; e <= errTooLarge; e++ {
		if s := e.Error(); s == wireError(0).Error() || seen[s] {
			t.Errorf("error %d says %q", e, s)
		} else {
			seen[s] = true
		}
	}
}

func TestVarint(t *testing.T) {
	for _, v := range []uint64{0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1 << 35, math.MaxInt64, math.MaxUint64} {
		p := protowire.AppendVarint([]byte{9}, v)
		if got, end := varint(p, 1); got != v || end != len(p) {
			t.Errorf("varint(%d) = %d, %d", v, got, end)
		}
		if q := appendVarint([]byte{9}, v); string(q) != string(p) || sizeVarint(v) != len(p)-1 {
			t.Errorf("%d is written as % x, size %d", v, q, sizeVarint(v))
		}
	}
}
