package simulate

import (
	"fmt"
	"time"
)

// Bounds that keep every identifier and sum of the model inside its integer.
const (
	maxMicrobatches = 4096
	minStep         = time.Millisecond
	maxStep         = 24 * time.Hour
	minInterval     = 10 * time.Millisecond
)

// check says in one sentence what is wrong with the configuration.
func (c *Config) check() error {
	if err := c.checkSizes(); err != nil {
		return err
	}
	if err := c.checkTimes(); err != nil {
		return err
	}
	return c.checkFaults()
}

func (c *Config) checkSizes() error {
	for _, n := range []struct {
		name  string
		value int
		least int
		most  int
	}{
		{"tensor parallel size", c.TP, 1, MaxRanks},
		{"context parallel size", c.CP, 1, MaxRanks},
		{"pipeline parallel size", c.PP, 1, 1024},
		{"data parallel size", c.DP, 1, MaxRanks},
		{"ranks per host", c.RanksPerHost, 1, MaxRanks},
		{"microbatches", c.Microbatches, 1, maxMicrobatches},
		{"iterations", c.Iterations, 0, 1 << 30},
		{"log interval", c.LogEvery, 1, 1 << 30},
		{"checkpoint interval", c.CheckpointEvery, 0, 1 << 30},
		{"evaluation interval", c.EvalEvery, 0, 1 << 30},
		{"garbage collection interval", c.GCEvery, 0, 1 << 30},
		{"NaN interval", c.NaNEvery, 0, 1 << 30},
		{"ranks (tp × cp × pp × dp)", c.Ranks(), 1, MaxRanks},
	} {
		if n.value < n.least || n.value > n.most {
			return fmt.Errorf("simulate: %s is %d, must be %d to %d", n.name, n.value, n.least, n.most)
		}
	}
	return nil
}

func (c *Config) checkTimes() error {
	for _, d := range []struct {
		name  string
		value time.Duration
		least time.Duration
		most  time.Duration
	}{
		{"step time", c.Step, minStep, maxStep},
		{"startup time", c.Startup, 0, maxStep},
		{"time to linger after a hang", c.Linger, 0, 100 * maxStep},
		{"span export interval", c.ExportEvery, minInterval, maxStep},
		{"metric export interval", c.MetricEvery, minInterval, maxStep},
		{"host clock skew", c.HostSkew, 0, time.Hour},
	} {
		if d.value < d.least || d.value > d.most {
			return fmt.Errorf("simulate: %s is %s, must be %s to %s", d.name, d.value, d.least, d.most)
		}
	}
	return nil
}

func (c *Config) checkFaults() error {
	for i, f := range c.Faults {
		if f == nil {
			return fmt.Errorf("simulate: fault %d is nil", i+1)
		}
		if err := f.check(c); err != nil {
			return fmt.Errorf("simulate: fault %d (%s): %w", i+1, f.Kind(), err)
		}
	}
	return c.checkEnds()
}
