package telemetry

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/resources"
)

// active is the set-up that the functions of this package use, and the guard
// against a second one. It is the only variable of the package that changes.
var active atomic.Pointer[Handle]

// ErrActive is the error of a second Setup.
var ErrActive = errors.New("telemetry is set up already: shut the first one down, or use New for another one beside it")

// Setup makes the telemetry of this process and installs it: OpenTelemetry's
// providers, propagator and error handler, and the functions of this package. Exactly
// one set-up is active: a second one is ErrActive until the first has been shut
// down. One that is disabled (Config.Enabled, OTEL_SDK_DISABLED) does nothing and
// does not count. One that fails leaves nothing behind.
//
// The error names what is wrong with the configuration. A job goes on best without
// telemetry: log it, and use the nil handle.
func Setup(ctx context.Context, cfg Config, opts ...Option) (*Handle, error) {
	o := newOptions(opts)
	if o.disabled(cfg) {
		return newHandle(cfg, o), nil
	}
	reserved := &Handle{}
	if !active.CompareAndSwap(nil, reserved) {
		return nil, ErrActive
	}
	h, err := build(ctx, cfg, o)
	if err != nil {
		active.CompareAndSwap(reserved, nil)
		return nil, err
	}
	h.handleErrors()
	h.start()
	h.install(propagator(o.lookup, h.warner))
	active.Store(h)
	return h, nil
}

// New makes the same as Setup without globals: for several in one process, and
// beside an OpenTelemetry that the program has set up itself. What OpenTelemetry
// reports goes to its own error handler, which prints unless the program has set
// another one.
func New(ctx context.Context, cfg Config, opts ...Option) (*Handle, error) {
	o := newOptions(opts)
	if o.disabled(cfg) {
		return newHandle(cfg, o), nil
	}
	h, err := build(ctx, cfg, o)
	if err == nil {
		h.start()
	}
	return h, err
}

// disabled is decided before anything is looked at.
func (o *options) disabled(cfg Config) bool {
	text, _ := o.lookup("OTEL_SDK_DISABLED")
	off, _ := parseBool(text)
	return !cfg.Enabled || off
}

// build makes an enabled handle that is not started. After an error nothing is left
// of it.
func build(ctx context.Context, cfg Config, o *options) (*Handle, error) {
	h := newHandle(cfg, o)
	groups, err := o.groups.Resolve(cfg.SpanGroups)
	id, rankErr := o.identify(cfg, h.warner)
	export, strategyErr := o.exports(cfg, id, h.warner)
	if err := errors.Join(cfg.check(), err, rankErr, strategyErr); err != nil {
		return nil, fmt.Errorf("set up telemetry: %w", err)
	}
	h.enabled, h.exporting, h.runID = true, export, id.run.ID
	if !export {
		return h, nil
	}
	attrs := o.layers(ctx, cfg, id, h.warner).Merge()
	h.resource = resource.NewSchemaless(resources.KeyValues(attrs)...)
	if err := h.plan(o, id); err != nil {
		h.running.release(ctx)
		return nil, fmt.Errorf("set up telemetry: %w", err)
	}
	h.on = groups
	return h, nil
}

// exports asks the strategy. A process without a rank exports.
func (o *options) exports(cfg Config, id identity, w *warner) (bool, error) {
	strategy := o.strategy
	if strategy == nil {
		named, err := o.strategies.named(first(cfg.ExportStrategy, "single_rank"))
		if err != nil {
			return false, err
		}
		strategy = named
		o.warnNobody(cfg, id, w)
	}
	if !id.hasRank {
		return true, nil
	}
	export, err := strategy(StrategyInput{cfg, id.rank.Rank, id.rank.WorldSize, o.lookup})
	if err != nil {
		return false, fmt.Errorf("export strategy %s: %w", cfg.ExportStrategy, err)
	}
	return export, nil
}

// warnNobody tells when no rank at all will export.
func (o *options) warnNobody(cfg Config, id identity, w *warner) {
	world := id.rank.WorldSize
	if !id.hasRank || world <= 0 {
		return
	}
	switch cfg.ExportStrategy {
	case "", "single_rank":
		if cfg.ExportRank >= world {
			w.warn("EXPORT_RANK", fmt.Sprintf("no rank will export: EXPORT_RANK is %d and the last rank is %d", cfg.ExportRank, world-1))
		}
	case "sampled":
		for rank := range world {
			if InSample(rank, cfg.ExportSampleRate) {
				return
			}
		}
		w.warn("EXPORT_SAMPLE_RATE", fmt.Sprintf("no rank will export: none of %d is in a sample of %g", world, cfg.ExportSampleRate))
	}
}
