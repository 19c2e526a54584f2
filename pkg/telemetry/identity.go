package telemetry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// identity is who this process is.
type identity struct {
	rank    resources.Rank
	hasRank bool
	run     resources.RunID
}

// identify finds rank, role and run.
func (o *options) identify(cfg Config, w *warner) (identity, error) {
	var id identity
	carried, _ := resources.DetectCarrier(context.Background(), o.detect...) // its warnings come with the resource
	err := o.findRank(&id)
	if id.rank.Role == "" {
		id.rank.Role, _ = carried.Attributes[semconv.NVDLRole].(string)
	}
	if o.role != "" {
		id.rank.Role = o.role
	}
	explicit := resources.FromKeyValues(o.attributes...)
	given, _ := explicit[semconv.NemoRunID].(string)
	id.run = resources.RunIDFromEnv(o.with(resources.WithRunID(first(given, cfg.RunID)))...)
	if warning, ok := id.run.Warning(id.rank.WorldSize); ok {
		w.warn(warning.Key, warning.Text)
	}
	return id, err
}

func (o *options) findRank(id *identity) (err error) {
	switch {
	case o.rank != nil:
		id.rank, id.hasRank = *o.rank, true
		if id.rank.Rank < 0 || id.rank.WorldSize <= id.rank.Rank {
			return fmt.Errorf("rank %d of %d: a rank is from 0 to the world size less one", id.rank.Rank, id.rank.WorldSize)
		}
	case o.rankFromEnv:
		if id.rank, id.hasRank, err = resources.RankFromEnv(o.detect...); err != nil {
			return err
		}
	}
	if o.localRank != nil {
		id.rank.LocalRank, id.rank.HasLocalRank = *o.localRank, true
	}
	if id.rank.LocalRank < 0 {
		return fmt.Errorf("local rank %d: it is from 0", id.rank.LocalRank)
	}
	return nil
}

// with adds to the options of detection, in a slice of its own.
func (o *options) with(more ...resources.Option) []resources.Option {
	return slices.Concat(o.detect, more)
}

// layers finds the attributes of the resource.
func (o *options) layers(ctx context.Context, cfg Config, id identity, w *warner) resources.Layers {
	detect := o.detect
	if id.run.Source == resources.GivenRunID { // others are found again; a random one makes no attempt
		detect = o.with(resources.WithRunID(id.run.ID))
	}
	gpu := detect
	if id.rank.HasLocalRank {
		gpu = slices.Concat(detect, []resources.Option{resources.WithLocalRank(id.rank.LocalRank)})
	}
	found := o.found(ctx, detect, gpu, w)
	carried, _ := resources.DetectCarrier(ctx, detect...)
	w.all(carried.Warnings)
	labels, _ := resources.DetectLabels(ctx, detect...)
	l := resources.Layers{
		Explicit:    o.explicit(cfg, id, w),
		Environment: labels.Attributes,
		Carrier:     carried.Attributes,
		Detected:    found,
		Default: map[string]any{
			semconv.ServiceName: "nemo", serviceVersion: Version, semconv.ServiceInstanceID: uuid.NewString(),
			sdkName: "opentelemetry", sdkLanguage: "go", sdkVersion: otel.Version(),
		},
	}
	if id.hasRank {
		l.Carrier = maps.Clone(l.Carrier)
		for _, older := range []string{semconv.DLRank, semconv.DLWorldSize, semconv.DLLocalRank} {
			delete(l.Carrier, older) // they say the rank of whoever has published them
		}
	}
	return l
}

// Upstream's names of the version of the program and of what every SDK says of itself.
const (
	serviceVersion = "service.version"
	sdkName        = "telemetry.sdk.name"
	sdkLanguage    = "telemetry.sdk.language"
	sdkVersion     = "telemetry.sdk.version"
)

// explicit is what the program says itself. What is about rank and run is here too:
// it has been asked for.
func (o *options) explicit(cfg Config, id identity, w *warner) map[string]any {
	all := map[string]any{}
	for _, r := range o.resources {
		maps.Copy(all, resources.FromKeyValues(r.Attributes()...))
		if url := r.SchemaURL(); url != "" {
			w.debug(url, "the schema URL "+url+" of a resource is left out: the attributes together follow no single schema")
		}
	}
	if id.hasRank {
		maps.Copy(all, id.rank.Attributes(o.detect...))
		all[semconv.ServiceInstanceID] = id.rank.InstanceID(id.run.ID)
	}
	if id.rank.Role != "" {
		all[semconv.NVDLRole] = id.rank.Role
	}
	maps.Copy(all, resources.FromKeyValues(o.attributes...))
	all[semconv.NemoRunID] = id.run.ID
	for key, text := range map[string]string{semconv.NemoUserID: cfg.UserID, semconv.ServiceName: cfg.ServiceName} {
		if text != "" {
			all[key] = text
		}
	}
	typed, warnings := semconv.Normalize(all, semconv.ResourceTypes())
	w.all(warnings)
	return typed
}

// found is what detectors find; the GPU is that of the local rank. None of their errors
// stops a job.
func (o *options) found(ctx context.Context, detect, gpuOf []resources.Option, w *warner) map[string]any {
	found, err := resources.Detect(ctx, detect...)
	w.failed("resource detection", err)
	w.all(found.Warnings)
	all := maps.Clone(found.Attributes)
	if o.gpu {
		gpu, err := resources.DetectGPU(ctx, gpuOf...)
		w.failed("GPU detection", err)
		w.all(gpu.Warnings)
		all = semconv.Compose(all, nil, gpu.Attributes)
	}
	for _, d := range o.detectors {
		r, err := d.Detect(ctx)
		w.failed("resource detection", err)
		if r != nil {
			all = semconv.Compose(all, nil, resources.FromKeyValues(r.Attributes()...))
		}
	}
	return all
}

// failed tells an error that stops nothing.
func (w *warner) failed(what string, err error) {
	if err == nil {
		return
	}
	if errors.Is(err, resource.ErrSchemaURLConflict) {
		w.debug(what, fmt.Sprintf("%s: %v", what, err))
		return
	}
	w.warn(what, fmt.Sprintf("%s: %v", what, err))
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
