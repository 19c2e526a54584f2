package ui

import (
	"fmt"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// request is one request of a rank: its step, with one child.
func request(rank, step int) []byte {
	b := otlp.NewBuilder(run.Traces)
	b.Resource([]run.Attr{uitest.Text("nemo.run.id", "live"), uitest.Text("host.name", fmt.Sprint("n", rank/8)),
		uitest.Text("service.instance.id", fmt.Sprint(rank)), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 16)}, 0, "")
	b.Scope(run.Scope{Name: "live"})
	trace := uitest.TraceID(uint64(rank)<<32 | uint64(step))
	parent := uitest.SpanID(uint64(rank)<<40 | uint64(step)<<8 | 1)
	from := uitest.Start + uint64(step)*1e9
	b.Span(&run.Span{TraceID: trace, ID: parent, Name: "megatron.train.iteration", Start: from, End: from + 1e9,
		Attrs: []run.Attr{uitest.Int("megatron.iteration", step)}})
	b.Span(&run.Span{TraceID: trace, ID: uitest.SpanID(uint64(rank)<<40 | uint64(step)<<8 | 2), Parent: parent,
		Name: "megatron.forward_backward", Start: from, End: from + 6e8})
	return b.Bytes()
}

// send sends all steps of a rank.
func send(t *testing.T, s *store.Store, rank, steps int) {
	for step := 1; step <= steps; step++ {
		var batch otlp.Batch
		body := request(rank, step)
		if err := batch.Decode(run.Traces, body); err != nil {
			t.Errorf("decoding: %v", err)
			return
		}
		if _, err := s.Put(t.Context(), &batch, run.Receipt{At: int64(uitest.Start) + int64(step)*1e9, Sender: fmt.Sprint("peer", rank/8), Raw: body}); err != nil {
			t.Errorf("storing: %v", err)
		}
	}
}

// Eight senders write while a person looks, sorts, groups and filters. Run it
// with -race; at the end nothing is lost.
func TestIngestWhileDrawing(t *testing.T) {
	const ranks, steps = 16, 60
	s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) + steps*1e9 }})
	p := start(t, s.Snapshot(), func(o *Options) {
		o.Source = s
		o.Screens = everyScreen(o.Theme)
	})
	var senders sync.WaitGroup
	for rank := range ranks {
		senders.Add(1)
		go func() { defer senders.Done(); send(t, s, rank, steps) }()
	}
	done := make(chan struct{})
	go func() { senders.Wait(); close(done) }()
	for i := 0; ; i++ {
		p.tick()
		p.press([]string{"3", "j", "b", "s", "G", "1", "i", "tab", "3", "enter", "esc", "p", "p"}[i%13])
		uitest.Inside(t, p.view(), 120, 30)
		select {
		case <-done:
		default:
			continue
		}
		break
	}
	p.send(tea.WindowSizeMsg{Width: 160, Height: 45})
	p.press("3")
	p.tick()
	p.wants(p.header(), "16/16 ranks")
	p.wants(p.header(), fmt.Sprint("it ", steps))
	if got := s.Snapshot().Accounts[run.Traces]; got.Received != ranks*steps*2 || !got.Balanced() {
		t.Errorf("account %+v, want %d received and the identity", got, ranks*steps*2)
	}
}
