package semconv

func gymFields() []Field {
	return []Field{
		{Name: "GymServerName", Key: GymServerName, Type: StringType, Where: OnResource | OnSpan, Doc: "the name of the server"},
		{Name: "GymServerType", Key: GymServerType, Type: StringType, Where: OnResource | OnSpan, Doc: "the kind of the server, as \"resources\" or \"model\""},
		{Name: "GymNumServers", Key: GymNumServers, Type: IntType, Where: OnSpan, Unit: "{server}", Doc: "the servers started together"},
		{Name: "GymRolloutBatchSize", Key: GymRolloutBatchSize, Type: IntType, Where: OnSpan, Unit: "{rollout}", Doc: "the rollouts of one batch"},
		{Name: "GymVerifySuccessRate", Key: GymVerifySuccessRate, Type: FloatType, Where: AsMetric, Unit: "1", Doc: "the share of verifications that succeed"},
	}
}
