package semconv

// Names that other producers send. They are read, never written: each has a
// newer spelling above or belongs to the program that sends it.
const (
	// NVDLTrainingStep is the training step, counted from 1. Type int, span
	// attribute, read only.
	NVDLTrainingStep = "nv.dl.training.step"

	// RLIteration is the iteration of an RL loop. Type int, span attribute, read
	// only.
	RLIteration = "rl.iteration"

	// MegatronIteration is the training iteration, counted from 0 on step spans.
	// Type int, span attribute, read only.
	MegatronIteration = "megatron.iteration"

	// Iteration is the training iteration without a namespace. Type int, span
	// attribute, read only.
	Iteration = "iteration"

	// RLWorkerGroup is the worker group, which stands in for a role. Type string,
	// resource attribute, read only.
	RLWorkerGroup = "rl.worker_group"

	// RLBucket is what the time of the span was spent on: productive, overhead,
	// idle or wasted. Type string, span attribute, read only.
	RLBucket = "rl.bucket"

	// NemoGymServerName is the name of an environment server, spelling of
	// NeMo-Gym itself. Type string, resource attribute, read only.
	NemoGymServerName = "nemo.gym.server.name"

	// NemoGymServerType is the kind of an environment server, spelling of
	// NeMo-Gym itself. Type string, resource attribute, read only.
	NemoGymServerType = "nemo.gym.server.type"

	// NemoLensRunUUID is one attempt of a run, older spelling of NVDLRunUUID.
	// Type string, resource attribute, read only.
	NemoLensRunUUID = "nemo.lens.run_uuid"

	// NemoLensJobUUID is the submitted job, older spelling of NVDLJobUUID. Type
	// string, resource attribute, read only.
	NemoLensJobUUID = "nemo.lens.job_uuid"

	// DLGPUIndex is the index of the device, older spelling of NVGPUIndex. Type
	// int, resource attribute, read only.
	DLGPUIndex = "dl.gpu.index"

	// DLGPUName is the product name of the device, older spelling of NVGPUModel.
	// Type string, resource attribute, read only.
	DLGPUName = "dl.gpu.name"

	// DLGPUUUID is the UUID of the device, older spelling of NVGPUUUID. Type
	// string, resource attribute, read only.
	DLGPUUUID = "dl.gpu.uuid"

	// SlurmCluster is the name of the cluster, older spelling of
	// SlurmClusterName. Type string, resource attribute, read only.
	SlurmCluster = "slurm.cluster"

	// SlurmTorchelasticRestartCount is how often torchrun restarted its workers.
	// Type int in {restart}, resource attribute, read only.
	SlurmTorchelasticRestartCount = "slurm.torchelastic.restart_count"
)
