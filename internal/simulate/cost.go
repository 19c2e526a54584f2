package simulate

// costs are the times of the healthy run's parts, in nanoseconds. They are
// shares of the step time chosen to resemble the two production recordings of
// Lin et al., OSDI '25: about nine tenths pipeline, a few percent each for the
// gradient sync, the optimizer and dark time.
type costs struct {
	compute    float64 // forward and backward of one microbatch
	send, recv int64   // of one transfer between stages, once the data are there
	data       int64   // reading the batch, on the first and last stage
	syncStart  int64
	dark       int64 // what no span covers, before the pipeline
	tail       int64 // what no span covers, before the gradient sync
	gc         int64
	layernorm  int64
	embedding  int64
	sync, clip int64
	optimizer  int64
	closing    int64 // what no span covers, after the optimizer
	gap        int64 // between a step and what follows it
	checkpoint int64
	evaluate   int64
}

// pipelineShare is the part of a step that the pipeline takes, bubble included.
const pipelineShare = 0.88

func (c *Config) costs() costs {
	step := float64(c.Step)
	part := func(share float64) int64 { return int64(step * share) }
	compute := step * pipelineShare / float64(c.Microbatches+c.PP-1)
	return costs{
		compute: compute,
		send:    int64(compute * 0.003), recv: int64(compute * 0.002),
		data: part(0.004), syncStart: part(0.003),
		dark: part(0.012), tail: part(0.003),
		gc: part(0.012), layernorm: part(0.002), embedding: part(0.003),
		sync: part(0.030), clip: part(0.006), optimizer: part(0.030),
		closing: part(0.008), gap: part(0.004),
		checkpoint: part(1.2), evaluate: part(0.6),
	}
}

// Noise and design of the healthy run, relative.
const (
	forwardShare   = 0.37  // of a microbatch's compute
	microSigma     = 0.008 // from microbatch to microbatch
	skewSigma      = 0.006 // from worker to worker, for the whole run
	firstStage     = 1.01  // the embedding
	lastStage      = 1.03  // the loss layer
	warmupFactor   = 3.0   // compute of the first iteration
	checkpointLoad = 0.12  // spread of the time to write a checkpoint
)
