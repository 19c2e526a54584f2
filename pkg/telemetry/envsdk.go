package telemetry

import (
	"math"
	"strconv"
	"strings"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// exporter is which exporter a signal has: what the configuration says, else the
// standard selector. "none" of the selector switches the signal off in any case.
func (h *Handle) exporter(o *options, signal target.Signal) string {
	name := "OTEL_" + strings.ToUpper(string(signal)) + "_EXPORTER"
	text, _ := o.lookup(name)
	word := strings.ToLower(strings.TrimSpace(text))
	switch word {
	case exporterNone:
		return exporterNone
	case exporterOTLP, exporterConsole, "":
	default:
		h.warner.warn(name, name+": "+strconv.Quote(text)+" is none of otlp, console and none: otlp is used")
		word = exporterOTLP
	}
	return first(h.cfg.Exporter, word, exporterOTLP)
}

// queueConfig reads the bounds of a queue from OTEL_BSP_* or OTEL_BLRP_*.
func queueConfig(lookup Lookup, w *warner, prefix string, delay time.Duration) batch.Config {
	whole := func(name string, otherwise int64) int64 {
		return positive(lookup, w, prefix+name, otherwise)
	}
	c := batch.Config{
		Size:    int(whole("MAX_QUEUE_SIZE", 2048)),
		Batch:   int(whole("MAX_EXPORT_BATCH_SIZE", 512)),
		Delay:   time.Duration(whole("SCHEDULE_DELAY", delay.Milliseconds())) * time.Millisecond,
		Timeout: time.Duration(whole("EXPORT_TIMEOUT", 30000)) * time.Millisecond,
	}
	if c.Batch > c.Size {
		w.warn(prefix+"MAX_EXPORT_BATCH_SIZE", prefix+"MAX_EXPORT_BATCH_SIZE is more than "+prefix+"MAX_QUEUE_SIZE: the queue's size is used for both")
	}
	return c
}

// positive reads a whole number above 0; another text keeps the default, with a
// warning.
func positive(lookup Lookup, w *warner, name string, otherwise int64) int64 {
	text, _ := lookup(name)
	if text = strings.TrimSpace(text); text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 {
		w.warn(name, name+": "+strconv.Quote(text)+" is no whole number above 0: "+strconv.FormatInt(otherwise, 10)+" is used")
		return otherwise
	}
	return n
}

// spanSampler is the program's sampler, else that of OTEL_TRACES_SAMPLER, else the
// specification's default, which follows the parent.
func (o *options) spanSampler(w *warner) sdktrace.Sampler {
	if o.sampler != nil {
		return o.sampler
	}
	text, _ := o.lookup("OTEL_TRACES_SAMPLER")
	word := strings.ToLower(strings.TrimSpace(text))
	base, byParent := strings.CutPrefix(word, "parentbased_")
	var s sdktrace.Sampler
	switch base {
	case "always_on":
		s = sdktrace.AlwaysSample()
	case "always_off":
		s = sdktrace.NeverSample()
	case "traceidratio":
		s = sdktrace.TraceIDRatioBased(o.samplerShare(w))
	default:
		if word != "" {
			w.warn("OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER: "+strconv.Quote(text)+" is unknown here: parentbased_always_on is used")
		}
		s, byParent = sdktrace.AlwaysSample(), true
	}
	if byParent {
		return sdktrace.ParentBased(s)
	}
	return s
}

func (o *options) samplerShare(w *warner) float64 {
	const name = "OTEL_TRACES_SAMPLER_ARG"
	text, _ := o.lookup(name)
	if text = strings.TrimSpace(text); text == "" {
		return 1
	}
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(share) || share < 0 || share > 1 {
		w.warn(name, name+": "+strconv.Quote(text)+" is no number from 0 to 1: 1 is used")
		return 1
	}
	return share
}
