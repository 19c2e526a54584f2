package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// The large size is behind these: LENSVIEW_SPANS says how many spans, LENSVIEW_MIB
// in how much memory, and LENSVIEW_SHAPE makes the test binary a process that
// measures one shape.
const (
	envSpans  = "LENSVIEW_SPANS"
	envMemory = "LENSVIEW_MIB"
	envShape  = "LENSVIEW_SHAPE"
)

// Of the jobs in every shape.
const (
	millionRanks  = 1024
	millionMemory = "128" // MiB
)

// jobShape is how a job divides its spans into traces, and what they carry.
type jobShape struct {
	name  string
	trace func(rank int, iteration int64) uint64
	data  func(r *rand.Rand, rank int, iteration int64) []run.Span
}

func jobShapes() []jobShape {
	perStep := func(rank int, iteration int64) uint64 { return uint64(iteration)<<20 | uint64(rank) }
	return []jobShape{
		{"a trace per step", perStep, benchSpans},
		{"one trace for the run", func(int, int64) uint64 { return 1 }, benchSpans},
		{"a trace per rank", func(rank int, _ int64) uint64 { return uint64(rank) }, benchSpans},
		{"distinct strings", perStep, distinctSpans},
	}
}

// spans is what a rank sends of an iteration, the same each time it is asked. A
// few are truncated, failed, or end before they start.
func (j jobShape) spans(rank int, iteration int64) []run.Span {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(iteration)))
	out := j.data(r, rank, iteration)
	for i := range out {
		s := &out[i]
		s.TraceID = traceID(j.trace(rank, iteration))
		switch r.IntN(500) {
		case 0:
			s.Attrs = append(s.Attrs, truth(run.TruncatedKey, true))
		case 1:
			s.End = s.Start - 1
		case 2:
			s.Status = run.StatusError
		}
	}
	return out
}

// each calls f with what the ranks send, iteration by iteration, n spans in all.
func (j jobShape) each(n int, f func(rank int, spans []run.Span)) {
	for i := 0; n > 0; i++ {
		spans := j.spans(i%millionRanks, int64(i/millionRanks))
		spans = spans[:min(n, len(spans))]
		f(i%millionRanks, spans)
		n -= len(spans)
	}
}

// sendJob stores a job of n spans and says how much processor time the store
// took.
func sendJob(t *testing.T, s *Store, j jobShape, n int) (cpu time.Duration) {
	t.Helper()
	b, k := new(otlp.Batch), otlp.NewBuilder(run.Traces)
	j.each(n, func(rank int, spans []run.Span) {
		k.Reset(run.Traces)
		k.Resource(benchResource(rank, millionRanks), 0, "")
		k.Scope(run.Scope{Name: "t"})
		for i := range spans {
			k.Span(&spans[i])
		}
		if err := b.Decode(run.Traces, k.Bytes()); err != nil {
			t.Fatal(err)
		}
		from := cpuTime(t)
		out, err := s.Put(context.Background(), b, run.Receipt{At: int64(t0), Sender: fmt.Sprint("host-", rank/8), Raw: k.Bytes()})
		cpu += cpuTime(t) - from
		if err != nil || out.Kept != uint64(len(spans)) || out.Rejected != 0 {
			t.Fatalf("outcome %+v of %d spans: %v", out, len(spans), err)
		}
	})
	return cpu
}

// checkJob holds everything that a store says of a job against a plain
// computation over all of its spans.
func checkJob(t *testing.T, snap *Snapshot, j jobShape, n int) {
	t.Helper()
	checkBalanced(t, snap)
	r := snap.Runs[0]
	a := snap.Accounts[run.Traces]
	if a.Received != uint64(n) || a.Kept+a.Evicted != uint64(n) || a.Rejected+a.Duplicates+a.Replaced != 0 {
		t.Errorf("account = %+v of %d", a, n)
	}
	if m := snap.Memory; m.Used > m.Data || m.Used+m.Fixed > m.Budget {
		t.Errorf("memory = %+v", m)
	}
	checkRetained(t, r, j, n, int(a.Evicted))
	checkRollUps(t, r, j, n)
}

// checkRetained compares every retained span with the one that was sent.
func checkRetained(t *testing.T, r *Run, j jobShape, n, evicted int) {
	t.Helper()
	at, chunk, row := 0, 0, 0
	j.each(n, func(rank int, spans []run.Span) {
		for _, s := range spans {
			if at++; at <= evicted || t.Failed() {
				continue
			}
			for row == r.Chunks[chunk].Len() {
				chunk, row = chunk+1, 0
			}
			if got := r.Chunks[chunk].Span(row); !equalSpan(got, s) || r.Processes[got.Process].ID.Rank != rank {
				t.Errorf("span %d of rank %d is\n%+v, sent\n%+v", at, rank, got, s)
			}
			row++
		}
	})
}

// equalSpan is quicker than a comparison by reflection.
func equalSpan(a, b run.Span) bool {
	return a.TraceID == b.TraceID && a.ID == b.ID && a.Parent == b.Parent && a.Name == b.Name && a.Kind == b.Kind &&
		a.Status == b.Status && a.Start == b.Start && a.End == b.End && sameAttrs(a.Attrs, b.Attrs)
}

// checkRollUps compares the statistics of every process and name, and those of
// every name, with what a plain computation gives.
func checkRollUps(t *testing.T, r *Run, j jobShape, n int) {
	t.Helper()
	type key struct {
		rank int
		name string
	}
	byRank, byName := map[key]*plain{}, map[string]*plain{}
	j.each(n, func(rank int, spans []run.Span) {
		for _, s := range spans {
			k := key{rank, s.Name}
			if byRank[k] == nil {
				byRank[k] = &plain{}
			}
			if byName[s.Name] == nil {
				byName[s.Name] = &plain{}
			}
			noteJob(byRank[k], s)
			noteJob(byName[s.Name], s)
		}
	})
	for _, p := range r.Processes {
		for _, st := range p.Stats() {
			k := key{p.ID.Rank, r.Names[st.Name].Text}
			if want := byRank[k]; want == nil || st != want.stat(st.Name) {
				t.Errorf("%+v: %+v, want %+v", k, st, want)
			}
			delete(byRank, k)
		}
	}
	if len(byRank) > 0 {
		t.Errorf("%d statistics are missing", len(byRank))
	}
	for name, want := range byName {
		checkName(t, stageOf(t, r, name), want)
	}
}

func noteJob(p *plain, s run.Span) {
	if last := len(s.Attrs) - 1; s.Attrs[last].Key == run.TruncatedKey {
		s.Attrs = s.Attrs[last:] // where plain looks for it
	}
	p.note(s)
}

func checkName(t *testing.T, got StageStat, want *plain) {
	t.Helper()
	if st := want.stat(got.Name); got.NameStat != st {
		t.Errorf("%+v, want %+v", got.NameStat, st)
	}
	slices.Sort(want.durations)
	for _, q := range []float64{0, .01, .25, .5, .75, .9, .95, .99, .999, 1} {
		ns, _ := got.Quantile(q)
		exact := want.durations[nearestRank(q, uint64(len(want.durations)))-1]
		if off := math.Abs(float64(ns)/float64(exact) - 1); off > .01 {
			t.Errorf("name %d: the %g-quantile is %d, want %d: off by %.2f %%", got.Name, q, ns, exact, 100*off)
		}
	}
}

// TestShapesOfJobs is the small size: spans are sealed all the same.
func TestShapesOfJobs(t *testing.T) {
	shapes := jobShapes()
	if raceEnabled { // which looks for races, not for sums
		shapes = shapes[len(shapes)-1:]
	}
	for _, j := range shapes {
		t.Run(j.name, func(t *testing.T) {
			const n = 36_000
			s := New(Config{Budget: 13 << 20, Clock: func() int64 { return int64(t0) }})
			s.sealAnyway(t)
			sendJob(t, s, j, n)
			s.Tick(int64(t0)) // what came since memory was measured last
			snap := s.Snapshot()
			checkJob(t, snap, j, n)
			if m := snap.Memory; m.Sealed == 0 {
				t.Errorf("the test is too small: %+v", m)
			}
		})
	}
}

// TestMillion is the large size, each shape in a process of its own whose
// resident memory may grow by the budget.
func TestMillion(t *testing.T) {
	if os.Getenv(envSpans) == "" {
		t.Skip("LENSVIEW_SPANS=1000000 runs it: make million")
	}
	for _, j := range jobShapes() {
		t.Run(j.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOneShape$", "-test.v", "-test.timeout=60m")
			cmd.Env = append(os.Environ(), envShape+"="+j.name)
			out, err := cmd.CombinedOutput()
			for line := range strings.Lines(string(out)) {
				if strings.HasPrefix(line, "    ") {
					t.Log(strings.TrimSpace(line))
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOneShape is the process of one shape.
func TestOneShape(t *testing.T) {
	at := slices.IndexFunc(jobShapes(), func(j jobShape) bool { return j.name == os.Getenv(envShape) })
	if at < 0 {
		t.Skip("TestMillion runs it")
	}
	n := intOf(t, os.Getenv(envSpans))
	budget := uint64(intOf(t, cmp.Or(os.Getenv(envMemory), millionMemory))) << 20
	debug.SetMemoryLimit(int64(budget)) // as the program does
	before := status(t, "VmRSS")
	s := New(Config{Budget: budget, Clock: func() int64 { return int64(t0) }})
	cpu := sendJob(t, s, jobShapes()[at], n)
	peak := status(t, "VmHWM") - before
	s.Tick(int64(t0)) // what came since memory was measured last
	snap := s.Snapshot()
	m, a := snap.Memory, snap.Accounts[run.Traces]
	t.Logf("%d spans, %d kept in %d chunks, %d of them sealed", a.Received, a.Kept, m.Chunks, m.Sealed)
	t.Logf("the process grew by %.1f MiB at most, of %d; used %.1f, fixed %.1f", mib(peak), budget>>20, mib(m.Used), mib(m.Fixed))
	t.Logf("%.2f CPU s per million spans stored", cpu.Seconds()/float64(n)*1e6)
	if peak > budget {
		t.Errorf("the process grew by %d bytes, the budget is %d", peak, budget)
	}
	checkJob(t, snap, jobShapes()[at], n)
	runtime.KeepAlive(s)
}

func intOf(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }

// status is a line of /proc/self/status in bytes.
func status(t testing.TB, field string) uint64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("resident memory is read from /proc: ", err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatalf("%s is not in /proc/self/status", field)
	return 0
}
