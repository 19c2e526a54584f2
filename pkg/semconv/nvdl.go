package semconv

// Distributed-learning facts that stay the same for the life of a process
// (nv.dl.*): resource attributes, the newest spelling.
const (
	// NVDLRank is the global rank; unique only together with the role. Type int,
	// resource attribute, optional.
	NVDLRank = "nv.dl.rank"

	// NVDLWorldSize is the total number of ranks. Type int in {rank}, resource
	// attribute, optional.
	NVDLWorldSize = "nv.dl.world_size"

	// NVDLLocalRank is the rank on its node. Type int, resource attribute,
	// optional.
	NVDLLocalRank = "nv.dl.local_rank"

	// NVDLRole is what the process does in the run, as "trainer" or "worker".
	// Type string, resource attribute, optional.
	NVDLRole = "nv.dl.role"

	// NVDLProviderName is the training framework, as "mcore". Type string,
	// resource attribute, optional.
	NVDLProviderName = "nv.dl.provider.name"

	// NVDLTopologySizeTP is the tensor-parallel size. Type int in {rank},
	// resource attribute, optional.
	NVDLTopologySizeTP = "nv.dl.topology.size.tp"

	// NVDLTopologySizePP is the pipeline-parallel size. Type int in {rank},
	// resource attribute, optional.
	NVDLTopologySizePP = "nv.dl.topology.size.pp"

	// NVDLTopologySizeDP is the data-parallel size. Type int in {rank}, resource
	// attribute, optional.
	NVDLTopologySizeDP = "nv.dl.topology.size.dp"

	// NVDLTrainingConfigGlobalBatchSize is the configured samples of one step
	// over all ranks. Type int in {sample}, resource attribute, optional.
	NVDLTrainingConfigGlobalBatchSize = "nv.dl.training.config.global_batch_size"

	// NVDLTrainingConfigMicroBatchSize is the configured samples of one
	// microbatch. Type int in {sample}, resource attribute, optional.
	NVDLTrainingConfigMicroBatchSize = "nv.dl.training.config.micro_batch_size"

	// NVDLTrainingConfigSequenceLength is the configured tokens of one sample.
	// Type int in {token}, resource attribute, optional.
	NVDLTrainingConfigSequenceLength = "nv.dl.training.config.sequence_length"

	// NVDLTrainingConfigOptimizer is the configured optimizer, as "adam". Type
	// string, resource attribute, optional.
	NVDLTrainingConfigOptimizer = "nv.dl.training.config.optimizer"

	// NVDLTrainingConfigRecomputeGranularity is how much of the activations is
	// recomputed, as "selective". Type string, resource attribute, optional.
	NVDLTrainingConfigRecomputeGranularity = "nv.dl.training.config.recompute_granularity"

	// NVDLTrainingTargetTrainIters is the iterations after which training ends.
	// Type int in {iteration}, resource attribute, optional.
	NVDLTrainingTargetTrainIters = "nv.dl.training.target.train_iters"

	// NVDLTrainingTargetTrainSamples is the samples after which training ends.
	// Type int in {sample}, resource attribute, optional.
	NVDLTrainingTargetTrainSamples = "nv.dl.training.target.train_samples"

	// NVDLTrainingTargetTrainTokens is the tokens after which training ends. Type
	// int in {token}, resource attribute, optional.
	NVDLTrainingTargetTrainTokens = "nv.dl.training.target.train_tokens"

	// NVDLSoftwareTorch is the version of PyTorch in use. Type string, resource
	// attribute, optional.
	NVDLSoftwareTorch = "nv.dl.software.torch"

	// NVDLSoftwareCUDA is the version of CUDA in use. Type string, resource
	// attribute, optional.
	NVDLSoftwareCUDA = "nv.dl.software.cuda"

	// NVDLSoftwareNCCL is the version of NCCL in use. Type string, resource
	// attribute, optional.
	NVDLSoftwareNCCL = "nv.dl.software.nccl"

	// NVDLSoftwareTransformerEngine is the version of Transformer Engine in use.
	// Type string, resource attribute, optional.
	NVDLSoftwareTransformerEngine = "nv.dl.software.transformer_engine"

	// NVDLLaunchContainerImage is the container image the job was launched with.
	// Type string, resource attribute, optional.
	NVDLLaunchContainerImage = "nv.dl.launch.container.image"

	// NVDLJobUUID is the submitted job, the same over its requeues. Type string,
	// resource attribute, optional.
	NVDLJobUUID = "nv.dl.job.uuid"

	// NVDLRunUUID is one attempt of a run, new at each restart. Type string,
	// resource attribute, optional.
	NVDLRunUUID = "nv.dl.run.uuid"
)
