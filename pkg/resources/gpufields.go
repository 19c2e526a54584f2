package resources

import (
	"context"
	"strings"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

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

// identity is the attributes of one device.
func identity(row []string) Found {
	attrs := map[string]any{}
	for i, f := range smiFields()[:len(row)] {
		switch cell := row[i]; {
		case !tells(cell):
		case f.key == semconv.NVGPUMemoryTotal:
			if mib, ok := semconv.ParseInt(cell); ok && 0 < mib && mib < 1<<40 {
				attrs[f.key] = mib << 20
			}
		default:
			attrs[f.key] = cell
		}
	}
	return normalized(attrs, semconv.GPUTypes())
}

// tells is false for nvidia-smi's ways to say that there is nothing, as "[N/A]",
// "N/A" and "[Not Supported]".
func tells(cell string) bool {
	return cell != "" && cell != "N/A" && !(strings.HasPrefix(cell, "[") && strings.HasSuffix(cell, "]"))
}
