package telemetry_test

// childMain runs what a test has started this binary for.
func childMain() bool { return false }
