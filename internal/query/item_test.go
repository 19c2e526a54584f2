package query

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestItems(t *testing.T) {
	f := newFeed(t)
	for rank := range int64(2) {
		f.spans([]run.Attr{str("service.name", "megatron-lm"), str("nemo.run.id", "r"), num("dl.rank", rank), str("gpu", "H100"),
			str("host.name", "node-0")}, f.mk("forward", 0, sec))
	}
	var trace run.TraceID
	trace[0] = 0xab
	plain := Item{Name: "watchdog caught a timeout"}
	second := Item{Process: 1, Name: "dl.loss", Attrs: []run.Attr{str("gpu", "H200"), num("dl.iteration", 7)}, Trace: trace, Span: run.SpanID{1}}
	for _, test := range []struct {
		filter        string
		plain, second bool
	}{
		{"", true, true},
		{"rank=1", false, true},
		{"dl.rank=0", true, false},
		{"run=r", true, true},
		{"run=other", false, false},
		{"watchdog", true, false},
		{"WATCHDOG and rank=0", true, false},
		{"name=dl.loss", false, true},
		{"name=~loss$", false, true},
		{"gpu=H100", true, false},
		{"gpu=H200", false, true},
		{"gpu!=H200", true, false},
		{"nothing=1", false, false},
		{"not nothing=1", true, true},
		{"iter=7", true, true},
		{"iter=8", true, false},
		{"iter=8 and rank=1", false, false},
		{"trace=ab000000000000000000000000000000", false, true},
		{"span=0100000000000000", false, true},
		{"dur>2s", true, true},
		{"truncated", true, true},
		{"phase=forward", true, true},
		{"rank=0 or gpu=H200", true, true},
	} {
		filter, err := Parse(test.filter)
		if err != nil {
			t.Fatal(err)
		}
		m := filter.Bind(f.Snapshot().Runs[0])
		if got := m.Item(&plain); got != test.plain {
			t.Errorf("%q: the plain item matches: %v", test.filter, got)
		}
		if got := m.Item(&second); got != test.second {
			t.Errorf("%q: the second item matches: %v", test.filter, got)
		}
	}
}

// BenchmarkItem is what a filter adds to each record that is looked at.
func BenchmarkItem(b *testing.B) {
	f := newFeed(b)
	f.spans([]run.Attr{str("nemo.run.id", "r"), num("dl.rank", 1)}, f.mk("forward", 0, sec))
	filter, err := Parse("rank=1 and gpu=H200 and timeout")
	if err != nil {
		b.Fatal(err)
	}
	m := filter.Bind(f.Snapshot().Runs[0])
	it := Item{Name: "watchdog caught a timeout", Attrs: []run.Attr{str("gpu", "H200")}}
	b.ReportAllocs()
	for b.Loop() {
		m.Item(&it)
	}
}
