package telemetry

import (
	"errors"
	"fmt"
	"math"
)

// Config is what may be set from outside the program. Start from DefaultConfig or
// ConfigFromEnv: the zero value exports nothing.
type Config struct {
	// Enabled must be true for anything to happen.
	Enabled bool

	// ServiceName goes before OTEL_SERVICE_NAME and the carrier; empty leaves it to
	// them, and to "nemo" without any.
	ServiceName string

	// ExportStrategy decides which ranks export: single_rank (default), all_ranks,
	// sampled, first_rank_per_node, or a name given to WithStrategy.
	ExportStrategy string

	// ExportRank is the rank of single_rank; -1 is the last one.
	ExportRank int

	// ExportSampleRate is the share of ranks of sampled, from 0 to 1.
	ExportSampleRate float64

	// SamplerEnabled drops all spans of a rank that is not in the sample, while its
	// metrics and logs go on.
	SamplerEnabled bool

	TracesEnabled  bool // on by default
	MetricsEnabled bool // on by default
	LogsEnabled    bool // off by default

	// SpanGroups is a list of groups and presets, as "default" or "per_step,rollout".
	SpanGroups string

	// Exporter is otlp or console. Empty leaves it to OTEL_TRACES_EXPORTER and its
	// siblings, and to otlp without them.
	Exporter string

	// RunID is the run, the same on all its ranks; empty leaves it to the carrier,
	// Slurm and torchrun.
	RunID string

	// UserID is a label of the user or team.
	UserID string
}

// DefaultConfig is the configuration without any variable: everything off.
func DefaultConfig() Config {
	return Config{
		ExportStrategy:   "single_rank",
		ExportRank:       -1,
		ExportSampleRate: 1,
		TracesEnabled:    true,
		MetricsEnabled:   true,
		SpanGroups:       "default",
	}
}

// check finds values that no variable could have given.
func (c Config) check() error {
	var wrong error
	if math.IsNaN(c.ExportSampleRate) || c.ExportSampleRate < 0 || c.ExportSampleRate > 1 {
		wrong = fmt.Errorf("the configuration has ExportSampleRate %v: it must be a share from 0 to 1", c.ExportSampleRate)
	}
	if c.ExportRank < -1 {
		wrong = errors.Join(wrong, fmt.Errorf("the configuration has ExportRank %d: it must be a rank, or -1 for the last one", c.ExportRank))
	}
	if c.Exporter != "" && c.Exporter != exporterOTLP && c.Exporter != exporterConsole {
		wrong = errors.Join(wrong, fmt.Errorf("the configuration has Exporter %q: it must be %s or %s", c.Exporter, exporterOTLP, exporterConsole))
	}
	return wrong
}

const (
	exporterOTLP    = "otlp"
	exporterConsole = "console"
	exporterNone    = "none" // of the standard selectors alone
)
