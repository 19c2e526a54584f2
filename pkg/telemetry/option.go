package telemetry

import (
	"crypto/tls"
	"io"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// Option is something a program sets itself at set-up. Options go before variables.
type Option func(*options)

type options struct {
	lookup Lookup
	warn   func(Warning)
	groups *Groups

	strategies Strategies
	strategy   Strategy

	rank        *resources.Rank
	localRank   *int
	rankFromEnv bool
	role        string
	newest      bool
	gpu         bool

	attributes []attribute.KeyValue
	resources  []*resource.Resource
	detectors  []resource.Detector
	detect     []resources.Option

	clock     func() time.Time // nil for the time of day
	sampler   sdktrace.Sampler
	ids       sdktrace.IDGenerator
	to        target.Settings
	console   io.Writer
	spans     sdktrace.SpanExporter
	metrics   sdkmetric.Exporter
	readers   []sdkmetric.Reader
	logs      sdklog.Exporter
	logLevel  slog.Leveler
	views     []sdkmetric.View
	seriesMax int
}

func newOptions(opts []Option) *options {
	o := &options{lookup: os.LookupEnv, groups: NewGroups(), strategies: BuiltinStrategies(), seriesMax: defaultSeriesMax}
	for _, opt := range opts {
		opt(o)
	}
	o.detect = append([]resources.Option{resources.WithLookup(o.lookup)}, o.detect...)
	if o.newest {
		o.detect = append(o.detect, resources.WithoutOlderNames())
	}
	return o
}

// WithEnv replaces the environment, for tests and for several identities in one
// process. The limits that OpenTelemetry's SDK reads itself (OTEL_SPAN_*_LIMIT and
// their kin) still come from the process.
func WithEnv(lookup Lookup) Option { return func(o *options) { o.lookup = lookup } }

// WithWarnings sends warnings to a function, which may be called from several
// goroutines. Without it they go to slog.Default.
func WithWarnings(handle func(Warning)) Option { return func(o *options) { o.warn = handle } }

// WithGroups replaces the span groups and presets by the program's. They are copied.
func WithGroups(g *Groups) Option { return func(o *options) { o.groups = g.clone() } }

// WithStrategy adds an export strategy that EXPORT_STRATEGY may name, or replaces
// one.
func WithStrategy(name string, s Strategy) Option {
	return func(o *options) { o.strategies[name] = s }
}

// WithExportStrategy decides by a function, whatever EXPORT_STRATEGY says.
func WithExportStrategy(s Strategy) Option { return func(o *options) { o.strategy = s } }

// WithRank says which rank this process is, from 0, and how many there are.
func WithRank(rank, worldSize int) Option {
	return func(o *options) { o.rank = &resources.Rank{Rank: rank, WorldSize: worldSize} }
}

// WithLocalRank says which rank on its node this process is, beside WithRank or in
// place of LOCAL_RANK.
func WithLocalRank(rank int) Option { return func(o *options) { o.localRank = &rank } }

// WithRankFromEnv asks for the rank in the environment: RANK and WORLD_SIZE, else
// those of a Slurm step (resources.RankFromEnv). Without it none is read: a service
// that inherits the variables of the rank it runs beside is not that rank. A process
// that finds none goes on without; WithRank goes before it.
func WithRankFromEnv() Option { return func(o *options) { o.rankFromEnv = true } }

// WithRole says what the process does in the run, as "trainer", "dataloader" or
// "generation". A rank is unique only together with its role.
func WithRole(role string) Option { return func(o *options) { o.role = role } }

// WithoutOlderNames leaves out the older spellings of rank, world size and local
// rank (dl.*), which are otherwise written beside the newest (nv.dl.*).
func WithoutOlderNames() Option { return func(o *options) { o.newest = true } }

// WithGPU adds the identity of this rank's GPU (resources.DetectGPU).
func WithGPU() Option { return func(o *options) { o.gpu = true } }

// WithResourceAttributes adds attributes to the resource. They go before all that
// is detected or set by variables, except what a launcher has put into the carrier
// about the Slurm job and its identity.
func WithResourceAttributes(kvs ...attribute.KeyValue) Option {
	return func(o *options) { o.attributes = append(o.attributes, kvs...) }
}

// WithResource adds the attributes of a resource, as WithResourceAttributes does.
// Its schema URL is left out: the attributes together follow no single one.
func WithResource(r *resource.Resource) Option {
	return func(o *options) { o.resources = append(o.resources, r) }
}

// WithDetectors adds what other detectors find, after that of this library. An error
// of theirs is a warning; what they found counts.
func WithDetectors(d ...resource.Detector) Option {
	return func(o *options) { o.detectors = append(o.detectors, d...) }
}

// WithDetection passes options to the detectors of package resources.
func WithDetection(opts ...resources.Option) Option {
	return func(o *options) { o.detect = append(o.detect, opts...) }
}

// WithSampler replaces the sampler of OTEL_TRACES_SAMPLER. SAMPLER_ENABLED goes
// before both.
func WithSampler(s sdktrace.Sampler) Option { return func(o *options) { o.sampler = s } }

// WithIDGenerator replaces the random ids of traces and spans.
func WithIDGenerator(g sdktrace.IDGenerator) Option { return func(o *options) { o.ids = g } }

// WithEndpoint sends to an endpoint in a form of OTEL_EXPORTER_OTLP_ENDPOINT, which
// it goes before, as before that of each signal.
func WithEndpoint(endpoint string) Option { return func(o *options) { o.to.Endpoint = endpoint } }

// WithProtocol sends by "grpc", "http/protobuf" or "http/json", whatever
// OTEL_EXPORTER_OTLP_PROTOCOL says.
func WithProtocol(p string) Option { return func(o *options) { o.to.Protocol = target.Protocol(p) } }

// WithHeaders sends headers with every request, in place of
// OTEL_EXPORTER_OTLP_HEADERS.
func WithHeaders(h map[string]string) Option { return func(o *options) { o.to.Headers = h } }

// WithTLS replaces the certificates of OTEL_EXPORTER_OTLP_CERTIFICATE and its
// siblings.
func WithTLS(c *tls.Config) Option { return func(o *options) { o.to.TLS = c } }

// WithConsole sends what the console exporter writes elsewhere than to standard
// output.
func WithConsole(w io.Writer) Option { return func(o *options) { o.console = w } }

// WithSpanExporter exports spans through e alone. Shutdown shuts it down.
func WithSpanExporter(e sdktrace.SpanExporter) Option { return func(o *options) { o.spans = e } }

// WithMetricExporter exports metrics through e alone. Shutdown shuts it down.
func WithMetricExporter(e sdkmetric.Exporter) Option { return func(o *options) { o.metrics = e } }

// WithMetricReader reads metrics through r, in place of exporting them.
func WithMetricReader(r sdkmetric.Reader) Option {
	return func(o *options) { o.readers = append(o.readers, r) }
}

// WithLogExporter exports log records through e alone. Shutdown shuts it down.
func WithLogExporter(e sdklog.Exporter) Option { return func(o *options) { o.logs = e } }

// WithViews adds views of metrics.
func WithViews(v ...sdkmetric.View) Option {
	return func(o *options) { o.views = append(o.views, v...) }
}

// WithSeriesLimit sets how many series one instrument may have before the rest are
// folded into one; the default is OpenTelemetry's 2000. A warning comes at half of
// it.
func WithSeriesLimit(n int) Option { return func(o *options) { o.seriesMax = n } }

const defaultSeriesMax = 2000
