package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// How cardinality is judged, beside run.Thresholds. Their default of 2,000 series is
// the usual cap of the SDKs (OpenTelemetry metrics SDK specification, "cardinality
// limits").
const (
	usualCap        = 2_000 // series of the SDKs
	unboundedValues = 50
	unboundedOnce   = 0.9
	growingFor      = 60 // seconds for which a key still grows after its last new value
)

// foldedKey marks the series into which an SDK folds those beyond its limit.
const foldedKey = "otel.metric.overflow"

// Advice is what to do about a key that has too many values.
const Advice = "use a span attribute instead"

// Finding is a metric attribute that grows too large.
type Finding struct {
	Metric    string
	Key       string
	Distinct  int  // values over the run
	Estimated bool // Distinct is an estimate
	Series    int  // of the metric over all processes
	SeriesMax int  // in the process that has most
	Level     run.Level
	Reason    string
	Examples  []string // three values, as sent
	Unbounded bool     // nearly every value is new
	Growing   bool     // it got a new value within the last minute
	PerMinute float64  // new values a minute since the first one, NaN when that is no time
}

// Word is the report's word for the level: what is Info elsewhere is a notice
// here.
func (f Finding) Word() string {
	if f.Level == run.Info {
		return "notice"
	}
	return f.Level.String()
}

// Text is the finding as one sentence, what matters most first, because a narrow
// screen cuts its end: key, count, metric, what to do, why, examples.
func (f Finding) Text() string {
	about := ""
	if f.Estimated {
		about = "about "
	}
	s := fmt.Sprintf("%s has %s%s values on metric %s: %s (%s", short(f.Key), about, thousands(f.Distinct), short(f.Metric), Advice, f.Reason)
	if len(f.Examples) > 0 {
		s += "; such as " + strings.Join(f.Examples, ", ")
	}
	return s + ")"
}

// Cardinality finds the metric attributes of a run that have too many values:
// the worst level first, then the most values.
func Cardinality(s *store.Snapshot, r *store.Run) []Finding {
	var out []Finding
	limits := r.Thresholds.Filled()
	for _, k := range r.Cardinality {
		if f, bad := judge(k, s.Now, &limits); bad {
			out = append(out, f)
		}
	}
	out = worstKeys(out, int(limits.ValuesNotice))
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Level, a.Level), cmp.Compare(b.Distinct, a.Distinct),
			cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Key, b.Key),
		)
	})
	return out
}

// judge applies the rules to one key; the first that holds gives the reason.
func judge(k store.KeyStat, now int64, limits *run.Thresholds) (Finding, bool) {
	f := Finding{
		Metric: k.Metric, Key: k.Key, Distinct: k.Distinct, Estimated: !k.Exact,
		Series: k.Series, SeriesMax: k.SeriesMax, Examples: k.Examples, Unbounded: unbounded(k, now),
		Growing: growing(k, now), PerMinute: perMinute(k),
	}
	say := func(level run.Level, reason string) (Finding, bool) {
		f.Level, f.Reason = level, reason
		return f, true
	}
	switch {
	case k.Overflow:
		return say(run.Critical, "the sender folds series together (otel.metric.overflow), so its per-series numbers are incomplete")
	case k.Distinct > int(limits.ValuesCritical):
		return say(run.Critical, "more than "+thousands(int(limits.ValuesCritical))+" values")
	case k.SeriesMax > int(limits.SeriesCritical):
		return say(run.Critical, thousands(k.SeriesMax)+" series in one process, more than "+thousands(int(limits.SeriesCritical)))
	case k.Distinct > int(limits.ValuesWarning):
		return say(run.Warning, "more than "+thousands(int(limits.ValuesWarning))+" values")
	case k.SeriesMax > int(limits.SeriesWarning):
		return say(run.Warning, thousands(k.SeriesMax)+" series in one process, the SDKs fold them together beyond "+thousands(usualCap))
	case f.Unbounded:
		return say(run.Warning, "nearly every value is new and their number still grows")
	case k.Distinct > int(limits.ValuesNotice):
		return say(run.Info, "more than "+thousands(int(limits.ValuesNotice))+" values, tens to hundreds are usual")
	}
	return Finding{}, false
}

// unbounded reports a key of which nearly every value was seen once and which
// got a new one lately.
func unbounded(k store.KeyStat, now int64) bool {
	if k.Distinct <= unboundedValues || !k.Exact {
		return k.Distinct > unboundedValues && !k.Exact && growing(k, now) && k.Series >= k.Distinct
	}
	return float64(k.Once) >= unboundedOnce*float64(k.Distinct) && growing(k, now)
}

// perMinute is how fast a key grew.
func perMinute(k store.KeyStat) float64 {
	if k.GrewAt <= k.First || k.Distinct < 2 {
		return math.NaN()
	}
	return float64(k.Distinct-1) / (float64(k.GrewAt-k.First) / 60e9)
}

func growing(k store.KeyStat, now int64) bool {
	return k.GrewAt > k.First && (now == 0 || now-k.GrewAt <= growingFor*1e9)
}

// worstKeys keeps of every metric that has too many series, or folds them, only
// the keys that make them: a key with few values is not to blame, and the mark of
// the folded ones is no key of theirs.
func worstKeys(found []Finding, usual int) []Finding {
	most := map[string]int{}
	for _, f := range found {
		if f.Key != foldedKey {
			most[f.Metric] = max(most[f.Metric], f.Distinct)
		}
	}
	return slices.DeleteFunc(found, func(f Finding) bool {
		return f.Key == foldedKey && most[f.Metric] > 0 || f.Distinct <= usual && !f.Unbounded && f.Distinct < most[f.Metric]
	})
}

// mostNotices is how many findings become notices of their own. A sender that
// puts data into the keys has one for each.
const mostNotices = 20

// CardinalityNotices are the findings that a header should show, the worst
// first; what is beyond a screenful is counted in a last one.
func CardinalityNotices(s *store.Snapshot, r *store.Run) []run.Notice {
	var out []run.Notice
	more := 0
	for _, f := range Cardinality(s, r) {
		switch {
		case f.Level < run.Warning:
		case len(out) == mostNotices:
			more++
		default:
			out = append(out, cardinalityNotice(s, r, f.Level, f.Text(), f.Distinct))
		}
	}
	if more > 0 {
		out = append(out, cardinalityNotice(s, r, run.Warning,
			fmt.Sprintf("%s more metric attributes have too many values or series: %s", thousands(more), Advice), more))
	}
	return out
}

func cardinalityNotice(s *store.Snapshot, r *store.Run, level run.Level, text string, count int) run.Notice {
	return run.Notice{Code: "cardinality", Level: level, Text: text, Run: r.ID, Count: uint64(count), At: s.Now}
}

// short bounds a name inside a sentence.
func short(name string) string {
	const most = 120
	if r := []rune(name[:min(len(name), 4*(most+1))]); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// thousands writes 12345 as 12,345.
func thousands(n int) string { return run.Count(n) }
