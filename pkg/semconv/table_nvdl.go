package semconv

func nvDLFields() []Field {
	return []Field{
		{Name: "NVDLRank", Key: NVDLRank, Type: IntType, Where: OnResource, Fact: "rank", Doc: "the global rank; unique only together with the role"},
		{Name: "NVDLWorldSize", Key: NVDLWorldSize, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "world_size", Doc: "the total number of ranks"},
		{Name: "NVDLLocalRank", Key: NVDLLocalRank, Type: IntType, Where: OnResource, Fact: "local_rank", Doc: "the rank on its node"},
		{Name: "NVDLRole", Key: NVDLRole, Type: StringType, Where: OnResource, Fact: "role", Doc: "what the process does in the run, as \"trainer\" or \"worker\""},
		{Name: "NVDLProviderName", Key: NVDLProviderName, Type: StringType, Where: OnResource, Doc: "the training framework, as \"mcore\""},
		{Name: "NVDLTopologySizeTP", Key: NVDLTopologySizeTP, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "tp.size", Doc: "the tensor-parallel size"},
		{Name: "NVDLTopologySizePP", Key: NVDLTopologySizePP, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "pp.size", Doc: "the pipeline-parallel size"},
		{Name: "NVDLTopologySizeDP", Key: NVDLTopologySizeDP, Type: IntType, Where: OnResource, Unit: "{rank}", Fact: "dp.size", Doc: "the data-parallel size"},
		{Name: "NVDLTrainingConfigGlobalBatchSize", Key: NVDLTrainingConfigGlobalBatchSize, Type: IntType, Where: OnResource, Unit: "{sample}", Doc: "the configured samples of one step over all ranks"},
		{Name: "NVDLTrainingConfigMicroBatchSize", Key: NVDLTrainingConfigMicroBatchSize, Type: IntType, Where: OnResource, Unit: "{sample}", Doc: "the configured samples of one microbatch"},
		{Name: "NVDLTrainingConfigSequenceLength", Key: NVDLTrainingConfigSequenceLength, Type: IntType, Where: OnResource, Unit: "{token}", Doc: "the configured tokens of one sample"},
		{Name: "NVDLTrainingConfigOptimizer", Key: NVDLTrainingConfigOptimizer, Type: StringType, Where: OnResource, Doc: "the configured optimizer, as \"adam\""},
		{Name: "NVDLTrainingConfigRecomputeGranularity", Key: NVDLTrainingConfigRecomputeGranularity, Type: StringType, Where: OnResource, Doc: "how much of the activations is recomputed, as \"selective\""},
		{Name: "NVDLTrainingTargetTrainIters", Key: NVDLTrainingTargetTrainIters, Type: IntType, Where: OnResource, Unit: "{iteration}", Doc: "the iterations after which training ends"},
		{Name: "NVDLTrainingTargetTrainSamples", Key: NVDLTrainingTargetTrainSamples, Type: IntType, Where: OnResource, Unit: "{sample}", Doc: "the samples after which training ends"},
		{Name: "NVDLTrainingTargetTrainTokens", Key: NVDLTrainingTargetTrainTokens, Type: IntType, Where: OnResource, Unit: "{token}", Doc: "the tokens after which training ends"},
		{Name: "NVDLSoftwareTorch", Key: NVDLSoftwareTorch, Type: StringType, Where: OnResource, Doc: "the version of PyTorch in use"},
		{Name: "NVDLSoftwareCUDA", Key: NVDLSoftwareCUDA, Type: StringType, Where: OnResource, Doc: "the version of CUDA in use"},
		{Name: "NVDLSoftwareNCCL", Key: NVDLSoftwareNCCL, Type: StringType, Where: OnResource, Doc: "the version of NCCL in use"},
		{Name: "NVDLSoftwareTransformerEngine", Key: NVDLSoftwareTransformerEngine, Type: StringType, Where: OnResource, Doc: "the version of Transformer Engine in use"},
		{Name: "NVDLLaunchContainerImage", Key: NVDLLaunchContainerImage, Type: StringType, Where: OnResource, Doc: "the container image the job was launched with"},
		{Name: "NVDLJobUUID", Key: NVDLJobUUID, Type: StringType, Where: OnResource, Fact: "job_uuid", Doc: "the submitted job, the same over its requeues"},
		{Name: "NVDLRunUUID", Key: NVDLRunUUID, Type: StringType, Where: OnResource, Fact: "attempt", Doc: "one attempt of a run, new at each restart"},
	}
}
