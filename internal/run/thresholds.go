package run

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Thresholds say from where on the analyses judge: who is slow, what is a stall,
// which change matters. A field that is 0 has its default, so the zero value is
// that of a configuration that says nothing. Ratios are plain numbers, times are
// seconds, changes and shares fractions.
type Thresholds struct {
	StragglerRatio, StragglerCritical, StragglerZ float64 // compute over that of its like; modified z-score
	Slowdown                                      float64 // of the what-if, from which a cause is named
	StallFactor, StallLeast, StallFirst           float64 // usual intervals; seconds; seconds before the sixth iteration
	SilenceFactor                                 float64 // usual intervals of metrics
	SpikeRatio, IrregularRatio, Shift             float64 // of the step series
	Bubble                                        float64 // observed over expected share
	ChangeModerate, ChangeMaterial                float64 // of a comparison: B/A − 1
	ShareModerate, ShareMaterial                  float64 // of a comparison: difference of two shares
	ValuesNotice, ValuesWarning, ValuesCritical   float64 // distinct values of a metric attribute
	SeriesWarning, SeriesCritical                 float64 // series of a metric in one process
}

// Threshold is one of Thresholds: its name in the configuration, what it is about
// and what it may be.
type Threshold struct {
	Name    string
	About   string
	Unit    ThresholdUnit
	Default float64
	Least   float64
	Most    float64
	of      func(*Thresholds) *float64
}

// ThresholdUnit says how a threshold is written.
type ThresholdUnit uint8

// The units.
const (
	Plain   ThresholdUnit = iota // 1.1
	Seconds                      // "30s"
	Whole                        // 200
)

// Of is the value among some thresholds, its default where they say nothing.
func (t Threshold) Of(all Thresholds) float64 {
	if v := *t.of(&all); v != 0 {
		return v
	}
	return t.Default
}

// Text writes a value as the configuration does.
func (t Threshold) Text(v float64) string {
	switch t.Unit {
	case Seconds:
		s := time.Duration(v * float64(time.Second)).String()
		if strings.HasSuffix(s, "m0s") {
			s = s[:len(s)-2]
		}
		if strings.HasSuffix(s, "h0m") {
			s = s[:len(s)-2]
		}
		return s
	case Whole:
		return Count(int64(v))
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Legal says in words what a threshold may be.
func (t Threshold) Legal() string {
	switch t.Unit {
	case Seconds:
		return fmt.Sprintf("a time from %s to %s, such as %q", t.Text(t.Least), t.Text(t.Most), t.Text(t.Default))
	case Whole:
		return fmt.Sprintf("a whole number from %s to %s, such as %d", t.Text(t.Least), t.Text(t.Most), int64(t.Default))
	}
	return fmt.Sprintf("a number from %s to %s, such as %s", t.Text(t.Least), t.Text(t.Most), t.Text(t.Default))
}

// Set puts a value among some thresholds. Its error says what is legal.
func (t Threshold) Set(all *Thresholds, v float64) error {
	if !(v >= t.Least && v <= t.Most) || t.Unit == Whole && v != float64(int64(v)) {
		return fmt.Errorf("%s is %s (%s)", t.Name, t.Legal(), t.About)
	}
	*t.of(all) = v
	return nil
}

// Filled is the thresholds with the default where a field says nothing.
func (all Thresholds) Filled() Thresholds {
	for _, t := range ThresholdTable() {
		*t.of(&all) = t.Of(all)
	}
	return all
}

// Changed is the thresholds that are not their default, in the table's order.
func (all Thresholds) Changed() []Threshold {
	var out []Threshold
	for _, t := range ThresholdTable() {
		if t.Of(all) != t.Default {
			out = append(out, t)
		}
	}
	return out
}

// String is what is not the default, with what would be: "straggler-ratio 1.3
// (default 1.1)"; "" when all is.
func (all Thresholds) String() string {
	var parts []string
	for _, t := range all.Changed() {
		parts = append(parts, fmt.Sprintf("%s %s (default %s)", t.Name, t.Text(t.Of(all)), t.Text(t.Default)))
	}
	return strings.Join(parts, ", ")
}

// Notices is the notice of thresholds that are not their default, none when all
// are.
func (all Thresholds) Notices() []Notice {
	text := all.String()
	if text == "" {
		return nil
	}
	return []Notice{{Code: "thresholds", Level: Info, Text: "judged by own thresholds: " + text}}
}

// Check finds a pair of thresholds that contradict each other; name is the one to
// mend.
func (all Thresholds) Check() (name string, err error) {
	for _, pair := range thresholdPairs() {
		low, high := thresholdNamed(pair[0]), thresholdNamed(pair[1])
		if a, b := low.Of(all), high.Of(all); a > b {
			name = high.Name
			if *high.of(&all) == 0 {
				name = low.Name
			}
			return name, fmt.Errorf("%s is %s and %s is %s: the second must not be below the first; set both", low.Name, low.Text(a), high.Name, high.Text(b))
		}
	}
	return "", nil
}

func thresholdNamed(name string) Threshold {
	for _, t := range ThresholdTable() {
		if t.Name == name {
			return t
		}
	}
	return Threshold{}
}
