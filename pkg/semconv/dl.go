package semconv

// Distributed-learning names shared by all training frameworks (dl.*): the
// older process facts, what a span says about itself, and the metrics of a
// training loop. rl.* and dl.* series never stand in for each other.
const (
	// DLRank is the global rank, older spelling of NVDLRank. Type int, resource
	// attribute, optional.
	DLRank = "dl.rank"

	// DLWorldSize is the total number of ranks, older spelling of NVDLWorldSize.
	// Type int in {rank}, resource attribute, optional.
	DLWorldSize = "dl.world_size"

	// DLLocalRank is the rank on its node, older spelling of NVDLLocalRank. Type
	// int, resource attribute, optional.
	DLLocalRank = "dl.local_rank"

	// DLTensorParallelRank is the tensor-parallel coordinate. Type int, resource
	// attribute, optional.
	DLTensorParallelRank = "dl.tensor_parallel.rank"

	// DLTensorParallelSize is the tensor-parallel size, older spelling of
	// NVDLTopologySizeTP. Type int in {rank}, resource attribute, optional.
	DLTensorParallelSize = "dl.tensor_parallel.size"

	// DLPipelineParallelRank is the pipeline-parallel coordinate (stage). Type
	// int, resource attribute, optional.
	DLPipelineParallelRank = "dl.pipeline_parallel.rank"

	// DLPipelineParallelSize is the pipeline-parallel size, older spelling of
	// NVDLTopologySizePP. Type int in {rank}, resource attribute, optional.
	DLPipelineParallelSize = "dl.pipeline_parallel.size"

	// DLDataParallelRank is the data-parallel coordinate. Type int, resource
	// attribute, optional.
	DLDataParallelRank = "dl.data_parallel.rank"

	// DLDataParallelSize is the data-parallel size, older spelling of
	// NVDLTopologySizeDP. Type int in {rank}, resource attribute, optional.
	DLDataParallelSize = "dl.data_parallel.size"

	// DLIteration is the training iteration the span belongs to. Type int, span
	// attribute, optional.
	DLIteration = "dl.iteration"

	// DLMicrobatchID is the index of the microbatch within its step. Type int,
	// span attribute, optional.
	DLMicrobatchID = "dl.microbatch_id"

	// DLBatchSize is the samples the span works on. Type int in {sample}, span
	// attribute, optional.
	DLBatchSize = "dl.batch_size"

	// DLSequenceLength is the tokens of one sample the span works on. Type int in
	// {token}, span attribute, optional.
	DLSequenceLength = "dl.sequence_length"

	// DLLoss is the training loss. Type float, metric, optional.
	DLLoss = "dl.loss"

	// DLGradNorm is the norm of the gradients. Type float, metric, optional.
	DLGradNorm = "dl.grad_norm"

	// DLLearningRate is the learning rate. Type float, metric, optional.
	DLLearningRate = "dl.learning_rate"

	// DLThroughputTFLOPS is the achieved model throughput of one GPU. Type float
	// in TFLOP/s, metric, optional.
	DLThroughputTFLOPS = "dl.throughput_tflops"

	// DLThroughputTokensPerSec is the tokens trained on in a second. Type float
	// in {token}/s, metric, optional.
	DLThroughputTokensPerSec = "dl.throughput_tokens_per_sec"
)
