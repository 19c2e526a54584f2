package analysis

// quantityRow maps the names that mean one quantity to it, as the table of
// phases does for span names.
type quantityRow struct {
	id, title, unit string
	sources         []source // by preference
	rl              bool
	global          bool
	largest         bool // the rank with the largest value matters, not the usual one
}

// source is a metric or a kind of span event; scale turns its numbers into the
// unit of the row.
type source struct {
	name  string
	scale float64
	event bool
}

func metrics(names ...string) []source {
	var out []source
	for _, n := range names {
		out = append(out, source{name: n, scale: 1})
	}
	return out
}

func (row quantityRow) or(more ...source) quantityRow {
	row.sources = append(row.sources, more...)
	return row
}

func event(name string) source              { return source{name: name, scale: 1, event: true} }
func scaled(name string, by float64) source { return source{name: name, scale: by} }

// The span events of Megatron-LM's training reports: an objective is one event
// with its name and value, the numerics are one event with many attributes.
const (
	objectiveEvent = "nv.dl.training.objective"
	objectiveName  = objectiveEvent + ".name"
	objectiveValue = objectiveEvent + ".value"
	numericsEvent  = "nv.dl.training.numerics"
	rateAttr       = "nv.dl.training.learning_rate"
	skippedAttr    = "nv.dl.training.skipped_iterations"
)

// quantityTable is the quantities in the order in which they are shown. The
// namespaced names of this house come first, then Megatron's own.
func quantityTable() []quantityRow {
	const GB = 1e-9
	return []quantityRow{
		quantityRow{id: "loss", title: "loss", global: true, sources: metrics("dl.loss", "megatron.training.loss")}.or(event(objectiveEvent)),
		{id: "grad_norm", title: "grad norm", global: true, sources: metrics("dl.grad_norm", "megatron.training.grad_norm")},
		quantityRow{id: "learning_rate", title: "learning rate", global: true, sources: metrics("dl.learning_rate", "megatron.training.learning_rate")}.or(event(rateAttr)),
		{id: "tokens_per_sec", title: "tokens/s", unit: "token/s", global: true, sources: metrics("dl.throughput_tokens_per_sec", "megatron.training.tokens_per_sec")},
		{id: "tflops", title: "TFLOP/s", unit: "TFLOP/s", sources: metrics("dl.throughput_tflops", "megatron.training.throughput_tflops")},
		{id: "step_duration", title: "step duration", unit: "s", sources: []source{
			scaled("megatron.training.step_duration_ms", 1e-3), scaled("dl.step_duration_ms", 1e-3), scaled("dl.step_duration", 1)}},
		quantityRow{id: "skipped", title: "skipped", unit: "iterations", global: true, sources: metrics("megatron.training.skipped_iters")}.or(event(skippedAttr)),
		{id: "memory", title: "memory", unit: "GB", largest: true, sources: []source{
			scaled("megatron.training.memory_allocated_gb", 1), scaled("dl.memory_allocated_gb", 1), scaled("dl.memory_allocated", GB)}},
		{id: "tokens", title: "tokens", unit: "tokens", global: true, sources: metrics("nv.dl.training.tokens.processed")},

		{id: "rl.reward", title: "rl reward", rl: true, sources: metrics("rl.reward.mean")},
		{id: "rl.kl_divergence", title: "rl KL divergence", rl: true, sources: metrics("rl.kl_divergence")},
		{id: "rl.policy_loss", title: "rl policy loss", rl: true, sources: metrics("rl.policy_loss")},
		{id: "rl.value_loss", title: "rl value loss", rl: true, sources: metrics("rl.value_loss")},
		{id: "rl.entropy", title: "rl entropy", rl: true, sources: metrics("rl.entropy")},
		{id: "rl.response_length", title: "rl response length", unit: "tokens", rl: true, sources: metrics("rl.response_length.mean")},
		{id: "rl.grad_norm", title: "rl grad norm", rl: true, sources: metrics("rl.grad_norm")},
		{id: "rl.learning_rate", title: "rl learning rate", rl: true, sources: metrics("rl.learning_rate")},
		{id: "rl.tokens_per_sec", title: "rl tokens/s", unit: "token/s", rl: true, sources: metrics("rl.throughput.tokens_per_sec")},
	}
}

// GlobalCounter reports a metric that carries the world's value on every rank:
// select one rank, never sum it over ranks.
func GlobalCounter(metric string) bool {
	for _, row := range quantityTable() {
		for _, s := range row.sources {
			if s.name == metric {
				return row.global
			}
		}
	}
	return false
}
