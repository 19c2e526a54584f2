package query

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// zoo is one run with three processes that spell the same facts differently:
//
//	a b   rank 0, the newest spelling, ints
//	c d   rank 1, the older spelling, numeric strings
//	e     no rank, another role
func zoo(t testing.TB) *store.Run {
	f := newFeed(t)
	newest := []run.Attr{
		str("nemo.run.id", "r1"), str("service.name", "megatron"), num("nv.dl.rank", 0), num("nv.dl.world_size", 2),
		num("nv.dl.topology.size.tp", 1), num("nv.dl.topology.size.pp", 2), num("nv.dl.topology.size.dp", 1),
		str("host.name", "node-1"), str("nv.dl.role", "trainer"), str("team", "blue"), num("level", 1),
	}
	older := []run.Attr{
		str("nemo.run.id", "r1"), str("service.name", "megatron"), str("dl.rank", "1"), str("nv.dl.rank", ""), str("dl.world_size", "2"),
		str("dl.tensor_parallel.size", "1"), num("dl.pipeline_parallel.size", 2), num("dl.data_parallel.size", 1),
		str("host.name", "node-2"), str("nv.dl.role", "trainer"),
	}
	other := []run.Attr{str("nemo.run.id", "r1"), str("service.name", "gateway"), str("nv.dl.role", "web")}
	failed := f.mk("megatron.forward_backward", 0, 900*ms, str("tag", "b"), dbl("loss", 0.5), num("level", 2))
	failed.Status = run.StatusError
	failed.Kind = 3
	f.spans(newest, f.mk("megatron.train_step", 0, sec, str("tag", "a"), num("megatron.iteration", 7), str("big", "9007199254740993")), failed)
	f.spans(older,
		f.mk("megatron.all_reduce", 0, 100*ms, str("tag", "c"), str("loss", "0.25"), yesNo("ok", true)),
		f.mk("save checkpoint", 0, 3*sec, str("tag", "d"), yesNo("nemo.span.truncated", true), str("big", "9007199254740992")))
	f.spans(other, f.mk("GET /", 0, 0, str("tag", "e"), str("dl.rank", "0"), str("empty", "")))
	return f.run()
}

func TestSpanMatches(t *testing.T) {
	r := zoo(t)
	for _, c := range []struct{ text, want string }{
		{"", "abcde"},
		{"rank=0", "ab"},
		{"rank!=0", "cd"},     // what has no rank matches no comparison
		{"not rank=0", "cde"}, // but it is not rank 0
		{"rank in (0,1)", "abcd"},
		{"rank not in (1)", "ab"},
		{"rank=0..63", "abcd"},
		{"rank>0", "cd"},
		{"rank=~^0", "ab"},
		{"rank in (0,2,4,6,8,10,12,14)", "ab"},
		{"rank not in (0,2,4,6,8,10,12,14)", "cd"},
		{"dl.rank=0", "abe"}, // the span's own attribute counts first
		{"nv.dl.rank=0", "abe"},
		{"dl.rank=1", "cd"},
		{"nv.dl.rank=1", "cd"},
		{"not nv.dl.rank=1", "abe"},
		{"world_size=2", "abcd"},
		{"dl.tensor_parallel.size=1 AND dl.pipeline_parallel.size=2", "abcd"},
		{"nv.dl.topology.size.pp=2", "abcd"},
		{"pp.size=2 tp.size=1", "abcd"},
		{"pp=1", "cd"},
		{"tp=0 pp=0", "ab"},
		{"host=node-1", "ab"},
		{"host!=node-1", "cd"},
		{"host=~^node", "abcd"},
		{"host in (node-2, node-3)", "cd"},
		{"role=web", "e"},
		{"service=megatron", "abcd"},
		{"run=r1", "abcde"},
		{"run=r2", ""},
		{"forward", "b"},
		{"MEGATRON", "abc"},
		{`"save check"`, "d"},
		{"name=megatron.train_step", "a"},
		{`name =~ "(forward|step)"`, "ab"},
		{"name!~megatron", "de"},
		{"phase=iteration", "a"},
		{"class=compute", "b"},
		{"class in (compute, step)", "ab"},
		{"dur>500ms", "abd"},
		{"dur=100ms..1s", "abc"},
		{"dur<=100ms", "ce"},
		{"status=error", "b"},
		{"error", "b"},
		{"not error", "acde"},
		{"error=false", "acde"},
		{"kind=client", "b"},
		{"truncated", "d"},
		{"not truncated", "abce"},
		{"truncated!=true", "abce"},
		{"dur>2s and not truncated", ""},
		{"iter=7", "ab"}, // the child starts inside the step
		{"iter>7", ""},
		{"loss>0.3", "b"},
		{"loss<0.3", "c"},
		{"loss=0.5", "b"},
		{"loss=0.2..0.3", "c"},
		{"loss!=0.5", "c"},
		{"ok=true", "c"},
		{"team=blue", "ab"},
		{"team!=blue", ""},
		{"not team=blue", "cde"},
		{"team>5", ""},
		{"level=1", "a"}, // resource 1, the span's own 2 counts first
		{"level=2", "b"},
		{"level!=1", "b"},
		{"big=9007199254740993", "a"},
		{"big>=9007199254740993", "a"},
		{`empty=""`, "e"},
		{"nowhere=1", ""},
		{"nowhere!=1", ""},
		{"not nowhere=1", "abcde"},
		{"trace=5b000000000000000000000000000002", "a"},
		{"trace=~0003$ or span=0000000000000004", "cd"},
		{"span in (0000000000000002)", "a"},
		{"(rank=0 or dur>2s) and not (error or truncated)", "a"},
		{"rank=1 forward or rank=0 step", "a"},
	} {
		if got := hits(t, r, c.text); got != c.want {
			t.Errorf("%-50s matches %q, want %q", c.text, got, c.want)
		}
	}
}

func TestProcessMatches(t *testing.T) {
	r := zoo(t)
	for _, c := range []struct {
		text      string
		want      []int
		spanLevel bool
	}{
		{"", []int{0, 1, 2}, false},
		{"rank=0", []int{0}, false},
		{"not rank=0", []int{1, 2}, false},
		{"dl.rank=0", []int{0, 2}, true}, // process 2 has none, its spans do
		{"dl.pipeline_parallel.size=2", []int{0, 1}, false},
		{"forward", []int{0, 1, 2}, true},
		{"rank=1 and forward", []int{1}, true},
		{"rank=1 or forward", []int{0, 1, 2}, true},
		{"not (rank=1 and forward)", []int{0, 1, 2}, true},
		{"team=blue", []int{0}, false},
		{"team=red", nil, false},
		{"run=r2 dur>1s", nil, false},
		{"iter=3", []int{0, 1, 2}, true},
	} {
		m := bind(t, r, c.text)
		var got []int
		for p := range r.Processes {
			if m.Process(p) {
				got = append(got, p)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: processes %s", c.text, diff)
		}
		if m.SpanLevel() != c.spanLevel {
			t.Errorf("%q: span level %v", c.text, m.SpanLevel())
		}
		if m.Run() != (len(got) > 0) {
			t.Errorf("%q: run %v with processes %v", c.text, m.Run(), got)
		}
	}
}

func TestIterationMatches(t *testing.T) {
	r := zoo(t)
	for text, want := range map[string][2]bool{
		"":                   {true, true},
		"iter=7":             {true, false},
		"iter=1..6":          {false, false},
		"not iter=7":         {false, true},
		"rank=5":             {true, true},
		"rank=5 iter>7":      {false, true},
		"forward or iter=7":  {true, true},
		"forward and iter>9": {false, false},
	} {
		m := bind(t, r, text)
		if got := [2]bool{m.Iteration(0, 7), m.Iteration(0, 8)}; got != want {
			t.Errorf("%q: iterations 7 and 8: %v, want %v", text, got, want)
		}
	}
}

func TestPairIsSureAboutNames(t *testing.T) {
	r := zoo(t)
	name, _ := r.NameID("megatron.forward_backward")
	for text, want := range map[string][2]bool{
		"forward":            {true, true},
		"checkpoint":         {false, true},
		"rank=1":             {false, true},
		"forward and dur>1s": {true, false},
		"class=wait dur>1s":  {false, true},
		"loss>0":             {true, false},
	} {
		match, sure := bind(t, r, text).Pair(0, name)
		if got := [2]bool{match, sure}; got != want {
			t.Errorf("%q: match, sure = %v, want %v", text, got, want)
		}
	}
}

func TestNilAndEmptyFilters(t *testing.T) {
	var f *Filter
	if !f.Empty() || f.String() != "" || !f.Bind(&store.Run{}).Run() {
		t.Error("a nil filter is not the empty one")
	}
}

// TestBindIsPerRun: the same filter on two runs.
func TestBindIsPerRun(t *testing.T) {
	f := newFeed(t)
	for i := range 2 {
		f.spans([]run.Attr{str("nemo.run.id", fmt.Sprint("run-", i)), num("dl.rank", int64(i))}, f.mk("op", 0, sec, str("tag", "x")))
	}
	flt, err := Parse("rank=1")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range f.Snapshot().Runs {
		if got := flt.Bind(r).Run(); got != (r.ID == "run-1") {
			t.Errorf("run %d %s matches: %v", i, r.ID, got)
		}
	}
}

func million(b *testing.B) *store.Run {
	f := newFeed(b)
	names := []string{"megatron.train_step", "megatron.forward_backward", "megatron.optimizer", "megatron.all_reduce"}
	for rank := range 64 {
		res := []run.Attr{str("nemo.run.id", "r"), num("nv.dl.rank", int64(rank)), num("nv.dl.world_size", 64), str("host.name", fmt.Sprint("n", rank/8))}
		for range 32 {
			var batch []run.Span
			for i := range uint64(512) {
				batch = append(batch, f.mk(names[i%4], i*ms, i*ms+i*1000, num("megatron.iteration", int64(i)), dbl("loss", float64(i)), str("tag", "x")))
			}
			f.spans(res, batch...)
		}
	}
	return f.run()
}

func BenchmarkSpan1M(b *testing.B) {
	r := million(b)
	for _, text := range []string{
		"rank=3", "forward", "dur>200us", "loss>100", "dl.rank=3", "iter=7",
		"rank=0..31 and (name =~ forward or dur>2s) and not truncated",
	} {
		b.Run(text, func(b *testing.B) {
			n, total := 0, 0
			for b.Loop() {
				m := bind(b, r, text)
				n, total = 0, 0
				r.EachSpan(func(c *store.Chunk, i int) bool {
					total++
					if m.Span(c, i) {
						n++
					}
					return true
				})
			}
			b.ReportMetric(float64(total), "spans")
			b.ReportMetric(float64(n), "matched")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(total), "ns/span")
		})
	}
}
