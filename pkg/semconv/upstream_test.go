package semconv_test

import (
	"testing"

	"github.com/beamline-hpc/lensview/pkg/semconv"
	before "go.opentelemetry.io/otel/semconv/v1.28.0"
	after "go.opentelemetry.io/otel/semconv/v1.30.0"
	newer "go.opentelemetry.io/otel/semconv/v1.37.0"
)

// TestUpstreamNames holds the upstream names against OpenTelemetry's own Go
// constants. These have no 1.29.0: what is in the releases before and after it
// is in it.
func TestUpstreamNames(t *testing.T) {
	upstream := map[string][2]string{
		semconv.GenAIOperationName: {string(before.GenAIOperationNameKey), string(after.GenAIOperationNameKey)},
		semconv.GenAIRequestModel:  {string(before.GenAIRequestModelKey), string(after.GenAIRequestModelKey)},
		semconv.GenAITokenType:     {string(before.GenAITokenTypeKey), string(after.GenAITokenTypeKey)},
		semconv.HostName:           {string(before.HostNameKey), string(after.HostNameKey)},
		semconv.ProcessPID:         {string(before.ProcessPIDKey), string(after.ProcessPIDKey)},
		semconv.ServiceName:        {string(before.ServiceNameKey), string(after.ServiceNameKey)},
		semconv.ServiceInstanceID:  {string(before.ServiceInstanceIDKey), string(after.ServiceInstanceIDKey)},
		semconv.K8SNamespaceName:   {string(before.K8SNamespaceNameKey), string(after.K8SNamespaceNameKey)},
		semconv.K8SPodName:         {string(before.K8SPodNameKey), string(after.K8SPodNameKey)},
		semconv.K8SPodUID:          {string(before.K8SPodUIDKey), string(after.K8SPodUIDKey)},
		semconv.K8SNodeName:        {string(before.K8SNodeNameKey), string(after.K8SNodeNameKey)},
		semconv.K8SContainerName:   {string(before.K8SContainerNameKey), string(after.K8SContainerNameKey)},
		semconv.K8SJobName:         {string(before.K8SJobNameKey), string(after.K8SJobNameKey)},
		// Upstream has this name since 1.37.0: see docs/semconv.md.
		semconv.GenAIProviderName: {string(newer.GenAIProviderNameKey), string(newer.GenAIProviderNameKey)},
	}
	for key, want := range upstream {
		if key != want[0] || key != want[1] {
			t.Errorf("%s is %s and %s upstream", key, want[0], want[1])
		}
	}
	for _, f := range semconv.Fields() {
		if ns, _ := semconv.NamespaceOf(f.Key); ns.Upstream && upstream[f.Key] == ([2]string{}) {
			t.Errorf("%s is not held against upstream", f.Key)
		}
	}
}
