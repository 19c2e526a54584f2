package run

// defaultPhaseRows is what the span names of the known producers mean. The
// optimizer waits: the host blocks on the gradient norm, which is there only
// when every rank has delivered its part.
func defaultPhaseRows() []PhaseRow {
	return []PhaseRow{
		{"nv.dl.training.iteration", PhaseIteration, Step},
		{"megatron.train.iteration", PhaseIteration, Step},
		{"megatron.train_step", PhaseIteration, Step},
		{"train.step", PhaseIteration, Step},
		{"train_step", PhaseIteration, Step},
		{"step", PhaseIteration, Step},
		{"rl.*.step", PhaseIteration, Step},

		{"*.forward_backward", PhaseForwardBackward, Compute},
		{"*.microbatch.forward", PhaseMicrobatchForward, Compute},
		{"*.microbatch.backward", PhaseMicrobatchBackward, Compute},
		{"*.layer.*", PhaseLayer, Compute},

		{"*.p2p.{recv,send}_{forward,backward}", PhaseP2P, Wait},
		{"*.grad_sync.{start,finish}", PhaseGradSync, Wait},
		{"*{all_reduce,allreduce,reduce_scatter,all_gather}*", PhaseGradSync, Wait},
		{"*.{optimizer,optimizer_step,clip_grad}", PhaseOptimizer, Wait},

		{"*.checkpoint.*", PhaseCheckpoint, IO},
		{"*{save,load}_checkpoint*", PhaseCheckpoint, IO},
		{"nvrx.checkpoint.*", PhaseCheckpoint, IO},
		{"*.dataloader*", PhaseData, IO},
		{"*data_loading*", PhaseData, IO},

		{"*.evaluate*", PhaseEvaluate, Other},
		{"*iteration_report*", PhaseReport, Other},
		{"*.startup*", PhaseStartup, Other},
		{"*model_init*", PhaseStartup, Other},
		{"*.first_iteration", PhaseStartup, Other},
		{"*.gc_collect", PhaseGC, Other},
		{"*.memory.reclaim", PhaseGC, Other},
		{"*cuda_graph*", PhaseGraphCapture, Other},

		{"{,rl.,rl.*.}generation", PhaseGeneration, Compute},
		{"{,rl.,rl.*.}reward_calculation", PhaseReward, Compute},
		{"{,rl.,rl.*.}policy_and_reference_logprobs", PhaseLogprobs, Compute},
		{"{,rl.,rl.*.}advantage_calculation", PhaseAdvantage, Compute},
		{"{,rl.,rl.*.}policy_training", PhasePolicyTraining, Compute},
		{"rl.idle.*", PhaseIdle, Wait},
	}
}
