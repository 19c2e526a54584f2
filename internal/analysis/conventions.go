package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Broken is a convention that the telemetry of a run breaks.
type Broken struct {
	Code     string // stable word, see the constants
	Level    run.Level
	Where    string   // "resource", "span" or "metric" attribute, "span name"
	Name     string   // the key, or the common form of the names
	On       string   // the span name or metric it was seen on, "" for several
	Count    int      // distinct values or names
	Examples []string // up to three
	Advice   string   // "did you mean dl.rank?", "record it as a metric"
}

// The conventions that are looked at.
const (
	UnknownKey    = "unknown-key"
	VaryingDouble = "varying-attribute"
	IDsInNames    = "ids-in-names"
)

// Text is one sentence, what to do at its end.
func (b Broken) Text() string {
	switch b.Code {
	case UnknownKey:
		return fmt.Sprintf("%s is no known %s attribute: %s", short(b.Name), b.Where, b.Advice)
	case VaryingDouble:
		return fmt.Sprintf("%s is a number that varies on span %s (%s values, such as %s): %s",
			short(b.Name), short(b.On), atLeast(b.Count), strings.Join(b.Examples, ", "), b.Advice)
	}
	return fmt.Sprintf("%s span names differ in an id alone, such as %s: %s", thousands(b.Count), strings.Join(b.Examples, ", "), b.Advice)
}

func atLeast(n int) string {
	if n > varyingValues {
		return "more than " + thousands(varyingValues)
	}
	return thousands(n)
}

// Conventions finds what a run's telemetry breaks beside the cardinality of its
// metrics, the worst first.
func Conventions(r *store.Run) []Broken {
	out := slices.Concat(unknownKeys(r), varyingDoubles(r), idsInNames(r))
	slices.SortStableFunc(out, func(a, b Broken) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Code, b.Code), cmp.Compare(b.Count, a.Count),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Where, b.Where), cmp.Compare(a.On, b.On))
	})
	return out
}

// ConventionNotices are the findings as notices, no more than a screenful.
func ConventionNotices(r *store.Run) []run.Notice {
	var out []run.Notice
	all := Conventions(r)
	for i, b := range all {
		if i == mostNotices {
			out = append(out, notice(r, "conventions", run.Info, thousands(len(all)-i)+" more conventions are broken: see Cardinality"))
			break
		}
		n := notice(r, b.Code, b.Level, b.Text())
		n.Count = uint64(b.Count)
		out = append(out, n)
	}
	return out
}

// ourNamespaces are those whose names are all known. Those that come from
// upstream have more names than are known here.
var ourNamespaces = [...]string{"nv.dl.", "nv.gpu.", "dl.", "rl.", "gym.", "slurm.", "nemo.", "wandb."}

// producerKeys are further names that producers of these namespaces send.
func producerKeys() []string {
	return []string{
		objectiveName, objectiveValue, objectiveEvent + ".weight", rateAttr, skippedAttr,
		"nv.dl.training.global_batch_size", "nv.dl.training.consumed_samples", "nv.dl.training.grad_zeros",
		"nv.dl.training.params_norm", "nv.dl.training.nan_iterations", "nv.dl.training.loss_scale", "nv.dl.measurement.domain",
		"nv.dl.topology.size.cp", "nv.dl.topology.size.ep", "nv.dl.topology.size.vpp",
	}
}

// looked bounds over how many processes and keys names are gathered.
const (
	lookedProcesses = 256
	lookedKeys      = 512
)

// unknownKeys are keys in a known namespace that are near to a known one.
func unknownKeys(r *store.Run) []Broken {
	known := slices.Sorted(slices.Values(append(run.KnownKeys(), producerKeys()...)))
	var out []Broken
	eachKey(r, func(where, key string) {
		if _, ok := slices.BinarySearch(known, key); ok || !slices.ContainsFunc(ourNamespaces[:], func(ns string) bool { return strings.HasPrefix(key, ns) }) {
			return
		}
		if near := run.Nearest(key, known); near != "" {
			out = append(out, Broken{Code: UnknownKey, Level: run.Warning, Where: where, Name: key, Advice: fmt.Sprintf("did you mean %s?", near)})
		}
	})
	return out
}

// eachKey calls f once for every attribute key of resources, spans and metrics.
func eachKey(r *store.Run, f func(where, key string)) {
	type use struct{ where, key string }
	seen := map[use]bool{}
	note := func(where, key string) {
		if u := (use{where, key}); !seen[u] {
			seen[u] = true
			f(where, key)
		}
	}
	n := min(len(r.Processes), lookedProcesses)
	for i := range n {
		for _, a := range r.Processes[i*len(r.Processes)/n].Resource {
			note("resource", a.Key)
		}
	}
	for _, key := range r.SpanKeys(lookedKeys) {
		note("span", key)
	}
	for _, k := range r.Cardinality {
		note("metric", k.Key)
	}
}
