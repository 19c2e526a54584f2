package resources_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// TestLocalRun: without Slurm and Kubernetes there is the local part alone, and a run
// id that filters this run out of all others.
func TestLocalRun(t *testing.T) {
	got := found(t, resources.Detect, machine("HOSTNAME=node1", "PATH=/bin")...)
	want := map[string]any{semconv.HostName: "node1", semconv.ProcessPID: int64(4711)}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got.Warnings)
	run := resources.RunIDFromEnv(machine()...)
	got = found(t, resources.Detect, append(machine(), resources.WithRunID(run.ID))...)
	if want := of("nemo.lens.run/local/" + run.ID + "/te0"); got.Attributes[semconv.NVDLRunUUID] != want {
		t.Errorf("the attempt of a local run is %v, want %s", got.Attributes[semconv.NVDLRunUUID], want)
	}
}

// TestMergeOrder: local, then Slurm, then Kubernetes; a later one wins. Their names
// are apart, so the collisions are made by the carrier, which Slurm takes over.
func TestMergeOrder(t *testing.T) {
	got := found(t, resources.Detect, machine("SLURM_JOB_ID=7", "TORCHELASTIC_RESTART_COUNT=1", pod, "K8S_POD_NAME=p",
		"OTEL_RESOURCE_ATTRIBUTES=nv.dl.run.uuid=u,host.name=other,k8s.pod.name=q,slurm.job.name=n")...)
	want := semconv.Compose(nil, plain(nil), map[string]any{
		semconv.HostName: "node1", semconv.ProcessPID: int64(4711), // the carrier is no part of Detect
		semconv.NVDLRunUUID: "u", semconv.SlurmJobName: "n",
		semconv.K8SPodName: "p",
	})
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMerge(t *testing.T) {
	warn := func(texts ...string) (all []semconv.Warning) {
		for _, text := range texts {
			all = append(all, semconv.Warning{Key: "k", Text: text})
		}
		return all
	}
	first := resources.Found{Attributes: map[string]any{"a": 1, "b": 1}, Warnings: warn("x", "y")}
	got := resources.Merge(first, resources.Found{Attributes: map[string]any{"b": "", "c": 3}, Warnings: warn("y", "z")})
	want := resources.Found{Attributes: map[string]any{"a": 1, "b": "", "c": 3}, Warnings: warn("x", "y", "z")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if first.Attributes["b"] != 1 {
		t.Error("a part was changed")
	}
	if got := resources.Merge(); len(got.Attributes)+len(got.Warnings) > 0 {
		t.Errorf("nothing is %v", got)
	}
}

// TestDetectPartial: what fails is named, and everything else is there.
func TestDetectPartial(t *testing.T) {
	hung := errors.New("hung")
	opts := append(machine("SLURM_JOB_ID=7", "SLURM_NTASKS=x", pod, "K8S_NAMESPACE=$(NS)", "HOSTNAME=p"), prints("", hung))
	got, err := resources.Detect(t.Context(), opts...)
	wantError(t, err, "detect local", "hung")
	if !errors.Is(err, hung) {
		t.Errorf("%v does not wrap the cause", err)
	}
	for _, key := range []string{semconv.HostName, semconv.SlurmJobID, semconv.K8SPodName} {
		if got.Attributes[key] == nil {
			t.Errorf("%s is lost", key)
		}
	}
	wantWarnings(t, got.Warnings, semconv.SlurmNTasks, semconv.K8SNamespaceName)
}

// TestOTelDetector: each detector is one of OpenTelemetry's.
func TestOTelDetector(t *testing.T) {
	for name, detect := range map[string]resources.DetectFunc{
		"all": resources.Detect, "local": resources.DetectLocal, "slurm": resources.DetectSlurm, "kubernetes": resources.DetectKubernetes,
		"gpu": resources.DetectGPU, "rank": resources.DetectRank, "attempt": resources.DetectAttempt, "labels": resources.DetectLabels, "carrier": resources.DetectCarrier,
	} {
		opts := append(machine(append(step(), pod, "K8S_POD_NAME=p", "OTEL_SERVICE_NAME=s", "OTEL_RESOURCE_ATTRIBUTES=a=1")...), prints(twoGPUs, nil), resources.WithLocalRank(0))
		want := found(t, detect, opts...)
		res, err := resource.New(t.Context(), resource.WithDetectors(resources.Detector(detect, opts...)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want.Attributes, resources.FromKeyValues(res.Attributes()...)); diff != "" || len(want.Attributes) == 0 {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if res.SchemaURL() != "" {
			t.Errorf("%s has the schema URL %s, which conflicts with others", name, res.SchemaURL())
		}
	}
}

// TestOTelPartial: OpenTelemetry keeps a partial resource, and is told the errors and
// the warnings.
func TestOTelPartial(t *testing.T) {
	opts := append(machine("SLURM_JOB_ID=7", "SLURM_NTASKS=x"), prints("", errors.New("hung")))
	res, err := resource.New(t.Context(), resource.WithAttributes(attribute.String("a", "b")), resource.WithDetectors(resources.Detector(resources.Detect, opts...)))
	if wantError(t, err, "hung", semconv.SlurmNTasks); !errors.Is(err, resource.ErrPartialResource) {
		t.Errorf("%v is not partial", err)
	}
	for _, key := range []attribute.Key{"a", semconv.HostName, semconv.SlurmJobID} {
		if _, ok := res.Set().Value(key); !ok {
			t.Errorf("%s is lost", key)
		}
	}
}

func TestKeyValues(t *testing.T) {
	type name string
	got := resources.KeyValues(map[string]any{
		"bool": true, "int": 7, "int64": int64(1)<<53 + 1, "uint8": uint8(3), "float": 0.5, "float32": float32(0.25), "whole": 2.0,
		"string": "007", "bad": "a\xff", "slice": attribute.StringSliceValue([]string{"x"}), "name": name("n"), "nil": nil, "huge": uint64(1) << 63,
	})
	want := []string{
		"bad STRING a\uFFFD", "bool BOOL true", "float FLOAT64 0.5", "float32 FLOAT64 0.25", "huge FLOAT64 9.223372036854776e+18",
		"int INT64 7", "int64 INT64 9007199254740993", "name STRING n", "nil STRING <nil>", "slice STRINGSLICE [\"x\"]", "string STRING 007",
		"uint8 INT64 3", "whole FLOAT64 2",
	}
	var have []string
	for _, kv := range got {
		have = append(have, string(kv.Key)+" "+kv.Value.Type().String()+" "+kv.Value.String())
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	again := resources.KeyValues(resources.FromKeyValues(got...))
	if len(again) != len(got) || strings.Compare(again[9].Value.String(), got[9].Value.String()) != 0 {
		t.Errorf("%v, want %v", again, got)
	}
}
