package semconv

func slurmFields() []Field {
	return []Field{
		{Name: "SlurmJobID", Key: SlurmJobID, Type: StringType, Where: OnResource, Doc: "the job as users write it, array_task joined by \"_\" in an array"},
		{Name: "SlurmJobIDRaw", Key: SlurmJobIDRaw, Type: StringType, Where: OnResource, Doc: "the raw job id, different for each task of an array"},
		{Name: "SlurmArrayJobID", Key: SlurmArrayJobID, Type: StringType, Where: OnResource, Doc: "the base job id of the array, else the job id"},
		{Name: "SlurmArrayTaskID", Key: SlurmArrayTaskID, Type: StringType, Where: OnResource, Doc: "the task within the array, else \"0\""},
		{Name: "SlurmArrayCount", Key: SlurmArrayCount, Type: IntType, Where: OnResource, Unit: "{task}", Doc: "the tasks of the array, else 1"},
		{Name: "SlurmSLUID", Key: SlurmSLUID, Type: StringType, Where: OnResource, Doc: "the Slurm unique id of the job"},
		{Name: "SlurmArraySLUID", Key: SlurmArraySLUID, Type: StringType, Where: OnResource, Doc: "the Slurm unique id of the array"},
		{Name: "SlurmJobName", Key: SlurmJobName, Type: StringType, Where: OnResource, Doc: "the name the job was submitted with"},
		{Name: "SlurmClusterName", Key: SlurmClusterName, Type: StringType, Where: OnResource, Fact: "cluster", Doc: "the name of the cluster"},
		{Name: "SlurmPartition", Key: SlurmPartition, Type: StringType, Where: OnResource, Doc: "the partition the job runs in"},
		{Name: "SlurmHeadNodeName", Key: SlurmHeadNodeName, Type: StringType, Where: OnResource, Doc: "the node of the batch script, absent inside a step"},
		{Name: "SlurmJobUser", Key: SlurmJobUser, Type: StringType, Where: OnResource, Doc: "the user who submitted the job"},
		{Name: "SlurmJobAccount", Key: SlurmJobAccount, Type: StringType, Where: OnResource, Doc: "the account that is charged"},
		{Name: "SlurmJobQOS", Key: SlurmJobQOS, Type: StringType, Where: OnResource, Doc: "the quality of service"},
		{Name: "SlurmJobReservation", Key: SlurmJobReservation, Type: StringType, Where: OnResource, Doc: "the reservation the job runs in"},
		{Name: "SlurmSegment", Key: SlurmSegment, Type: StringType, Where: OnResource, Doc: "the segment size asked for"},
		{Name: "SlurmTopologyAddr", Key: SlurmTopologyAddr, Type: StringType, Where: OnResource, Doc: "the place of the node in the network"},
		{Name: "SlurmTopologyAddrPattern", Key: SlurmTopologyAddrPattern, Type: StringType, Where: OnResource, Doc: "what the parts of SlurmTopologyAddr are"},
		{Name: "SlurmNNodes", Key: SlurmNNodes, Type: IntType, Where: OnResource, Unit: "{node}", Doc: "the nodes of the job"},
		{Name: "SlurmNTasks", Key: SlurmNTasks, Type: IntType, Where: OnResource, Unit: "{task}", Doc: "the tasks of the job; never a world size"},
		{Name: "SlurmRestartCount", Key: SlurmRestartCount, Type: IntType, Where: OnResource, Unit: "{restart}", Doc: "how often the job was requeued, else 0"},
		{Name: "SlurmNodelist", Key: SlurmNodelist, Type: StringType, Where: OnResource, Doc: "the nodes of the job as compressed text; retired by the newest upstream, still emitted and read"},
	}
}
