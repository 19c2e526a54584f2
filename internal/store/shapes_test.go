package store

import (
	"fmt"
	"math/rand/v2"

	"github.com/beamline-hpc/lensview/internal/run"
)

// distinctSpans is the spans of one step of a rank with the same eight attributes
// as a request, of which two are texts that no other span has.
func distinctSpans(r *rand.Rand, rank int, iteration int64) []run.Span {
	spans := benchSpans(r, rank, iteration)
	for i := range spans {
		s := &spans[i]
		s.Start += uint64(r.IntN(1e6))
		s.End += uint64(r.IntN(1e6)) + 1e6
		s.Attrs = []run.Attr{
			str("request.id", fmt.Sprintf("req-%016x", r.Uint64())), str("url", fmt.Sprintf("/v1/models/%d/shards/%d", r.IntN(1e5), i)),
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
	return []dataShape{{"training steps", benchSpans}, {"distinct strings", distinctSpans}}
}
