package store

import (
	"fmt"
	"testing"
)

// Every run has a share from its first item on, however many came before.
func TestEveryRunHasAShare(t *testing.T) {
	s := New(Config{Budget: 64 << 20})
	for i := range 100 {
		w := &runWriter{s: s, metrics: newMetricSet(metricLimits{}), logs: newLogSet(0)}
		s.runs = append(s.runs, w)
		s.share()
		if w.metrics.lim.bytes == 0 || w.logs.share == 0 || w.seen.limit < firstSlots {
			t.Fatal(fmt.Sprint("run ", i, " has no share"))
		}
	}
}
