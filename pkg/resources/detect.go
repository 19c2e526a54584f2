package resources

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DetectFunc is the shape of all detectors. Found is what could be found, whatever
// the error; the error joins what failed.
type DetectFunc func(ctx context.Context, opts ...Option) (Found, error)

// Detect merges DetectLocal, DetectSlurm and DetectKubernetes; a later source wins
// on a collision. Outside a Slurm job the attempt of a known run is added
// (DetectAttempt). The error joins those of the detectors and names each.
func Detect(ctx context.Context, opts ...Option) (Found, error) {
	var all Found
	var failed error
	for _, d := range []struct {
		name   string
		detect DetectFunc
	}{
		{"local", DetectLocal}, {"attempt", DetectAttempt}, {"slurm", DetectSlurm}, {"kubernetes", DetectKubernetes},
	} {
		found, err := d.detect(ctx, opts...)
		all = Merge(all, found)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("detect %s: %w", d.name, err))
		}
	}
	return all, failed
}

// Detector makes a detector one of OpenTelemetry. What it could not find or had to
// leave out is an error that wraps resource.ErrPartialResource, which
// OpenTelemetry reports while it keeps the rest.
func Detector(detect DetectFunc, opts ...Option) resource.Detector {
	return detector{detect, opts}
}

type detector struct {
	detect DetectFunc
	opts   []Option
}

// Detect implements resource.Detector.
func (d detector) Detect(ctx context.Context) (*resource.Resource, error) {
	found, err := d.detect(ctx, d.opts...)
	for _, w := range found.Warnings {
		err = errors.Join(err, warned(w))
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", resource.ErrPartialResource, err)
	}
	return found.Resource(), err
}

func warned(w semconv.Warning) error { return errors.New(w.Text) }
