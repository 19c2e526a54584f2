package record

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// load is requests of 512 spans of a job, none of them twice.
func load(n int) (raws [][]byte) {
	var build otlp.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		raws = append(raws, append([]byte(nil), jobRequest(&build, r, i%64, 64, i/64)...))
	}
	return raws
}

// pass is how fast one pass of the load went.
type pass struct{ took, cpu time.Duration }

// BenchmarkRecord is what recording costs, with and without side by side in one
// run: beside decoding and storing alone, and beside a whole receiver with its
// senders over gRPC, as 'lensview record' has them.
func BenchmarkRecord(b *testing.B) {
	raws := load(2500)
	for name, send := range map[string]func(testing.TB, *Tee, [][]byte){"decode and store": direct, "over gRPC": overGRPC} {
		b.Run(name, func(b *testing.B) {
			var sum [2]pass
			for i := 0; b.Loop(); i++ {
				for k := range 2 {
					k = (k + i) % 2 // neither has the first turn
					one := measured(b, raws, k == 1, send)
					sum[k].took, sum[k].cpu = sum[k].took+one.took, sum[k].cpu+one.cpu
				}
			}
			spans := float64(b.N) * float64(len(raws)) * 512
			for k, name := range []string{"without-", "with-"} {
				b.ReportMetric(spans/sum[k].took.Seconds(), name+"spans/s")
				b.ReportMetric(float64(sum[k].cpu.Nanoseconds())/spans, name+"cpu-ns/span")
			}
			b.ReportMetric(100*sum[0].took.Seconds()/sum[1].took.Seconds(), "%-of-without")
		})
	}
}

// measured is one pass until all is stored and written to the file.
func measured(b testing.TB, raws [][]byte, recording bool, send func(testing.TB, *Tee, [][]byte)) pass {
	st := store.New(store.Config{Budget: 256 << 20})
	tee := NewTee(st)
	if recording {
		if err := tee.Start(Options{Dir: b.TempDir()}); err != nil {
			b.Fatal(err)
		}
	}
	from, before := time.Now(), cpuTime()
	send(b, tee, raws)
	if recording {
		if err := tee.writer.Flush(context.Background()); err != nil {
			b.Error(err)
		}
	}
	p := pass{time.Since(from), cpuTime() - before}
	if err := tee.Stop(context.Background()); err != nil {
		b.Error(err)
	}
	want := uint64(len(raws)) * 512
	s, _ := tee.Status()
	if a := st.Snapshot().Accounts[run.Traces]; a.Received != want || a.Duplicates > 0 || recording && s.Items[run.Traces] != want {
		b.Errorf("accounts %+v, recorded %+v", a, s)
	}
	return p
}

// direct decodes and puts from two goroutines.
func direct(b testing.TB, tee *Tee, raws [][]byte) {
	var wg sync.WaitGroup
	for k := range 2 {
		wg.Go(func() {
			var batch otlp.Batch
			for i := k; i < len(raws); i += 2 {
				if err := batch.Decode(run.Traces, raws[i]); err != nil {
					b.Error(err)
				}
				if _, err := tee.Put(context.Background(), &batch, run.Receipt{At: int64(1e18) + int64(i), Sender: "10.0.0.1", Raw: raws[i]}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// overGRPC sends from four connections with two calls each.
func overGRPC(b testing.TB, tee *Tee, raws [][]byte) {
	srv, err := ingest.Start(context.Background(), ingest.Config{GRPC: "127.0.0.1:0", HTTP: ingest.Off, AllowOtherUsers: true}, tee)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = srv.Stop(context.Background()) }()
	var wg sync.WaitGroup
	for c := range 4 {
		conn, err := grpc.NewClient(srv.Addrs()[0].Addr, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		for k := range 2 {
			wg.Go(func() {
				for i := 2*c + k; i < len(raws); i += 8 {
					var answer []byte
					err := conn.Invoke(context.Background(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", raws[i], &answer)
					if err != nil {
						b.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
}

// rawCodec sends bytes as they are.
type rawCodec struct{}

var _ encoding.CodecV2 = rawCodec{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.([]byte)
	if !ok {
		return nil, fmt.Errorf("request is %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}
