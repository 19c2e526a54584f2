// Package semconv holds the names of the telemetry of a training run: one
// untyped string constant per name, and one table that says for each name its
// type, its unit, where it goes, how stable it is and whether it is always
// there.
//
// A constant makes a name greppable and turns a typo into a compile error. A
// typo in a string is data that nobody finds again.
//
// # Namespaces
//
// gen_ai.*, host.*, k8s.*, service.* and process.* are upstream OpenTelemetry
// at Version, never redefined and never renamed. nv.dl.*, nv.gpu.*, dl.*, rl.*,
// gym.*, slurm.*, nemo.* and wandb.* are ours and stable: a name does not change
// in a minor release, a breaking change raises the major version. Namespaces
// lists them.
//
// Process facts have two spellings in the field: rank, world size and local
// rank are written in both (NVDLRank and DLRank), so that old filters and new
// ones find the same process. The names of the read-only group are read and
// never written.
//
// # Where a value goes
//
// A category of one span is a span attribute; what stays fixed for the process
// is a resource attribute; a number that varies is a metric; a text payload is
// an event, or nothing. Attributes of metric points have tens to hundreds of
// distinct values, never one per request or per user.
//
// # Types
//
// Nothing is inferred from how a value looks: "007" stays a string unless the
// table says that its key is an integer. Compose merges layers of attributes,
// Convert converts one value, Normalize applies the policy for a whole map.
package semconv
