package resources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// TestPrecedence is row 46 of the cases, from variables to the resource.
func TestPrecedence(t *testing.T) {
	for _, c := range []struct {
		why      string
		env      []string
		explicit map[string]any
		key      string
		want     any
	}{
		{"the variable before the carrier", []string{"OTEL_SERVICE_NAME=a", "OTEL_RESOURCE_ATTRIBUTES=service.name=b"}, nil, semconv.ServiceName, "a"},
		{"the carrier alone", []string{"OTEL_RESOURCE_ATTRIBUTES=service.name=b"}, nil, semconv.ServiceName, "b"},
		{"an option before what is detected", nil, map[string]any{semconv.HostName: "x"}, semconv.HostName, "x"},
		{"an option before both", []string{"OTEL_SERVICE_NAME=a", "OTEL_RESOURCE_ATTRIBUTES=service.name=b"},
			map[string]any{semconv.ServiceName: "c"}, semconv.ServiceName, "c"},
		{"the carrier before what is detected", []string{"OTEL_RESOURCE_ATTRIBUTES=host.name=y"}, nil, semconv.HostName, "y"},
		{"detected before the default", nil, nil, semconv.HostName, "node1"},
		{"the default last", nil, nil, semconv.ServiceName, "nemo"},
		{"an empty variable is unset", []string{"OTEL_SERVICE_NAME=", "OTEL_RESOURCE_ATTRIBUTES=service.name=b"}, nil, semconv.ServiceName, "b"},
		{"an empty option blanks", nil, map[string]any{semconv.HostName: ""}, semconv.HostName, ""},
		{"so does an empty pair", []string{"OTEL_RESOURCE_ATTRIBUTES=host.name="}, nil, semconv.HostName, ""},
		{"the launcher's job before an option", []string{"OTEL_RESOURCE_ATTRIBUTES=slurm.job.id=7"}, map[string]any{semconv.SlurmJobID: "9"}, semconv.SlurmJobID, "7"},
		{"and its attempt", []string{"OTEL_RESOURCE_ATTRIBUTES=nv.dl.run.uuid=u"}, map[string]any{semconv.NVDLRunUUID: "v"}, semconv.NVDLRunUUID, "u"},
		{"an option before the detected job", []string{"SLURM_JOB_ID=7"}, map[string]any{semconv.SlurmJobID: "9"}, semconv.SlurmJobID, "9"},
		{"also beside an empty pair", []string{"OTEL_RESOURCE_ATTRIBUTES=slurm.job.id="}, map[string]any{semconv.SlurmJobID: "9"}, semconv.SlurmJobID, "9"},
		{"an invalid count of the carrier is none", []string{"SLURM_JOB_ID=7", "SLURM_NTASKS=4", "OTEL_RESOURCE_ATTRIBUTES=slurm.ntasks=x"}, nil, semconv.SlurmNTasks, int64(4)},
		{"an option before the run id of the carrier", []string{"OTEL_RESOURCE_ATTRIBUTES=nemo.run.id=a"}, map[string]any{semconv.NemoRunID: "b"}, semconv.NemoRunID, "b"},
		{"a label of this process before the carrier", []string{"DEPLOYMENT_ENV=prod", "ENVIRONMENT=dev", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment=x"},
			nil, resources.DeploymentEnvironment, "prod"},
	} {
		opts := machine(c.env...)
		got := resources.Layers{
			Explicit:    c.explicit,
			Environment: found(t, resources.DetectLabels, opts...).Attributes,
			Carrier:     found(t, resources.DetectCarrier, opts...).Attributes,
			Detected:    found(t, resources.Detect, opts...).Attributes,
			Default:     map[string]any{semconv.ServiceName: "nemo"},
		}.Merge()[c.key]
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.why, got, c.want)
		}
	}
}

func TestMergeTouchesNoLayer(t *testing.T) {
	layers := resources.Layers{Carrier: map[string]any{"a": 1, semconv.SlurmJobID: "7"}, Explicit: map[string]any{"a": 2}}
	if diff := cmp.Diff(map[string]any{"a": 2, semconv.SlurmJobID: "7"}, layers.Merge()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if layers.Carrier["a"] != 1 || len(layers.Explicit) != 1 {
		t.Errorf("%v", layers)
	}
	if got := (resources.Layers{}).Merge(); len(got) > 0 {
		t.Errorf("from nothing: %v", got)
	}
}

func TestDetectLabels(t *testing.T) {
	got := found(t, resources.DetectLabels, variables("OTEL_SERVICE_NAME= loader ", "ENVIRONMENT=dev", "WANDB_ENTITY=lab", "WANDB_PROJECT=gpt"))
	want := map[string]any{
		semconv.ServiceName: "loader", resources.DeploymentEnvironment: "dev", semconv.WandbEntity: "lab", semconv.WandbProject: "gpt",
	}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := found(t, resources.DetectLabels, variables("DEPLOYMENT_ENV=", "WANDB_ENTITY=")); len(got.Attributes) > 0 {
		t.Errorf("from nothing: %v", got.Attributes)
	}
}
