package resources

import (
	"context"
	"io/fs"
	"regexp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DetectKubernetes finds the attributes of the pod (k8s.*) when
// KUBERNETES_SERVICE_HOST is set or /var/run/secrets/kubernetes.io exists. They are
// in the variables that the pod's manifest fills by the downward API:
// K8S_NAMESPACE, K8S_POD_NAME, K8S_POD_UID, K8S_NODE_NAME, K8S_CONTAINER_NAME and
// K8S_JOB_NAME.
//
// HOSTNAME stands in for the pod's name unless it is the node's, as it is with
// hostNetwork. A value with "$(NAME)" in it is a reference that Kubernetes could not
// resolve and left as text: it counts as unset, with a warning.
func DetectKubernetes(_ context.Context, opts ...Option) (Found, error) {
	s := newSettings(opts)
	var found Found
	if !s.inPod() {
		return found, nil
	}
	for _, v := range []struct{ key, name string }{
		{semconv.K8SNamespaceName, "K8S_NAMESPACE"},
		{semconv.K8SPodName, "K8S_POD_NAME"},
		{semconv.K8SPodUID, "K8S_POD_UID"},
		{semconv.K8SNodeName, "K8S_NODE_NAME"},
		{semconv.K8SContainerName, "K8S_CONTAINER_NAME"},
		{semconv.K8SJobName, "K8S_JOB_NAME"},
	} {
		value := s.env(v.name)
		if unresolved(value) {
			found.warn(v.key, "%s: the variable %s says %q, a reference that Kubernetes did not resolve (left out): "+
				"correct the name in the pod's manifest", v.key, v.name, value)
			continue
		}
		found.set(v.key, value)
	}
	if host := s.env("HOSTNAME"); found.Attributes[semconv.K8SPodName] == nil && host != s.env("K8S_NODE_NAME") {
		found.set(semconv.K8SPodName, host)
	}
	return found, nil
}

func (s *settings) inPod() bool {
	if s.env("KUBERNETES_SERVICE_HOST") != "" {
		return true
	}
	_, err := fs.Stat(s.root, "var/run/secrets/kubernetes.io")
	return err == nil
}

// unresolved reports a reference of Kubernetes's $(NAME) syntax in a value.
func unresolved(value string) bool {
	found, err := regexp.MatchString(`\$\([-._a-zA-Z0-9]+\)`, value)
	return found && err == nil
}
