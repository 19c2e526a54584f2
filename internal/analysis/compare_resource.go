package analysis

import (
	"cmp"
	"maps"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// ownKeys are attributes that differ between any two runs, and so tell nothing.
var ownKeys = [...]string{
	"run", "attempt", "job_uuid", // by their fact
	"service.instance.id", "process.pid", "slurm.job.id", "slurm.job.id.raw", "slurm.sluid", "slurm.array.sluid",
	"slurm.array.job_id", "k8s.pod.name", "k8s.pod.uid",
}

// diffResources is the resource attributes on which all processes of a side agree
// and the sides do not, by key.
func diffResources(a, b Scope) []AttributeDiff {
	va, vb := agreed(a), agreed(b)
	var out []AttributeDiff
	for _, key := range slices.Sorted(maps.Keys(keysOfBoth(va, vb))) {
		x, y := va[key], vb[key]
		if x == mixed || y == mixed || x == y || slices.Contains(ownKeys[:], key) {
			continue
		}
		out = append(out, AttributeDiff{Key: key, A: x.text, B: y.text})
	}
	return out
}

// agreement is what processes say of a key. Of one that they do not agree on, or
// that some do not send, nothing is told.
type agreement struct {
	text  string
	mixed bool
}

var mixed = agreement{mixed: true}

func agreed(sc Scope) map[string]agreement {
	out, facts := map[string]agreement{}, map[string]string{}
	n := 0
	for i, p := range sc.Run.Processes {
		if !sc.process(i) {
			continue
		}
		own := map[string]agreement{}
		for _, a := range p.Resource {
			own[factOf(a.Key, facts)] = agreement{text: attributeText(a.Value)}
		}
		for key := range keysOfBoth(out, own) {
			if old, known := out[key]; n > 0 && (!known || old != own[key]) {
				own[key] = mixed
			}
		}
		out = own
		n++
	}
	return out
}

// factOf is the one key for all spellings of a fact. Finding it costs more than
// looking it up again.
func factOf(key string, known map[string]string) string {
	fact, ok := known[key]
	if !ok {
		fact = cmp.Or(run.Aliases(key).Short, key)
		known[key] = fact
	}
	return fact
}

// attributeText is a value as it is shown, with its type where that is not plain.
func attributeText(v run.Value) string {
	if v.Type == run.String && v.Str() == "" {
		return `""`
	}
	return v.String()
}
