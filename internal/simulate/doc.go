// Package simulate is a training run that never was: ranks × iterations with
// injected faults, sent as OTLP exactly as the ranks of a real run send it.
//
// A Config describes the run, New turns it into a Stream of encoded OTLP
// requests in time order, and Send carries a Stream to an endpoint. Equal
// configurations give byte-equal streams. Run sends a small one as the processes
// of a real run do, each through pkg/telemetry, with the same data. What was
// injected is the stream's Truth, so that an analysis can be held against it.
//
// # Model
//
// All ranks of one pipeline stage and one data-parallel replica are a worker:
// its tensor- and context-parallel ranks are coupled inside every layer and
// share its times up to microseconds. The workers of one replica are a lane;
// they run the non-interleaved 1F1B schedule, in which a stage waits for
// activations from the stage before it and gradients from the stage after it.
// After its backward passes a stage waits for the same stage of all other
// lanes (gradient sync), then for all stages (gradient norm), then every rank
// runs the optimizer. So all ranks' steps are equally long, and a slow worker
// shows in the longest compute and the least waiting.
//
// Schedule: Narayanan et al., "Efficient Large-Scale Language Model Training on
// GPU Clusters Using Megatron-LM", SC '21, section 2.2.
package simulate
