package semconv

// The Slurm job of a process (slurm.*): resource attributes, there only inside
// a job. All are strings but four counts.
const (
	// SlurmJobID is the job as users write it, array_task joined by "_" in an
	// array. Type string, resource attribute, optional.
	SlurmJobID = "slurm.job.id"

	// SlurmJobIDRaw is the raw job id, different for each task of an array. Type
	// string, resource attribute, optional.
	SlurmJobIDRaw = "slurm.job.id.raw"

	// SlurmArrayJobID is the base job id of the array, else the job id. Type
	// string, resource attribute, optional.
	SlurmArrayJobID = "slurm.array.job_id"

	// SlurmArrayTaskID is the task within the array, else "0". Type string,
	// resource attribute, optional.
	SlurmArrayTaskID = "slurm.array.task_id"

	// SlurmArrayCount is the tasks of the array, else 1. Type int in {task},
	// resource attribute, optional.
	SlurmArrayCount = "slurm.array.count"

	// SlurmSLUID is the Slurm unique id of the job. Type string, resource
	// attribute, optional.
	SlurmSLUID = "slurm.sluid"

	// SlurmArraySLUID is the Slurm unique id of the array. Type string, resource
	// attribute, optional.
	SlurmArraySLUID = "slurm.array.sluid"

	// SlurmJobName is the name the job was submitted with. Type string, resource
	// attribute, optional.
	SlurmJobName = "slurm.job.name"

	// SlurmClusterName is the name of the cluster. Type string, resource
	// attribute, optional.
	SlurmClusterName = "slurm.cluster.name"

	// SlurmPartition is the partition the job runs in. Type string, resource
	// attribute, optional.
	SlurmPartition = "slurm.partition"

	// SlurmHeadNodeName is the node of the batch script, absent inside a step.
	// Type string, resource attribute, optional.
	SlurmHeadNodeName = "slurm.head_node.name"

	// SlurmJobUser is the user who submitted the job. Type string, resource
	// attribute, optional.
	SlurmJobUser = "slurm.job.user"

	// SlurmJobAccount is the account that is charged. Type string, resource
	// attribute, optional.
	SlurmJobAccount = "slurm.job.account"

	// SlurmJobQOS is the quality of service. Type string, resource attribute,
	// optional.
	SlurmJobQOS = "slurm.job.qos"

	// SlurmJobReservation is the reservation the job runs in. Type string,
	// resource attribute, optional.
	SlurmJobReservation = "slurm.job.reservation"

	// SlurmSegment is the segment size asked for. Type string, resource
	// attribute, optional.
	SlurmSegment = "slurm.segment"

	// SlurmTopologyAddr is the place of the node in the network. Type string,
	// resource attribute, optional.
	SlurmTopologyAddr = "slurm.topology.addr"

	// SlurmTopologyAddrPattern is what the parts of SlurmTopologyAddr are. Type
	// string, resource attribute, optional.
	SlurmTopologyAddrPattern = "slurm.topology.addr_pattern"

	// SlurmNNodes is the nodes of the job. Type int in {node}, resource
	// attribute, optional.
	SlurmNNodes = "slurm.nnodes"

	// SlurmNTasks is the tasks of the job; never a world size. Type int in
	// {task}, resource attribute, optional.
	SlurmNTasks = "slurm.ntasks"

	// SlurmRestartCount is how often the job was requeued, else 0. Type int in
	// {restart}, resource attribute, optional.
	SlurmRestartCount = "slurm.restart_count"

	// SlurmNodelist is the nodes of the job as compressed text; retired by the
	// newest upstream, still emitted and read. Type string, resource attribute,
	// optional.
	SlurmNodelist = "slurm.nodelist"
)
