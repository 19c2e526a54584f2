package semconv

// Names of upstream OpenTelemetry for the process, its host and its Kubernetes
// pod, followed exactly and stable there. The k8s.* names are there only
// inside a pod whose manifest passes them on.
const (
	// ServiceName is the program, as it names itself. Type string, resource
	// attribute, always there.
	ServiceName = "service.name"

	// ServiceInstanceID is one process of the program. Type string, resource
	// attribute, always there.
	ServiceInstanceID = "service.instance.id"

	// ProcessPID is the process id on its host. Type int, resource attribute,
	// optional.
	ProcessPID = "process.pid"

	// HostName is the name of the host. Type string, resource attribute, always
	// there.
	HostName = "host.name"

	// K8SNamespaceName is the namespace of the pod. Type string, resource
	// attribute, optional.
	K8SNamespaceName = "k8s.namespace.name"

	// K8SPodName is the name of the pod. Type string, resource attribute,
	// optional.
	K8SPodName = "k8s.pod.name"

	// K8SPodUID is the UID of the pod. Type string, resource attribute, optional.
	K8SPodUID = "k8s.pod.uid"

	// K8SNodeName is the node the pod runs on. Type string, resource attribute,
	// optional.
	K8SNodeName = "k8s.node.name"

	// K8SContainerName is the container within the pod. Type string, resource
	// attribute, optional.
	K8SContainerName = "k8s.container.name"

	// K8SJobName is the Kubernetes job that made the pod. Type string, resource
	// attribute, optional.
	K8SJobName = "k8s.job.name"
)
