package run

// ThresholdTable is all thresholds with their defaults and what they may be, in
// the order in which they are documented.
func ThresholdTable() []Threshold {
	return []Threshold{
		{"straggler-ratio", "compute over the median of its like, from which a rank or group is slow", Plain, 1.10, 1.01, 10, func(t *Thresholds) *float64 { return &t.StragglerRatio }},
		{"straggler-critical", "the same, from which a straggler is critical", Plain, 1.20, 1.01, 100, func(t *Thresholds) *float64 { return &t.StragglerCritical }},
		{"straggler-z", "modified z-score above which it is no noise", Plain, 3.5, 1, 100, func(t *Thresholds) *float64 { return &t.StragglerZ }},
		{"slowdown", "step over a step with equal compute, from which a cause is named", Plain, 1.10, 1.01, 10, func(t *Thresholds) *float64 { return &t.Slowdown }},
		{"stall-factor", "usual intervals without an iteration after which a run stands", Plain, 5, 2, 1000, func(t *Thresholds) *float64 { return &t.StallFactor }},
		{"stall-least", "but never before this time, which is also the least of a silence", Seconds, 30, 10, 24 * 3600, func(t *Thresholds) *float64 { return &t.StallLeast }},
		{"stall-first", "the same before the sixth iteration: start-up, compilation, warm-up", Seconds, 15 * 60, 30, 24 * 3600, func(t *Thresholds) *float64 { return &t.StallFirst }},
		{"silence-factor", "usual intervals of metrics without anything after which a rank is silent", Plain, 3, 1, 1000, func(t *Thresholds) *float64 { return &t.SilenceFactor }},
		{"spike-ratio", "step over the rolling median, from which one may be a spike", Plain, 1.10, 1.01, 100, func(t *Thresholds) *float64 { return &t.SpikeRatio }},
		{"irregular-ratio", "step over the rolling median, from which one is irregular", Plain, 2, 1.01, 1000, func(t *Thresholds) *float64 { return &t.IrregularRatio }},
		{"shift", "lasting change of the step time that is told, as a fraction", Plain, 0.03, 0.001, 10, func(t *Thresholds) *float64 { return &t.Shift }},
		{"bubble", "observed over expected share of the pipeline's bubble that is warned of", Plain, 1.5, 1, 100, func(t *Thresholds) *float64 { return &t.Bubble }},
		{"change-moderate", "change between two runs that is moderate, as a fraction", Plain, 0.03, 0.001, 10, func(t *Thresholds) *float64 { return &t.ChangeModerate }},
		{"change-material", "the same, material", Plain, 0.08, 0.001, 10, func(t *Thresholds) *float64 { return &t.ChangeMaterial }},
		{"share-moderate", "shift of a share between two runs that is moderate, as a fraction", Plain, 0.0075, 0.0001, 1, func(t *Thresholds) *float64 { return &t.ShareModerate }},
		{"share-material", "the same, material", Plain, 0.02, 0.0001, 1, func(t *Thresholds) *float64 { return &t.ShareMaterial }},
		{"values-notice", "values of a metric attribute above which it is noticed", Whole, 200, 10, 1e9, func(t *Thresholds) *float64 { return &t.ValuesNotice }},
		{"values-warning", "the same, a warning", Whole, 1_000, 10, 1e9, func(t *Thresholds) *float64 { return &t.ValuesWarning }},
		{"values-critical", "the same, critical", Whole, 10_000, 10, 1e9, func(t *Thresholds) *float64 { return &t.ValuesCritical }},
		{"series-warning", "series of a metric in one process above which is warned", Whole, 2_000, 10, 1e9, func(t *Thresholds) *float64 { return &t.SeriesWarning }},
		{"series-critical", "the same, critical", Whole, 10_000, 10, 1e9, func(t *Thresholds) *float64 { return &t.SeriesCritical }},
	}
}

// thresholdPairs are those of which the first is not above the second.
func thresholdPairs() [][2]string {
	return [][2]string{
		{"straggler-ratio", "straggler-critical"}, {"spike-ratio", "irregular-ratio"}, {"change-moderate", "change-material"},
		{"share-moderate", "share-material"}, {"values-notice", "values-warning"}, {"values-warning", "values-critical"},
		{"series-warning", "series-critical"},
	}
}
