package resources

import (
	"context"
	"errors"
	"fmt"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// HostGPUCount is the number of GPUs the process may use. The name is the Python
// library's; upstream has none, so it is no constant of semconv. Type int in
// {gpu}, resource attribute, optional.
const HostGPUCount = "host.gpu.count"

// DetectLocal finds host.name, process.pid and host.gpu.count. The count is what
// CUDA_VISIBLE_DEVICES leaves visible (VisibleDevices), else the number of devices
// that nvidia-smi lists within 5 s. Without nvidia-smi it is absent, and that is no
// error; an nvidia-smi that fails or hangs is one.
func DetectLocal(ctx context.Context, opts ...Option) (Found, error) {
	s := newSettings(opts)
	var found Found
	name, err := s.hostname()
	if err != nil {
		err = fmt.Errorf("host name: %w", err)
	}
	found.set(semconv.HostName, valid(name))
	found.set(semconv.ProcessPID, int64(s.pid))
	count, known, failed := s.gpuCount(ctx)
	if known {
		found.set(HostGPUCount, int64(count))
	}
	return found, errors.Join(err, failed)
}

func (s *settings) gpuCount(ctx context.Context) (count int, known bool, err error) {
	if list, set := s.lookup("CUDA_VISIBLE_DEVICES"); set {
		return len(VisibleDevices(list)), true, nil
	}
	rows, err := s.smi(ctx, "index")
	for _, row := range rows {
		if _, isIndex := semconv.ParseInt(row[0]); isIndex { // "No devices were found" is none
			count++
		}
	}
	return count, count > 0, err
}
