package store

import (
	"fmt"
	"math/rand/v2"

	"github.com/beamline-hpc/lensview/internal/run"
)

// serviceSpans is the spans of one step of a rank as a service that loads data
// might send them: eight attributes, of which the first is a text that no other
// span has.
func serviceSpans(r *rand.Rand, rank int, iteration int64) []run.Span {
	return servedSpans(r, rank, iteration, func(i int) string { return fmt.Sprint("/v1/models/", i) })
}

// distinctSpans have two such texts.
func distinctSpans(r *rand.Rand, rank int, iteration int64) []run.Span {
	return servedSpans(r, rank, iteration, func(i int) string { return fmt.Sprintf("/v1/models/%d/shards/%d", r.IntN(1e5), i) })
}

func servedSpans(r *rand.Rand, rank int, iteration int64, url func(i int) string) []run.Span {
	spans := benchSpans(r, rank, iteration)
	for i := range spans {
		s := &spans[i]
		s.Start += uint64(r.IntN(1e6))
		s.End += uint64(r.IntN(1e6)) + 1e6
		s.Attrs = []run.Attr{
			str("request.id", fmt.Sprintf("req-%016x", r.Uint64())), str("url", url(i)),
			num("dl.iteration", iteration), str("http.request.method", "POST"), num("http.response.status_code", 200),
			str("server.address", fmt.Sprint("store-", r.IntN(16))), num("bytes", int64(r.IntN(1<<20))), truth("cached", r.IntN(2) == 0),
		}
	}
	return spans
}

// dataShape is a kind of data whose size is measured.
type dataShape struct {
	name  string
	spans func(r *rand.Rand, rank int, iteration int64) []run.Span
}

func dataShapes() []dataShape {
	return []dataShape{{"training steps", benchSpans}, {"a distinct string", serviceSpans}, {"two distinct strings", distinctSpans}}
}
