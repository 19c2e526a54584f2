package resources

import "github.com/beamline-hpc/lensview/pkg/semconv"

// Layers is the attributes of one resource by where they come from. Any may be nil.
type Layers struct {
	Explicit    map[string]any // options of the program
	Environment map[string]any // variables set for this process: DetectLabels, configuration
	Carrier     map[string]any // DetectCarrier
	Detected    map[string]any // Detect, DetectGPU, DetectRank
	Default     map[string]any
}

// Merge is the attributes of the resource, in a new map: of each key the value of
// the first layer that has it, in the order of the fields. Keys of the Slurm job and
// its identity (CarrierWins) are the exception: the carrier goes before all, unless
// its value is empty.
//
// The order of OTEL_SERVICE_NAME before OTEL_RESOURCE_ATTRIBUTES is that of the
// OpenTelemetry specification.
func (l Layers) Merge() map[string]any {
	authority := map[string]any{}
	for key, value := range l.Carrier {
		if value != "" && CarrierWins(key) {
			authority[key] = value
		}
	}
	carrier := semconv.Compose(l.Carrier, l.Detected, l.Environment)
	return semconv.Compose(semconv.Compose(carrier, l.Default, l.Explicit), nil, authority)
}
