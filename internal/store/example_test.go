package store_test

import (
	"context"
	"fmt"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// filled is a store with three steps of rank 0, as an exporter sends them:
// children first.
func filled() *store.Store {
	b := otlp.NewBuilder(run.Traces)
	b.Resource([]run.Attr{
		{Key: "service.name", Value: run.StringValue("megatron-lm")},
		{Key: "nemo.run.id", Value: run.StringValue("tuesday")},
		{Key: "nv.dl.rank", Value: run.IntValue(0)},
	}, 0, "")
	b.Scope(run.Scope{Name: "nemo.lens"})
	const t0, second = uint64(1760000000000000000), uint64(1e9)
	for i := range uint64(3) {
		step := run.Span{
			TraceID: run.TraceID{1}, ID: run.SpanID{byte(i + 1)}, Name: "megatron.train_step",
			Start: t0 + i*second, End: t0 + (i+1)*second,
			Attrs: []run.Attr{{Key: "megatron.iteration", Value: run.IntValue(int64(i))}},
		}
		compute := run.Span{
			TraceID: run.TraceID{1}, ID: run.SpanID{byte(i + 100)}, Parent: step.ID, Name: "megatron.forward_backward",
			Start: step.Start, End: step.Start + (i+6)*second/10,
		}
		b.Span(&compute)
		b.Span(&step)
	}
	batch := new(otlp.Batch)
	if err := batch.Decode(run.Traces, b.Bytes()); err != nil {
		panic(err)
	}
	s := store.New(store.Config{Files: true})
	if _, err := s.Put(context.Background(), batch, run.Receipt{Sender: "a file"}); err != nil {
		panic(err)
	}
	return s
}

// Statistics cover the whole run; durations are nanoseconds.
func ExampleProcess_Stat() {
	r := filled().Snapshot().Run("tuesday")
	name, _ := r.NameID("megatron.forward_backward")
	st, _ := r.Processes[0].Stat(name)
	mean, _ := st.Mean()
	fmt.Println(st.Count, st.Min, mean, st.Max, r.Names[name].Phase.Class)
	// Output: 3 600000000 700000000 800000000 compute
}

func ExampleMergeStages() {
	r := filled().Snapshot().Run("tuesday")
	name, _ := r.NameID("megatron.forward_backward")
	var of []*store.StageStat
	for _, s := range r.Stages {
		if s.Name == name {
			of = append(of, s)
		}
	}
	all := store.MergeStages(of...)
	p50, exact := all.Quantile(.5)
	p99, _ := all.Quantile(.99)
	fmt.Println(p50, p99, exact)
	// Output: 700000000 800000000 true
}

// Columns are what a heat map of ranks and iterations draws.
func ExampleColumn_Cell() {
	r := filled().Snapshot().Run("tuesday")
	for _, col := range r.Columns {
		if cell, ok := col.Cell(0); ok {
			fmt.Printf("%d: step %.1f s, compute %.1f s\n", col.Iteration, cell.Step, cell.Compute)
		}
	}
	// Output:
	// 0: step 1.0 s, compute 0.6 s
	// 1: step 1.0 s, compute 0.7 s
	// 2: step 1.0 s, compute 0.8 s
}

// A key is prepared once and read for many rows.
func ExampleRun_EachSpan() {
	r := filled().Snapshot().Run("tuesday")
	iteration := store.NewKey("nv.dl.training.step", "megatron.iteration")
	r.EachSpan(func(c *store.Chunk, row int) bool {
		if v, ok := c.Value(row, iteration); ok {
			ns, _ := c.Duration(row)
			fmt.Println(c.Name(row), v, ns)
		}
		return true
	})
	// Output:
	// megatron.train_step 0 1000000000
	// megatron.train_step 1 1000000000
	// megatron.train_step 2 1000000000
}

func ExampleSnapshot_Trace() {
	snap := filled().Snapshot()
	for _, ref := range snap.Trace(run.TraceID{1})[:2] {
		s, _ := snap.Runs[ref.Run].Span(ref.Ref)
		fmt.Println(s.ID, s.Parent, s.Name)
	}
	// Output:
	// 6400000000000000 0100000000000000 megatron.forward_backward
	// 0100000000000000 0000000000000000 megatron.train_step
}

func ExampleRun_IterationAt() {
	r := filled().Snapshot().Run("tuesday")
	w, ok := r.IterationAt(0, 1760000001500000000)
	fmt.Println(w.Iteration, w.End-w.Start, ok)
	// Output: 1 1000000000 true
}
