package semconv

func readOnlyFields() []Field {
	return []Field{
		{Name: "NVDLTrainingStep", Key: NVDLTrainingStep, Type: IntType, Where: OnSpan, Presence: ReadOnly, Fact: "iter", Doc: "the training step, counted from 1"},
		{Name: "RLIteration", Key: RLIteration, Type: IntType, Where: OnSpan, Presence: ReadOnly, Fact: "iter", Doc: "the iteration of an RL loop"},
		{Name: "MegatronIteration", Key: MegatronIteration, Type: IntType, Where: OnSpan, Presence: ReadOnly, Fact: "iter", Doc: "the training iteration, counted from 0 on step spans"},
		{Name: "Iteration", Key: Iteration, Type: IntType, Where: OnSpan, Presence: ReadOnly, Fact: "iter", Doc: "the training iteration without a namespace"},
		{Name: "RLWorkerGroup", Key: RLWorkerGroup, Type: StringType, Where: OnResource, Presence: ReadOnly, Fact: "role", Doc: "the worker group, which stands in for a role"},
		{Name: "RLBucket", Key: RLBucket, Type: StringType, Where: OnSpan, Presence: ReadOnly, Doc: "what the time of the span was spent on: productive, overhead, idle or wasted"},
		{Name: "NemoGymServerName", Key: NemoGymServerName, Type: StringType, Where: OnResource, Presence: ReadOnly, Doc: "the name of an environment server, spelling of NeMo-Gym itself"},
		{Name: "NemoGymServerType", Key: NemoGymServerType, Type: StringType, Where: OnResource, Presence: ReadOnly, Doc: "the kind of an environment server, spelling of NeMo-Gym itself"},
		{Name: "NemoLensRunUUID", Key: NemoLensRunUUID, Type: StringType, Where: OnResource, Presence: ReadOnly, Fact: "attempt", Doc: "one attempt of a run, older spelling of NVDLRunUUID"},
		{Name: "NemoLensJobUUID", Key: NemoLensJobUUID, Type: StringType, Where: OnResource, Presence: ReadOnly, Fact: "job_uuid", Doc: "the submitted job, older spelling of NVDLJobUUID"},
		{Name: "DLGPUIndex", Key: DLGPUIndex, Type: IntType, Where: OnResource, Presence: ReadOnly, Fact: "gpu.index", Doc: "the index of the device, older spelling of NVGPUIndex"},
		{Name: "DLGPUName", Key: DLGPUName, Type: StringType, Where: OnResource, Presence: ReadOnly, Fact: "gpu.model", Doc: "the product name of the device, older spelling of NVGPUModel"},
		{Name: "DLGPUUUID", Key: DLGPUUUID, Type: StringType, Where: OnResource, Presence: ReadOnly, Fact: "gpu.uuid", Doc: "the UUID of the device, older spelling of NVGPUUUID"},
		{Name: "SlurmCluster", Key: SlurmCluster, Type: StringType, Where: OnResource, Presence: ReadOnly, Fact: "cluster", Doc: "the name of the cluster, older spelling of SlurmClusterName"},
		{Name: "SlurmTorchelasticRestartCount", Key: SlurmTorchelasticRestartCount, Type: IntType, Where: OnResource, Unit: "{restart}", Presence: ReadOnly, Doc: "how often torchrun restarted its workers"},
	}
}
