package semconv

func rlFields() []Field {
	return []Field{
		{Name: "RLAlgorithm", Key: RLAlgorithm, Type: StringType, Where: OnSpan, Doc: "the algorithm, as \"grpo\""},
		{Name: "RLReward", Key: RLReward, Type: FloatType, Where: OnSpan, Unit: "1", Doc: "the reward of the rollout the span covers"},
		{Name: "RLGenerationBackend", Key: RLGenerationBackend, Type: StringType, Where: OnSpan, Doc: "the engine that generates, as \"vllm\""},
		{Name: "RLNumRollouts", Key: RLNumRollouts, Type: IntType, Where: OnSpan, Unit: "{rollout}", Doc: "the rollouts the span covers"},
	}
}
