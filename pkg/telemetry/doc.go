// Package telemetry makes the telemetry of a Go process in a training cluster: a data
// loader, a launcher, a checkpoint worker, an inference or RL service. It reads the
// same variables, writes the same names and types, and means the same by them as
// the Python library of its neighbours.
//
//	cfg, err := telemetry.ConfigFromEnv("MEGATRON_OTEL", "NEMO_LENS")
//	handle, err := telemetry.Setup(ctx, cfg, telemetry.WithRankFromEnv())
//	defer handle.Shutdown(ctx)
//
//	ctx, span := telemetry.Start(ctx, telemetry.Step, "train.step")
//	span.Int("dl.iteration", i)
//	defer span.End()
//
// # Set-up
//
// Setup installs OpenTelemetry's globals and is active once at a time; New makes
// the same without globals, as often as wanted. Telemetry must not stop a job: a
// nil *Handle is valid everywhere and does nothing, so a program may log the error
// of Setup and go on.
//
// # Instrumentation
//
// A span belongs to a Group, and SPAN_GROUPS says which groups are on. The three
// shapes of a call are
//
//	if telemetry.On(telemetry.Step) { … }             // a load and a bit test
//	ctx, span := telemetry.Start(ctx, group, name)    // nil while off; setters allow it
//	err := telemetry.Do(ctx, group, name, func(ctx context.Context) error { … })
//
// and none of them allocates while its group is off.
//
// # Warnings
//
// Nothing here writes to the terminal. Warnings are values that go to the function
// of WithWarnings, each text once, and are kept for Handle.Warnings. Without that
// option they go to slog.Default, which the program may have sent where it likes;
// its own default is the standard logger, and that is standard error. Setup routes
// what OpenTelemetry itself reports to the same place.
//
// # Shutdown
//
// Shutdown ends what is open, flushes the three signals side by side within one
// deadline, and says how much was lost. Nothing outlives it.
package telemetry

// Version is the version of this library, the default of service.version.
const Version = "0.1.0"

// scopeName is the instrumentation scope, that of the Python library.
const scopeName = "nemo.lens"
