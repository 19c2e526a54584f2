package telemetry_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// TestInSample is the ranks that the Python library chooses.
func TestInSample(t *testing.T) {
	for rate, want := range map[float64][]int{
		0: nil, 0.1: {3, 5, 6}, 0.25: {3, 4, 5, 6, 10}, 0.5: {3, 4, 5, 6, 8, 10, 11, 13},
		1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	} {
		var got []int
		for rank := range 16 {
			if telemetry.InSample(rank, rate) {
				got = append(got, rank)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("rate %v: %v, want %v", rate, got, want)
		}
	}
}

// exporting is the ranks of a world that export.
func exporting(t *testing.T, world int, cfg telemetry.Config, opts ...telemetry.Option) []int {
	t.Helper()
	var ranks []int
	for rank := range world {
		h := newHandle(t, nil, cfg, append(opts, telemetry.WithRank(rank, world), telemetry.WithSpanExporter(discard{}))...)
		if h.Exporting() {
			ranks = append(ranks, rank)
		}
		if h.Exporting() != h.On(telemetry.Job) || !h.Enabled() {
			t.Errorf("rank %d: exporting %t, job on %t", rank, h.Exporting(), h.On(telemetry.Job))
		}
	}
	return ranks
}

func TestStrategies(t *testing.T) {
	tests := []struct {
		strategy string
		rank     int
		rate     float64
		env      []string
		want     []int
	}{
		{strategy: "single_rank", rank: -1, want: []int{7}},
		{strategy: "", rank: -1, want: []int{7}},
		{strategy: "single_rank", rank: 2, want: []int{2}},
		{strategy: "all_ranks", want: []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{strategy: "sampled", rate: 0.25, want: []int{3, 4, 5, 6}},
		{strategy: "first_rank_per_node", want: []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{strategy: "first_rank_per_node", env: []string{"LOCAL_RANK=0"}, want: []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{strategy: "first_rank_per_node", env: []string{"LOCAL_RANK=1"}},
		{strategy: "first_rank_per_node", env: []string{"SLURM_LOCALID=1"}},
		{strategy: "first_rank_per_node", env: []string{"LOCAL_RANK=0", "SLURM_LOCALID=1"}, want: []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{strategy: "odd", want: []int{1, 3, 5, 7}},
	}
	odd := func(in telemetry.StrategyInput) (bool, error) { return in.Rank%2 == 1, nil }
	for _, tt := range tests {
		cfg := enabled()
		cfg.MetricsEnabled = false
		cfg.ExportStrategy, cfg.ExportRank, cfg.ExportSampleRate = tt.strategy, tt.rank, tt.rate
		got := exporting(t, 8, cfg, telemetry.WithEnv(env(tt.env...)), telemetry.WithStrategy("odd", odd))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v: ranks %v", tt, got)
		}
	}
}

// TestWithoutARank a process exports, and no strategy is asked.
func TestWithoutARank(t *testing.T) {
	h := newHandle(t, nil, enabled(), telemetry.WithSpanExporter(discard{}), telemetry.WithExportStrategy(
		func(telemetry.StrategyInput) (bool, error) { return false, errors.New("asked") }))
	if !h.Exporting() {
		t.Error("does not export")
	}
}

func TestStrategyErrors(t *testing.T) {
	tests := []struct {
		strategy string
		env      []string
		want     string
	}{
		{"first_rank_per_node", []string{"LOCAL_RANK=one"}, "LOCAL_RANK"},
		{"first_rank_per_node", []string{"SLURM_LOCALID=-1"}, "SLURM_LOCALID"},
		{"nobody", nil, "all_ranks, first_rank_per_node, sampled, single_rank"},
	}
	for _, tt := range tests {
		cfg := enabled()
		cfg.ExportStrategy = tt.strategy
		_, err := telemetry.New(t.Context(), cfg, telemetry.WithEnv(env(tt.env...)), telemetry.WithRank(0, 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %v: error %v", tt.strategy, tt.env, err)
		}
	}
}

// TestNobodyExports is one warning.
func TestNobodyExports(t *testing.T) {
	for _, tt := range []struct {
		strategy string
		rank     int
		rate     float64
		want     int
	}{
		{"single_rank", 8, 1, 1}, {"single_rank", 7, 1, 0}, {"single_rank", -1, 1, 0}, {"", 8, 1, 1},
		{"sampled", 0, 0, 1}, {"sampled", 0, 0.1, 0}, {"sampled", 0, 0.0001, 1}, {"all_ranks", 8, 0, 0},
	} {
		var w told
		cfg := enabled()
		cfg.ExportStrategy, cfg.ExportRank, cfg.ExportSampleRate = tt.strategy, tt.rank, tt.rate
		newHandle(t, nil, cfg, telemetry.WithRank(0, 8), telemetry.WithSpanExporter(discard{}), w.option())
		if n := w.with("no rank will export"); n != tt.want {
			t.Errorf("%+v: warnings %v", tt, w.texts())
		}
	}
}

// TestRankSampler drops all spans of a rank, and keeps the trace state.
func TestRankSampler(t *testing.T) {
	state, _ := trace.ParseTraceState("v=1")
	parent := trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceState: state}))
	for rank, want := range map[int]sdktrace.SamplingDecision{3: sdktrace.RecordAndSample, 0: sdktrace.Drop} {
		s := telemetry.NewRankSampler(rank, 0.1, nil)
		got := s.ShouldSample(sdktrace.SamplingParameters{ParentContext: parent})
		if got.Decision != want || got.Tracestate.String() != "v=1" {
			t.Errorf("rank %d: %+v", rank, got)
		}
		if !strings.Contains(s.Description(), "rate=0.1") {
			t.Errorf("description %s", s.Description())
		}
	}
	if d := telemetry.NewRankSampler(3, 0.1, sdktrace.NeverSample()).ShouldSample(sdktrace.SamplingParameters{}).Decision; d != sdktrace.Drop {
		t.Error("the base is not asked")
	}
}

// TestSamplerEnabled: the rank exports metrics and logs, and no spans.
func TestSamplerEnabled(t *testing.T) {
	for rank, want := range map[int]int{0: 0, 3: 1} {
		b, cfg := newBackend(t), enabled()
		cfg.ExportStrategy, cfg.SamplerEnabled, cfg.ExportSampleRate, cfg.LogsEnabled = "all_ranks", true, 0.1, true
		h := newHandle(t, b, cfg, telemetry.WithRank(rank, 8))
		_, span := h.Start(t.Context(), telemetry.Job, "job")
		span.End()
		h.Logger().Info("hello")
		if err := h.ForceFlush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(b.names()) != want || len(b.logs) != 1 {
			t.Errorf("rank %d: %v and %d logs", rank, b.names(), len(b.logs))
		}
	}
}
