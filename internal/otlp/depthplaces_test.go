package otlp

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// valuePlaces is every place of a request where a sender puts a value of its own.
func valuePlaces() map[string]func(v []byte) (run.Signal, []byte) {
	attr := func(num protowire.Number, v []byte) []byte { return kv(num, "k", v) }
	in := func(s run.Signal, body func(v []byte) []byte) func([]byte) (run.Signal, []byte) {
		return func(v []byte) (run.Signal, []byte) { return s, body(v) }
	}
	point := func(data, list protowire.Number, attribute func(v []byte) []byte) func([]byte) (run.Signal, []byte) {
		return in(run.Metrics, func(v []byte) []byte { return oneItem(msg(data, msg(list, attribute(v)))) })
	}
	plain := func(num protowire.Number) func([]byte) []byte { return func(v []byte) []byte { return attr(num, v) } }
	exemplar := func(num protowire.Number) func([]byte) []byte {
		return func(v []byte) []byte { return msg(num, attr(7, v)) }
	}
	return map[string]func([]byte) (run.Signal, []byte){
		"resource":  in(run.Traces, func(v []byte) []byte { return msg(1, msg(1, attr(1, v))) }),
		"scope":     in(run.Logs, func(v []byte) []byte { return msg(1, msg(2, msg(1, attr(3, v)))) }),
		"span":      in(run.Traces, func(v []byte) []byte { return oneItem(ids(), attr(9, v)) }),
		"event":     in(run.Traces, func(v []byte) []byte { return oneItem(ids(), msg(11, attr(3, v))) }),
		"link":      in(run.Traces, func(v []byte) []byte { return oneItem(ids(), msg(13, ids(), attr(4, v))) }),
		"log":       in(run.Logs, func(v []byte) []byte { return oneItem(attr(6, v)) }),
		"body":      in(run.Logs, func(v []byte) []byte { return oneItem(msg(5, v)) }),
		"metadata":  in(run.Metrics, func(v []byte) []byte { return oneItem(attr(12, v)) }),
		"gauge":     point(5, 1, plain(7)),
		"sum":       point(7, 1, plain(7)),
		"histogram": point(9, 1, plain(9)), "exponential": point(10, 1, plain(1)), "summary": point(11, 1, plain(7)),
		"exemplar": point(5, 1, exemplar(5)), "exemplar of a histogram": point(9, 1, exemplar(8)), "exemplar of an exponential one": point(10, 1, exemplar(11)),
	}
}

// No place takes a value without a bound of depth, and every place takes a real
// one: as deep as the bound says, no deeper, whatever decodes it.
func TestDepthOfEveryPlace(t *testing.T) {
	for name, place := range valuePlaces() {
		for _, kind := range []protowire.Number{5, 6} {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				for _, n := range []int{60, MaxDepth} {
					s, body := place(nested(n, kind))
					if err := decode(s, body, &b); err != nil {
						t.Errorf("%s: %d levels of kind %d: %v", name, n, kind, err)
					}
				}
				for _, n := range []int{MaxDepth + 1, 2_000} {
					s, body := place(nested(n, kind))
					if err := decode(s, body, &b); err == nil || n == MaxDepth+1 && !errors.Is(err, errDepth) || b.Items() != 0 {
						t.Errorf("%s: %d levels of kind %d: %v", name, n, kind, err)
					}
				}
			})
		}
	}
}
