package simulate

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// setup is what the telemetry of all processes of a run has in common.
type setup struct {
	m      *model
	res    *resources
	to     Target
	at     address
	groups *telemetry.Groups
	named  map[string]telemetry.Group // by span name
	others telemetry.Group
	warn   func(telemetry.Warning)
}

func newSetup(s *Stream, to Target, at address, warn func(telemetry.Warning)) (*setup, error) {
	u := &setup{m: s.m, res: newResources(&s.m.Config), to: to, at: at, groups: telemetry.NewGroups(), warn: warn}
	var err error
	if u.others, err = u.groups.Add("microbatch"); err != nil {
		return nil, err
	}
	n := s.m.names()
	u.named = map[string]telemetry.Group{}
	for kind, group := range map[kind]telemetry.Group{
		kJob: telemetry.Job, kModelInit: telemetry.ModelInit, kStep: telemetry.Step,
		kCheckpoint: telemetry.Checkpoint, kCheckpointWrite: telemetry.Checkpoint, kEvaluate: telemetry.Evaluate,
		kForwardBackward: telemetry.ForwardBackward, kClip: telemetry.Optimizer, kOptimizer: telemetry.Optimizer,
	} {
		u.named[n.span[kind]] = group
	}
	return u, nil
}

// group is the span group of a name.
func (u *setup) group(name string) telemetry.Group {
	if g, ok := u.named[name]; ok {
		return g
	}
	return u.others
}

// handle sets up the telemetry of one process, as its program would.
func (u *setup) handle(ctx context.Context, rank int, now func() time.Time) (*telemetry.Handle, error) {
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.LogsEnabled, cfg.SpanGroups, cfg.Exporter = true, true, "all", "otlp"
	cfg.ExportStrategy, cfg.RunID, cfg.UserID = "all_ranks", u.m.RunID, u.m.User
	attrs := u.res.beside()
	var who []telemetry.Option
	if rank != run.Unknown {
		attrs = u.res.trainer(rank)
		who = []telemetry.Option{telemetry.WithRank(rank, u.m.Ranks()), telemetry.WithLocalRank(rank % u.res.lay.perHost)}
	}
	if u.m.NewestOnly {
		who = append(who, telemetry.WithoutOlderNames())
	}
	h, err := telemetry.New(ctx, cfg, append(who,
		telemetry.WithEnv(u.env(rank, attrs)), telemetry.WithGroups(u.groups), telemetry.WithResourceAttributes(own(attrs)...),
		telemetry.WithEndpoint(u.endpoint()), telemetry.WithProtocol(u.at.protocol.sdk()), telemetry.WithHeaders(u.to.Headers), telemetry.WithTLS(u.to.TLS),
		telemetry.WithClock(now), telemetry.WithIDGenerator(planted{}), telemetry.WithSeriesLimit(u.series()), telemetry.WithWarnings(u.warn))...)
	if err != nil {
		return nil, fmt.Errorf("simulate: rank %d: %w", rank, err)
	}
	return h, nil
}

// series is the limit of an instrument. What explodes here explodes for the reader:
// an SDK of a default limit would hide it.
func (u *setup) series() int {
	return 2000 + int(4*u.m.effects.sessions*u.m.MetricEvery.Seconds())
}

func (u *setup) endpoint() string {
	scheme := "http://"
	switch {
	case u.at.protocol == HTTP:
		return u.at.base
	case strings.HasPrefix(u.at.dial, "unix:"):
		return u.at.dial
	case u.at.tls:
		scheme = "https://"
	}
	return scheme + u.at.dial
}

// sdk is the protocol as the SDK spells it.
func (p Protocol) sdk() string {
	if p == HTTP {
		return protocols[HTTP]
	}
	return protocols[GRPC]
}

// slurmVariables is the variables from which the SDK's detectors find what a resource
// says of the job. The others (its keys and identities) follow from these.
var slurmVariables = [...][2]string{
	{semconv.SlurmJobIDRaw, "SLURM_JOB_ID"},
	{semconv.SlurmJobName, "SLURM_JOB_NAME"},
	{semconv.SlurmClusterName, "SLURM_CLUSTER_NAME"},
	{semconv.SlurmPartition, "SLURM_JOB_PARTITION"},
	{semconv.SlurmNodelist, "SLURM_JOB_NODELIST"},
	{semconv.SlurmNNodes, "SLURM_JOB_NUM_NODES"},
	{semconv.SlurmNTasks, "SLURM_NTASKS"},
	{semconv.SlurmRestartCount, "SLURM_RESTART_COUNT"},
}

// env is the environment of a process. The run's clock, which need not be the
// machine's, says when it exports: its own intervals are as long as they can be.
func (u *setup) env(rank int, attrs []run.Attr) telemetry.Lookup {
	const long = "2147483647"
	vars := map[string]string{
		"CUDA_VISIBLE_DEVICES": "-1", "SLURM_STEP_ID": "0", // host.gpu.count is given
		"OTEL_BSP_SCHEDULE_DELAY": long, "OTEL_BLRP_SCHEDULE_DELAY": long, "OTEL_METRIC_EXPORT_INTERVAL": long,
	}
	for _, name := range []string{"OTEL_BSP_EXPORT_TIMEOUT", "OTEL_BLRP_EXPORT_TIMEOUT", "OTEL_METRIC_EXPORT_TIMEOUT"} {
		vars[name] = fmt.Sprint(u.to.Patience.Milliseconds())
	}
	vars["OTEL_EXPORTER_OTLP_TIMEOUT"] = fmt.Sprint(u.to.Timeout.Milliseconds())
	if u.to.Gzip {
		vars["OTEL_EXPORTER_OTLP_COMPRESSION"] = "gzip"
	}
	if rank == run.Unknown {
		vars["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"] = "delta"
	}
	for _, v := range slurmVariables {
		for _, a := range attrs {
			if a.Key == v[0] {
				vars[v[1]] = a.Value.String()
			}
		}
	}
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// own is the attributes that the program gives: all but those that the SDK finds, and
// what it says of itself.
func own(attrs []run.Attr) (kvs []attribute.KeyValue) {
	for _, a := range attrs {
		switch {
		case strings.HasPrefix(a.Key, "slurm."), strings.HasPrefix(a.Key, "telemetry."):
		case a.Key == semconv.NVDLJobUUID, a.Key == semconv.NVDLRunUUID:
		default:
			kvs = append(kvs, keyValue(a))
		}
	}
	return kvs
}

// instant is a moment of the run on the clock of a process, which its exporters read
// from goroutines of their own.
type instant struct {
	start time.Time
	at    atomic.Int64
}

func (i *instant) now() time.Time { return i.start.Add(time.Duration(i.at.Load())) }

// planted gives spans the ids that the model has for them, so that children can be
// recorded before their parents, as they end.
type planted struct{}

type plantedKey struct{}

// NewIDs is the ids of a span without a parent.
func (planted) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	s, _ := ctx.Value(plantedKey{}).(*recorded)
	return trace.TraceID(s.TraceID), trace.SpanID(s.ID)
}

// NewSpanID is the id of a span with one.
func (planted) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	s, _ := ctx.Value(plantedKey{}).(*recorded)
	return trace.SpanID(s.ID)
}

// within is the context in which a span starts: under its parent.
func within(ctx context.Context, s *recorded) context.Context {
	ctx = context.WithValue(ctx, plantedKey{}, s)
	if s.Parent == (run.SpanID{}) {
		return ctx
	}
	return under(ctx, s.TraceID, s.Parent)
}

// under is the context of a span of this process.
func under(ctx context.Context, t run.TraceID, s run.SpanID) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(t), SpanID: trace.SpanID(s), TraceFlags: trace.FlagsSampled,
	}))
}
