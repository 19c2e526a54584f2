// Package resources finds out what a process is: its host, its GPU, its Slurm
// job, its Kubernetes pod, its rank and its run, as resource attributes with the
// names and types of package semconv.
//
// # Detectors
//
// DetectLocal, DetectSlurm, DetectKubernetes, DetectGPU, DetectRank,
// DetectAttempt, DetectLabels and DetectCarrier have one shape (DetectFunc) and
// are usable alone. Detect merges the local, the Slurm and the Kubernetes ones, in
// that order: on a collision the later source wins. Detector makes any of them an
// OpenTelemetry resource.Detector, for a program with a provider of its own:
//
//	resource.New(ctx, resource.WithDetectors(resources.Detector(resources.Detect)))
//
// A detector returns what it could find, warnings as values, and the joined errors
// of what failed: all three are legal at once, and none is a reason to stop a job.
// Nothing is printed. An empty variable counts as unset.
//
// All they read can be replaced (WithLookup, WithRoot, WithRunner, WithHostname,
// WithPID), so that a test sets no process state.
//
// # The carrier
//
// Attributes travel from process to process in OTEL_RESOURCE_ATTRIBUTES. Parse and
// Format read and write it, Extend composes it for a child, Publish puts it into
// this process's environment for the children it starts. Parse returns strings;
// types are a separate step (semconv.Normalize, done by DetectCarrier), so that
// "007" stays what it was and a rank becomes a number again.
//
// # Rank and run
//
// RankFromEnv and RunIDFromEnv hold the rules by which Go and Python processes of
// one job agree on who they are. Nothing reads a rank unasked: a data service
// beside rank 5 inherits RANK=5 and is not rank 5.
//
// # Precedence
//
// Layers merges everything for one resource: explicit option, then environment
// variable, then carrier, then detected, then default; what a launcher put into
// the carrier about the Slurm job and its identity (CarrierWins) is above all.
package resources
