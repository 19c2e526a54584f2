package semconv

// Reinforcement-learning span attributes (rl.*). The rl.* metric names belong
// to the program that produces them and are not defined here.
const (
	// RLAlgorithm is the algorithm, as "grpo". Type string, span attribute,
	// optional.
	RLAlgorithm = "rl.algorithm"

	// RLReward is the reward of the rollout the span covers. Type float, span
	// attribute, optional.
	RLReward = "rl.reward"

	// RLGenerationBackend is the engine that generates, as "vllm". Type string,
	// span attribute, optional.
	RLGenerationBackend = "rl.generation.backend"

	// RLNumRollouts is the rollouts the span covers. Type int in {rollout}, span
	// attribute, optional.
	RLNumRollouts = "rl.num_rollouts"
)
