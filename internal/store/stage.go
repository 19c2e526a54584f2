package store

// Quantile is the q-quantile (0 … 1) of the counted durations by nearest rank in
// nanoseconds; exact is false when it comes from the sketch, which is within
// 1 %. It is 0 when Count is 0.
func (s *StageStat) Quantile(q float64) (ns uint64, exact bool) {
	return s.quantiles.quantile(q, &s.NameStat)
}

// MergeStages is the statistics of one name over several stages (or runs); its
// Stage is run.Unknown unless there is only one.
func MergeStages(stats ...*StageStat) StageStat {
	return mergeStages(stats)
}
