package resources_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

const pod = "KUBERNETES_SERVICE_HOST=10.0.0.1"

// TestPodName begins with row 51 of the cases.
func TestPodName(t *testing.T) {
	for _, c := range []struct {
		why   string
		env   []string
		want  any
		warns []string
	}{
		{"hostNetwork: the host's name is the node's", []string{pod, "HOSTNAME=gpu-17", "K8S_NODE_NAME=gpu-17"}, nil, nil},
		{"an unresolved reference", []string{pod, "HOSTNAME=gpu-17", "K8S_NODE_NAME=gpu-17", "K8S_POD_NAME=$(POD_NAME)"}, nil, []string{"$(POD_NAME)"}},
		{"the manifest says it", []string{pod, "HOSTNAME=gpu-17", "K8S_NODE_NAME=gpu-17", "K8S_POD_NAME=trainer-0"}, "trainer-0", nil},
		{"no pod at all", []string{"HOSTNAME=gpu-17"}, nil, nil},
		{"HOSTNAME stands in", []string{pod, "HOSTNAME=trainer-0", "K8S_NODE_NAME=gpu-17"}, "trainer-0", nil},
		{"also where the node is unknown", []string{pod, "HOSTNAME=trainer-0"}, "trainer-0", nil},
		{"and where the reference is useless", []string{pod, "HOSTNAME=trainer-0", "K8S_POD_NAME=$(POD_NAME)"}, "trainer-0", []string{"K8S_POD_NAME"}},
		{"an empty name is none", []string{pod, "HOSTNAME=trainer-0", "K8S_POD_NAME="}, "trainer-0", nil},
		{"no HOSTNAME either", []string{pod}, nil, nil},
	} {
		got := found(t, resources.DetectKubernetes, machine(c.env...)...)
		if got.Attributes[semconv.K8SPodName] != c.want {
			t.Errorf("%s: %v, want %v", c.why, got.Attributes, c.want)
		}
		wantWarnings(t, got.Warnings, c.warns...)
	}
}

func TestDetectKubernetes(t *testing.T) {
	env := []string{
		"K8S_NAMESPACE=research", "K8S_POD_NAME=trainer-0", "K8S_POD_UID=1-2-3", "K8S_NODE_NAME=gpu-17", "K8S_CONTAINER_NAME=main", "K8S_JOB_NAME=pretrain",
	}
	want := map[string]any{
		semconv.K8SNamespaceName: "research", semconv.K8SPodName: "trainer-0", semconv.K8SPodUID: "1-2-3",
		semconv.K8SNodeName: "gpu-17", semconv.K8SContainerName: "main", semconv.K8SJobName: "pretrain",
	}
	secrets := resources.WithRoot(fstest.MapFS{"var/run/secrets/kubernetes.io/serviceaccount/namespace": {Data: []byte("research")}})
	for _, opts := range [][]resources.Option{
		machine(append(env, pod)...),
		append(machine(env...), secrets),
	} {
		got := found(t, resources.DetectKubernetes, opts...)
		if diff := cmp.Diff(want, got.Attributes); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	if got := found(t, resources.DetectKubernetes, machine(env...)...); len(got.Attributes) > 0 {
		t.Errorf("outside of a pod: %v", got.Attributes)
	}
	if got := found(t, resources.DetectKubernetes, machine("KUBERNETES_SERVICE_HOST=", "HOSTNAME=h")...); len(got.Attributes) > 0 {
		t.Errorf("an empty variable is unset: %v", got.Attributes)
	}
}

// TestUnresolvedReferences are told one by one, for each variable.
func TestUnresolvedReferences(t *testing.T) {
	got := found(t, resources.DetectKubernetes, machine(pod, "K8S_NAMESPACE=$(NS)", "K8S_POD_NAME=$( POD )", "K8S_NODE_NAME=a-$(N.x)-b", "K8S_JOB_NAME=$()")...)
	want := map[string]any{semconv.K8SPodName: "$( POD )", semconv.K8SJobName: "$()"} // no references, so their own fault
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got.Warnings, semconv.K8SNamespaceName, semconv.K8SNodeName)
}
