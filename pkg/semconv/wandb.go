package semconv

// Where the run is on Weights & Biases (wandb.*).
const (
	// WandbEntity is the entity, a user or team. Type string, resource attribute,
	// optional.
	WandbEntity = "wandb.entity"

	// WandbProject is the project. Type string, resource attribute, optional.
	WandbProject = "wandb.project"
)
