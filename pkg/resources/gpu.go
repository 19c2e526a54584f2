package resources

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DetectGPU finds the identity of this rank's device (nv.gpu.*) by nvidia-smi,
// within 5 s. It is not part of Detect: a process asks for it when it uses a GPU.
//
// The device is that of the local rank (WithLocalRank, else LOCAL_RANK, else
// SLURM_LOCALID, else 0) in CUDA_VISIBLE_DEVICES, and the device with the local
// rank's index where that is unset. If one device alone is visible it is that one,
// whatever the local rank: Slurm's --gpus-per-task gives each task a list of its
// own. An index counts in nvidia-smi's order, that of the PCI bus.
//
// Of a MIG device named by its own UUID only that is found; one named by its GPU
// and instances (MIG-GPU-<uuid>/<gi>/<ci>) has the identity of its GPU. Memory is in
// bytes, to the MiB that nvidia-smi tells. What the device does not tell is absent.
func DetectGPU(ctx context.Context, opts ...Option) (Found, error) {
	s := newSettings(opts)
	device, ok, err := s.ownDevice()
	if !ok {
		return Found{}, err
	}
	if strings.HasPrefix(device, "MIG-") && !strings.HasPrefix(device, "MIG-GPU-") {
		return Found{Attributes: map[string]any{semconv.NVGPUUUID: device}}, nil
	}
	rows, err := s.smiIdentity(ctx)
	for _, row := range rows {
		if isDevice(row, device) {
			return identity(row), err
		}
	}
	var none Found
	if len(rows) > 0 {
		none.warn(semconv.NVGPUUUID, "%s: nvidia-smi lists %d devices, and %q, which CUDA_VISIBLE_DEVICES and the local rank say, is none of them",
			semconv.NVGPUUUID, len(rows), device)
	}
	return none, err
}

// ownDevice is the index or UUID of this rank's device.
func (s *settings) ownDevice() (device string, ok bool, err error) {
	rank, _, err := s.deviceRank()
	if err != nil {
		return "", false, err
	}
	list, set := s.lookup("CUDA_VISIBLE_DEVICES")
	if !set {
		return strconv.Itoa(rank), true, nil
	}
	visible := VisibleDevices(list)
	switch {
	case len(visible) == 1:
		return visible[0], true, nil
	case rank < len(visible):
		return visible[rank], true, nil
	case len(visible) > 0:
		return "", false, fmt.Errorf("gpu: local rank %d has no device: CUDA_VISIBLE_DEVICES leaves %d visible", rank, len(visible))
	}
	return "", false, nil
}

func (s *settings) deviceRank() (rank int, ok bool, err error) {
	if s.localRank == nil {
		return s.localRankFromEnv()
	}
	if *s.localRank < 0 {
		return 0, false, fmt.Errorf("gpu: local rank %d is negative: give one from 0, or none", *s.localRank)
	}
	return *s.localRank, true, nil
}

// isDevice compares by index, or by UUID as CUDA does, which a beginning suffices.
func isDevice(row []string, device string) bool {
	if uuid, ok := strings.CutPrefix(device, "MIG-"); ok {
		device, _, _ = strings.Cut(uuid, "/")
	}
	if strings.HasPrefix(device, "GPU-") {
		return strings.HasPrefix(row[uuidColumn], device)
	}
	return row[indexColumn] == device
}
