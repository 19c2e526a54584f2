package semconv

func dlFields() []Field {
	return []Field{
		{Name: "DLRank", Key: DLRank, Type: IntType, Where: OnResource, Fact: "rank", Doc: "the global rank, older spelling of NVDLRank"},
		{Name: "DLWorldSize", Key: DLWorldSize, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "world_size", Doc: "the total number of ranks, older spelling of NVDLWorldSize"},
		{Name: "DLLocalRank", Key: DLLocalRank, Type: IntType, Where: OnResource, Fact: "local_rank", Doc: "the rank on its node, older spelling of NVDLLocalRank"},
		{Name: "DLTensorParallelRank", Key: DLTensorParallelRank, Type: IntType, Where: OnResource, Fact: "tp", Doc: "the tensor-parallel coordinate"},
		{Name: "DLTensorParallelSize", Key: DLTensorParallelSize, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "tp.size", Doc: "the tensor-parallel size, older spelling of NVDLTopologySizeTP"},
		{Name: "DLPipelineParallelRank", Key: DLPipelineParallelRank, Type: IntType, Where: OnResource, Fact: "pp", Doc: "the pipeline-parallel coordinate (stage)"},
		{Name: "DLPipelineParallelSize", Key: DLPipelineParallelSize, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "pp.size", Doc: "the pipeline-parallel size, older spelling of NVDLTopologySizePP"},
		{Name: "DLDataParallelRank", Key: DLDataParallelRank, Type: IntType, Where: OnResource, Fact: "dp", Doc: "the data-parallel coordinate"},
		{Name: "DLDataParallelSize", Key: DLDataParallelSize, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "dp.size", Doc: "the data-parallel size, older spelling of NVDLTopologySizeDP"},
		{Name: "DLIteration", Key: DLIteration, Type: IntType, Where: OnSpan, Fact: "iter", Doc: "the training iteration the span belongs to"},
		{Name: "DLMicrobatchID", Key: DLMicrobatchID, Type: IntType, Where: OnSpan, Doc: "the index of the microbatch within its step"},
		{Name: "DLBatchSize", Key: DLBatchSize, Type: IntType, Where: OnSpan, Unit: "{sample}", Doc: "the samples the span works on"},
		{Name: "DLSequenceLength", Key: DLSequenceLength, Type: IntType, Where: OnSpan, Unit: "{token}", Doc: "the tokens of one sample the span works on"},
		{Name: "DLLoss", Key: DLLoss, Type: FloatType, Where: AsMetric, Unit: "1", Doc: "the training loss"},
		{Name: "DLGradNorm", Key: DLGradNorm, Type: FloatType, Where: AsMetric, Unit: "1", Doc: "the norm of the gradients"},
		{Name: "DLLearningRate", Key: DLLearningRate, Type: FloatType, Where: AsMetric, Unit: "1", Doc: "the learning rate"},
		{Name: "DLThroughputTFLOPS", Key: DLThroughputTFLOPS, Type: FloatType, Where: AsMetric, Unit: "TFLOP/s", Doc: "the achieved model throughput of one GPU"},
		{Name: "DLThroughputTokensPerSec", Key: DLThroughputTokensPerSec, Type: FloatType, Where: AsMetric, Unit: "{token}/s", Doc: "the tokens trained on in a second"},
	}
}
