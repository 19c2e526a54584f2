package semconv

func nvGPUFields() []Field {
	return []Field{
		{Name: "NVGPUIndex", Key: NVGPUIndex, Type: IntType, Where: OnResource, Fact: "gpu.index", Doc: "the index of the device on its host"},
		{Name: "NVGPUMemoryTotal", Key: NVGPUMemoryTotal, Type: IntType, Where: OnResource, Unit: "By", Doc: "the memory of the device"},
		{Name: "NVGPUUUID", Key: NVGPUUUID, Type: StringType, Where: OnResource, Fact: "gpu.uuid", Doc: "the UUID of the device"},
		{Name: "NVGPUPCIBusID", Key: NVGPUPCIBusID, Type: StringType, Where: OnResource, Doc: "the PCI bus id of the device"},
		{Name: "NVGPUSerial", Key: NVGPUSerial, Type: StringType, Where: OnResource, Doc: "the serial number of the board"},
		{Name: "NVGPUModel", Key: NVGPUModel, Type: StringType, Where: OnResource, Fact: "gpu.model", Doc: "the product name of the device"},
		{Name: "NVGPUComputeCapability", Key: NVGPUComputeCapability, Type: StringType, Where: OnResource, Doc: "the compute capability, as \"9.0\""},
		{Name: "NVGPUDriverVersion", Key: NVGPUDriverVersion, Type: StringType, Where: OnResource, Doc: "the version of the driver"},
	}
}
