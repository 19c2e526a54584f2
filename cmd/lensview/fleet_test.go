package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// fleet is the ranks of a job, each with a connection of its own.
type fleet struct {
	t     *testing.T
	conns []*grpc.ClientConn
	spans atomic.Uint64 // acknowledged
	again atomic.Uint64 // requests that were asked for again
}

func newFleet(t *testing.T, addr string, n int, creds credentials.TransportCredentials) *fleet {
	t.Helper()
	f := &fleet{t: t, conns: make([]*grpc.ClientConn, n)}
	for i := range f.conns {
		c, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(creds),
			grpc.WithReadBufferSize(1<<10), grpc.WithDefaultCallOptions(grpc.ForceCodecV2(asIs{})))
		if err != nil {
			t.Fatal(err)
		}
		f.conns[i] = c
	}
	t.Cleanup(f.leave)
	return f
}

func (f *fleet) leave() {
	for _, c := range f.conns {
		c.Close()
	}
}

// asIs is for requests that are bytes already.
type asIs struct{}

func (asIs) Name() string { return "proto" }

func (asIs) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (asIs) Unmarshal(mem.BufferSlice, any) error { return nil }

// step lets every rank send the spans of an iteration.
func (f *fleet) step(iteration int) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for rank := int(next.Add(1)) - 1; rank < len(f.conns); rank = int(next.Add(1)) - 1 {
				f.send(rank, stepOf(rank, len(f.conns), iteration))
			}
		})
	}
	wg.Wait()
}

// send is as patient as exporters are: what the receiver asks for again is sent
// again.
func (f *fleet) send(rank int, body []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		var answer []byte
		err := f.conns[rank].Invoke(ctx, "/opentelemetry.proto.collector.trace.v1.TraceService/Export", body, &answer)
		if err == nil {
			f.spans.Add(spansOfStep)
			return
		}
		if status.Code(err) != codes.Unavailable || wait > 10*time.Second {
			f.t.Errorf("rank %d: %v", rank, err)
			return
		}
		f.again.Add(1)
		time.Sleep(wait)
	}
}

const spansOfStep = 8

// stepOf is a request of a rank: an iteration and what it did meanwhile.
func stepOf(rank, world, iteration int) []byte {
	text := func(k, v string) run.Attr { return run.Attr{Key: k, Value: run.StringValue(v)} }
	num := func(k string, n int) run.Attr { return run.Attr{Key: k, Value: run.IntValue(int64(n))} }
	b := otlp.NewBuilder(run.Traces)
	b.Resource([]run.Attr{
		text("service.name", "megatron-lm"), text("nemo.run.id", "many"), text("service.instance.id", fmt.Sprint("many-rank", rank)),
		text("host.name", fmt.Sprintf("gpu-%04d", rank/8)), num("process.pid", 4000+rank), num("nv.dl.rank", rank),
		num("nv.dl.world_size", world), num("nv.dl.local_rank", rank%8), text("nv.dl.role", "trainer"),
	}, 0, "")
	b.Scope(run.Scope{Name: "many"})
	var trace run.TraceID
	copy(trace[:], fmt.Sprintf("%016x", iteration*world+rank+1))
	id := func(n int) (s run.SpanID) {
		copy(s[:], fmt.Sprintf("%08x", (iteration*world+rank)*spansOfStep+n+1))
		return s
	}
	at := uint64(1_760_000_000e9) + uint64(iteration)*1e9
	for n := 1; n < spansOfStep; n++ {
		from := at + uint64(n)*100e6
		b.Span(&run.Span{TraceID: trace, ID: id(n), Parent: id(0), Name: "megatron.microbatch.forward", Kind: 1,
			Start: from, End: from + 80e6 + uint64(rank*n*7919%977)*1000,
			Attrs: []run.Attr{num("dl.microbatch_id", n), text("backend", "nccl"), num("bytes", rank*n), text("layer", fmt.Sprint("layer-", n))}})
	}
	b.Span(&run.Span{TraceID: trace, ID: id(0), Name: "megatron.train_step", Kind: 1, Start: at, End: at + 950e6,
		Attrs: []run.Attr{num("dl.iteration", iteration)}})
	return append([]byte(nil), b.Bytes()...)
}
