package simulate

import "github.com/beamline-hpc/lensview/pkg/semconv"

// names are the names of one generation.
type names struct {
	span [kindCount]string
	step string // attribute of spans that carry an iteration
	base int    // number of the first iteration
}

func (c *Config) names() *names {
	if c.Naming == Older {
		return olderNames()
	}
	return newestNames()
}

// iteration is how spans number iteration i, counted from 0.
func (n *names) iteration(i int) int { return i + n.base }

func newestNames() *names {
	return &names{step: semconv.NVDLTrainingStep, base: 1, span: [kindCount]string{
		kStep:            "nv.dl.training.iteration",
		kForwardBackward: "nv.mcore.forward_backward",
		kForward:         "nv.mcore.microbatch.forward",
		kBackward:        "nv.mcore.microbatch.backward",
		kRecvForward:     "nv.mcore.p2p.recv_forward",
		kSendForward:     "nv.mcore.p2p.send_forward",
		kRecvBackward:    "nv.mcore.p2p.recv_backward",
		kSendBackward:    "nv.mcore.p2p.send_backward",
		kData:            "nv.mcore.dataloader.next",
		kSyncStart:       "nv.mcore.grad_sync.start",
		kGC:              "nv.mcore.gc_collect",
		kLayernorm:       "nv.mcore.layernorm_grads_all_reduce",
		kEmbedding:       "nv.mcore.embedding_grads_all_reduce",
		kSyncFinish:      "nv.mcore.grad_sync.finish",
		kClip:            "nv.dl.training.iteration.clip_grad",
		kOptimizer:       "nv.dl.training.iteration.optimizer_step",
		kCheckpoint:      "nv.mcore.checkpoint.save",
		kCheckpointWrite: "nv.mcore.checkpoint.write",
		kEvaluate:        "nv.dl.training.evaluate",
		kEvaluateForward: "nv.mcore.forward_backward",
		kJob:             "nv.dl.job",
		kModelInit:       "nv.dl.job.model_init",
	}}
}

func olderNames() *names {
	return &names{step: semconv.MegatronIteration, span: [kindCount]string{
		kStep:            "megatron.train.iteration",
		kForwardBackward: "megatron.forward_backward",
		kForward:         "megatron.microbatch.forward",
		kBackward:        "megatron.microbatch.backward",
		kRecvForward:     "megatron.p2p.recv_forward",
		kSendForward:     "megatron.p2p.send_forward",
		kRecvBackward:    "megatron.p2p.recv_backward",
		kSendBackward:    "megatron.p2p.send_backward",
		kData:            "megatron.dataloader.next",
		kSyncStart:       "megatron.grad_sync.start",
		kGC:              "megatron.train.gc_collect",
		kLayernorm:       "megatron.layernorm_grads_all_reduce",
		kEmbedding:       "megatron.embedding_grads_all_reduce",
		kSyncFinish:      "megatron.grad_sync.finish",
		kClip:            "megatron.train.iteration.clip_grad",
		kOptimizer:       "megatron.train.iteration.optimizer",
		kCheckpoint:      "megatron.checkpoint.save",
		kCheckpointWrite: "megatron.checkpoint.write",
		kEvaluate:        "megatron.evaluate",
		kEvaluateForward: "megatron.forward_backward",
		kJob:             "megatron.pretrain",
		kModelInit:       "megatron.model_init",
	}}
}
