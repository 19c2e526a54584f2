package ingest

import (
	"context"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// spanWith is a request of one span with members of its own.
func spanWith(members string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[{` + members + `}]}]}]}`
}

const goodIDs = `"traceId":"` + idA + `","spanId":"` + id1 + `",`

// TestJSONConformance reads like the JSON part of the contract: a body, whether
// it is taken, what the answer or the screen says of it, and what is stored.
func TestJSONConformance(t *testing.T) {
	deep := func(n int) string {
		return spanWith(goodIDs + `"attributes":[{"key":"k","value":` + strings.Repeat(`{"arrayValue":{"values":[`, n) + `{"intValue":1}` + strings.Repeat(`]}}`, n) + `}]`)
	}
	for _, c := range []struct {
		name   string
		body   string
		status int
		says   string // in the error
		notice string // code of what the screen is told
		stored string // in the words of a stored item
	}{
		{name: "empty object", body: `{}`, status: 200},
		{name: "unknown fields", body: `{"futureField":{"a":[1,{"b":null}]},"resourceSpans":[{"zzz":1}]}`, status: 200},
		{name: "nothing", body: ``, status: 400, says: "empty"},
		{name: "not an object", body: `[]`, status: 400},
		{name: "cut", body: `{"resourceSpans":[{"reso`, status: 400, says: "decode traces"},
		{name: "two objects", body: `{}{}`, status: 400},

		{name: "hex ids", body: spanWith(goodIDs + `"name":"a"`), status: 200, stored: idA + " " + id1},
		{name: "hex ids in capitals", body: spanWith(`"traceId":"` + strings.ToUpper(idA) + `","spanId":"` + strings.ToUpper(id1) + `"`), status: 200, stored: idA + " " + id1},
		{name: "base64 ids", body: spanWith(`"traceId":"Z6z8LqVvEI+kU1/Ci6mXBQ==","spanId":"gMEgDJS+EXg="`), status: 400, says: "hex"},

		{name: "enum as a number", body: spanWith(goodIDs + `"kind":3,"status":{"code":2}`), status: 200, stored: ` 3 `},
		{name: "enum as a name", body: spanWith(goodIDs + `"kind":"SPAN_KIND_CLIENT","status":{"code":"STATUS_CODE_ERROR"}`), status: 200, stored: ` 3 `},
		{name: "64 bits as text", body: spanWith(goodIDs + `"startTimeUnixNano":"1760000000000000123","endTimeUnixNano":"1760000000000000124"`), status: 200, stored: "1760000000000000123–1760000000000000124"},
		{name: "64 bits as a number", body: spanWith(goodIDs + `"startTimeUnixNano":1760000000000000123,"endTimeUnixNano":1760000000000000124`), status: 200, stored: "1760000000000000123–1760000000000000124"},
		{name: "an integer that is none", body: spanWith(goodIDs + `"attributes":[{"key":"k","value":{"intValue":"abc"}}]`), status: 400, says: "intValue"},
		{name: "bytes", body: spanWith(goodIDs + `"attributes":[{"key":"k","value":{"bytesValue":"AAEC"}}]`), status: 200, stored: `{"k":0x000102}`},
		{name: "not finite", body: spanWith(goodIDs + `"attributes":[{"key":"a","value":{"doubleValue":"NaN"}},{"key":"b","value":{"doubleValue":"-Infinity"}},{"key":"c","value":{"doubleValue":"1.5"}}]`), status: 200, stored: `{"a":NaN,"b":-Infinity,"c":1.5}`},
		{name: "null", body: spanWith(goodIDs + `"attributes":[{"key":"k","value":{"doubleValue":null}}]`), status: 200, notice: "json-null-value", stored: `{"k":null}`},

		{name: "snake_case", body: `{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"` + idA + `","span_id":"` + id1 + `"}]}]}]}`, status: 200, notice: "json-snake-case", stored: idA + " " + id1},
		{name: "old names", body: `{"resourceSpans":[{"instrumentationLibrarySpans":[{"spans":[{` + goodIDs + `"name":"a"}]}]}]}`, status: 200, notice: "json-old-names", stored: idA + " " + id1},
		{name: "another signal's", body: `{"resourceMetrics":[]}`, status: 200, notice: "json-not-understood"},
		{name: "60 deep", body: deep(60), status: 200, stored: `{"k":[[[[`},
		{name: "200,000 deep", body: deep(200_000), status: 400, says: "depth"},
		{name: "200,000 deep where nothing is known", body: `{"x":` + strings.Repeat(`[`, 200_000) + strings.Repeat(`]`, 200_000) + `}`, status: 400, says: "depth"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, w := range ways(t) {
				st := store.New(store.Config{Clock: t0.UnixNano})
				s := w.start(t, Config{}, st)
				got := w.post(t, s, "/v1/traces", []byte(c.body), "Content-Type", typeJSON)
				if got.status != c.status {
					t.Fatalf("%s: %d %.300q, want %d", w.name, got.status, got.body, c.status)
				}
				if c.status != 200 && !strings.Contains(got.rpcStatus(t).Message, c.says) {
					t.Errorf("%s: %.300q does not say %q", w.name, got.body, c.says)
				}
				if c.status == 200 && string(got.body) != "{}" {
					t.Errorf("%s: answer %q", w.name, got.body)
				}
				if c.notice != "" && notice(s, c.notice).Count == 0 {
					t.Errorf("%s: no notice %s among %+v", w.name, c.notice, s.Stats().Notices)
				}
				if all := strings.Join(stored(st), "\n"); !strings.Contains(all, c.stored) {
					t.Errorf("%s: not stored: %s\n%s", w.name, c.stored, all)
				}
				if a := st.Snapshot().Accounts[run.Traces]; !a.Balanced() || c.status != 200 && a.Received != 0 {
					t.Errorf("%s: account %+v", w.name, a)
				}
			}
		})
	}
}

// A warning is rejected 0 with a message, in the words of JSON.
func TestJSONWarning(t *testing.T) {
	warn := func() Sink {
		return sinkFunc(func(_ context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
			return run.Outcome{Kept: uint64(b.Items()), Reason: "clock is off"}, nil
		})
	}
	everyWay(t, Config{}, warn, func(t *testing.T, w way, s *Server) {
		got := w.post(t, s, "/v1/logs", []byte(`{}`), "Content-Type", typeJSON)
		if got.status != 200 || string(got.body) != `{"partialSuccess":{"errorMessage":"clock is off"}}` {
			t.Errorf("%d %q", got.status, got.body)
		}
	})
}
