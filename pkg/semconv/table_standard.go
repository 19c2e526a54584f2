package semconv

func standardFields() []Field {
	return []Field{
		{Name: "ServiceName", Key: ServiceName, Type: StringType, Where: OnResource, Presence: Always, Fact: "service", Doc: "the program, as it names itself"},
		{Name: "ServiceInstanceID", Key: ServiceInstanceID, Type: StringType, Where: OnResource, Presence: Always, Doc: "one process of the program"},
		{Name: "ProcessPID", Key: ProcessPID, Type: IntType, Where: OnResource, Doc: "the process id on its host"},
		{Name: "HostName", Key: HostName, Type: StringType, Where: OnResource, Presence: Always, Fact: "host", Doc: "the name of the host"},
		{Name: "K8SNamespaceName", Key: K8SNamespaceName, Type: StringType, Where: OnResource, Doc: "the namespace of the pod"},
		{Name: "K8SPodName", Key: K8SPodName, Type: StringType, Where: OnResource, Doc: "the name of the pod"},
		{Name: "K8SPodUID", Key: K8SPodUID, Type: StringType, Where: OnResource, Doc: "the UID of the pod"},
		{Name: "K8SNodeName", Key: K8SNodeName, Type: StringType, Where: OnResource, Doc: "the node the pod runs on"},
		{Name: "K8SContainerName", Key: K8SContainerName, Type: StringType, Where: OnResource, Doc: "the container within the pod"},
		{Name: "K8SJobName", Key: K8SJobName, Type: StringType, Where: OnResource, Doc: "the Kubernetes job that made the pod"},
	}
}
