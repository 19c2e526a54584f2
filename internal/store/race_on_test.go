//go:build race

package store

// raceEnabled says that the race detector makes everything slow.
const raceEnabled = true
