package resources

import (
	"context"
	"errors"
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
	var found Found
	if strings.HasPrefix(device, "MIG-") && !strings.HasPrefix(device, "MIG-GPU-") {
		found.set(semconv.NVGPUUUID, device)
		return found, err
	}
	rows, failed := s.smiIdentity(ctx)
	for _, row := range rows {
		if isDevice(row, device) {
			found, w := identity(row)
			return Found{Attributes: found, Warnings: w}, joined(err, failed)
		}
	}
	if len(rows) > 0 {
		found.warn(semconv.NVGPUUUID, "nvidia-smi does not list the device %q of CUDA_VISIBLE_DEVICES and the local rank among its %d", device, len(rows))
	}
	return found, joined(err, failed)
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

// The columns of smiIdentity.
const (
	indexColumn = iota
	uuidColumn
)

// smiField is a field of nvidia-smi with the attribute it fills.
type smiField struct{ field, key string }

func smiFields() []smiField {
	return []smiField{
		{"index", semconv.NVGPUIndex},
		{"uuid", semconv.NVGPUUUID},
		{"pci.bus_id", semconv.NVGPUPCIBusID},
		{"serial", semconv.NVGPUSerial},
		{"name", semconv.NVGPUModel},
		{"driver_version", semconv.NVGPUDriverVersion},
		{"memory.total", semconv.NVGPUMemoryTotal},
		{"compute_cap", semconv.NVGPUComputeCapability}, // the last: drivers before 470 do not know it
	}
}

// smiIdentity asks again without compute_cap if the driver refuses it.
func (s *settings) smiIdentity(ctx context.Context) ([][]string, error) {
	var names []string
	for _, f := range smiFields() {
		names = append(names, f.field)
	}
	ctx, cancel := context.WithTimeout(ctx, smiLimit)
	defer cancel()
	rows, err := s.smi(ctx, names...)
	if err != nil && ctx.Err() == nil {
		return s.smi(ctx, names[:len(names)-1]...)
	}
	return rows, err
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

func identity(row []string) (map[string]any, []semconv.Warning) {
	attrs := map[string]any{}
	for i, f := range smiFields()[:len(row)] {
		switch cell := row[i]; {
		case !tells(cell):
		case f.key == semconv.NVGPUMemoryTotal:
			if mib, ok := semconv.ParseInt(cell); ok && mib < 1<<40 {
				attrs[f.key] = mib << 20
			}
		default:
			attrs[f.key] = cell
		}
	}
	return semconv.Normalize(attrs, semconv.GPUTypes())
}

// tells is false for nvidia-smi's ways to say that there is nothing, as "[N/A]",
// "N/A" and "[Not Supported]".
func tells(cell string) bool {
	return cell != "" && cell != "N/A" && !(strings.HasPrefix(cell, "[") && strings.HasSuffix(cell, "]"))
}

func joined(errs ...error) error { return errors.Join(errs...) }
