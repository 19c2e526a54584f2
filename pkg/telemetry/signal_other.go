//go:build !unix

package telemetry

import "os"

func endSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// raise ends the process with the status of an interrupted one, where signals cannot
// be raised.
func raise(os.Signal) { os.Exit(130) }
