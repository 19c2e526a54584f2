package resources

import (
	"context"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DeploymentEnvironment is the stage that a program is deployed in, as
// "production", in the spelling of upstream before 1.27 that the Python library
// writes. Type string, resource attribute, optional.
const DeploymentEnvironment = "deployment.environment"

// DetectLabels finds what the environment calls the process: service.name in
// OTEL_SERVICE_NAME, deployment.environment in DEPLOYMENT_ENV, else ENVIRONMENT, and
// wandb.entity and wandb.project in WANDB_ENTITY and WANDB_PROJECT. Unlike what the
// other detectors find, these go before the carrier: somebody has set them for this
// process.
func DetectLabels(_ context.Context, opts ...Option) (Found, error) {
	s := newSettings(opts)
	var found Found
	found.set(semconv.ServiceName, s.env("OTEL_SERVICE_NAME"))
	found.set(DeploymentEnvironment, s.env("DEPLOYMENT_ENV", "ENVIRONMENT"))
	found.set(semconv.WandbEntity, s.env("WANDB_ENTITY"))
	found.set(semconv.WandbProject, s.env("WANDB_PROJECT"))
	return found, nil
}
