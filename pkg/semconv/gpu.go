package semconv

// The GPU of a process (nv.gpu.*): resource attributes, there only when GPU
// detection was asked for and found the device.
const (
	// NVGPUIndex is the index of the device on its host. Type int, resource
	// attribute, optional.
	NVGPUIndex = "nv.gpu.index"

	// NVGPUMemoryTotal is the memory of the device. Type int in By, resource
	// attribute, optional.
	NVGPUMemoryTotal = "nv.gpu.memory_total"

	// NVGPUUUID is the UUID of the device. Type string, resource attribute,
	// optional.
	NVGPUUUID = "nv.gpu.uuid"

	// NVGPUPCIBusID is the PCI bus id of the device. Type string, resource
	// attribute, optional.
	NVGPUPCIBusID = "nv.gpu.pci_bus_id"

	// NVGPUSerial is the serial number of the board. Type string, resource
	// attribute, optional.
	NVGPUSerial = "nv.gpu.serial"

	// NVGPUModel is the product name of the device. Type string, resource
	// attribute, optional.
	NVGPUModel = "nv.gpu.model"

	// NVGPUComputeCapability is the compute capability, as "9.0". Type string,
	// resource attribute, optional.
	NVGPUComputeCapability = "nv.gpu.compute_capability"

	// NVGPUDriverVersion is the version of the driver. Type string, resource
	// attribute, optional.
	NVGPUDriverVersion = "nv.gpu.driver_version"
)
