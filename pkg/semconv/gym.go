package semconv

// Environment servers (gym.*).
const (
	// GymServerName is the name of the server. Type string, resource and span
	// attribute, optional.
	GymServerName = "gym.server.name"

	// GymServerType is the kind of the server, as "resources" or "model". Type
	// string, resource and span attribute, optional.
	GymServerType = "gym.server.type"

	// GymNumServers is the servers started together. Type int in {server}, span
	// attribute, optional.
	GymNumServers = "gym.num_servers"

	// GymRolloutBatchSize is the rollouts of one batch. Type int in {rollout},
	// span attribute, optional.
	GymRolloutBatchSize = "gym.rollout.batch_size"

	// GymVerifySuccessRate is the share of verifications that succeed. Type
	// float, metric, optional.
	GymVerifySuccessRate = "gym.verify.success_rate"
)
