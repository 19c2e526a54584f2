package telemetry

import (
	"strings"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Inheritable is the attributes that hold for the processes this one starts: those
// of the run, the job and the configuration, without what is of this process alone
// (service, process, host, rank, role, GPU, container). Where nothing is exported it
// is the run id alone, and nothing when disabled.
//
//	restore, warnings, err := resources.Publish(handle.Inheritable())
//	defer restore()
//	err = exec.Command("worker").Run()
func (h *Handle) Inheritable() map[string]any {
	all := map[string]any{}
	if h == nil || !h.enabled {
		return all
	}
	for key, value := range resources.FromKeyValues(h.resource.Attributes()...) {
		if !ofProcess(key) {
			all[key] = value
		}
	}
	all[semconv.NemoRunID] = h.runID
	return all
}

// ofProcess reports whether an attribute says something of one process alone.
func ofProcess(key string) bool {
	switch key {
	case semconv.NVDLRank, semconv.NVDLLocalRank, semconv.NVDLRole, semconv.DLRank, semconv.DLLocalRank,
		semconv.NVDLWorldSize, semconv.DLWorldSize, semconv.K8SContainerName,
		semconv.DLTensorParallelRank, semconv.DLPipelineParallelRank, semconv.DLDataParallelRank:
		return true
	}
	for _, prefix := range []string{"service.", "process.", "host.", "nv.gpu.", "gym.", "telemetry."} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}
