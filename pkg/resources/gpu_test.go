package resources_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

const twoGPUs = `0, GPU-8932f937-d72c-4106-c12f-20bd9faed9f6, 00000000:07:00.0, 1321020012345, NVIDIA H100 80GB HBM3, 550.54.15, 81559, 9.0
1, GPU-5a5a0001-d72c-4106-c12f-20bd9faed9f6, 00000000:0B:00.0, [N/A], NVIDIA H100 80GB HBM3, 550.54.15, [N/A], 9.0
`

func h100() map[string]any {
	return map[string]any{
		semconv.NVGPUIndex:             int64(0),
		semconv.NVGPUUUID:              "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
		semconv.NVGPUPCIBusID:          "00000000:07:00.0",
		semconv.NVGPUSerial:            "1321020012345",
		semconv.NVGPUModel:             "NVIDIA H100 80GB HBM3",
		semconv.NVGPUDriverVersion:     "550.54.15",
		semconv.NVGPUMemoryTotal:       int64(81559) << 20,
		semconv.NVGPUComputeCapability: "9.0",
	}
}

func second() map[string]any { // what it does not tell is absent
	return map[string]any{
		semconv.NVGPUIndex:             int64(1),
		semconv.NVGPUUUID:              "GPU-5a5a0001-d72c-4106-c12f-20bd9faed9f6",
		semconv.NVGPUPCIBusID:          "00000000:0B:00.0",
		semconv.NVGPUModel:             "NVIDIA H100 80GB HBM3",
		semconv.NVGPUDriverVersion:     "550.54.15",
		semconv.NVGPUComputeCapability: "9.0",
	}
}

func TestDetectGPU(t *testing.T) {
	for _, c := range []struct {
		why  string
		env  []string
		want map[string]any
	}{
		{"nothing said", nil, h100()},
		{"by LOCAL_RANK", []string{"LOCAL_RANK=1", "SLURM_LOCALID=0"}, second()},
		{"by SLURM_LOCALID", []string{"LOCAL_RANK=", "SLURM_LOCALID=1"}, second()},
		{"looked up in the list", []string{"LOCAL_RANK=0", "CUDA_VISIBLE_DEVICES=1,0"}, second()},
		{"by the beginning of a UUID", []string{"CUDA_VISIBLE_DEVICES=GPU-5a5a"}, second()},
		{"one device alone is the one", []string{"LOCAL_RANK=5", "CUDA_VISIBLE_DEVICES=1"}, second()},
		{"the GPU of a MIG device", []string{"CUDA_VISIBLE_DEVICES=MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/2"}, h100()},
		{"a MIG device by itself", []string{"CUDA_VISIBLE_DEVICES=MIG-b9ab-1"}, map[string]any{semconv.NVGPUUUID: "MIG-b9ab-1"}},
		{"no device for this process", []string{"CUDA_VISIBLE_DEVICES="}, nil},
		{"nor here", []string{"CUDA_VISIBLE_DEVICES=-1"}, nil},
	} {
		got := found(t, resources.DetectGPU, append(machine(c.env...), prints(twoGPUs, nil))...)
		if diff := cmp.Diff(c.want, got.Attributes); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, diff)
		}
		wantWarnings(t, got.Warnings)
	}
	got := found(t, resources.DetectGPU, append(machine("LOCAL_RANK=0"), prints(twoGPUs, nil), resources.WithLocalRank(1))...)
	if diff := cmp.Diff(second(), got.Attributes); diff != "" {
		t.Errorf("the rank as given (-want +got)\n%s", diff)
	}
}

// TestDetectGPUNone: no GPU, no driver, no list of it.
func TestDetectGPUNone(t *testing.T) {
	if got := found(t, resources.DetectGPU, machine()...); len(got.Attributes)+len(got.Warnings) > 0 {
		t.Errorf("%+v", got)
	}
	got := found(t, resources.DetectGPU, append(machine("LOCAL_RANK=7"), prints(twoGPUs, nil))...)
	wantWarnings(t, got.Warnings, `"7"`)
	for _, out := range []string{"No devices were found\n", "\n", "0, GPU-1\n", strings.Repeat(",", 7) + "\n"} {
		if got := found(t, resources.DetectGPU, append(machine(), prints(out, nil))...); len(got.Attributes) > 0 {
			t.Errorf("%q: %v", out, got.Attributes)
		}
	}
}

func TestDetectGPUErrors(t *testing.T) {
	failed := errors.New("exit status 9")
	for _, c := range []struct {
		why  string
		opts []resources.Option
		says string
	}{
		{"no number", []resources.Option{variables("LOCAL_RANK=x")}, "LOCAL_RANK"},
		{"negative", []resources.Option{variables(), resources.WithLocalRank(-1)}, "-1"},
		{"more ranks than devices", []resources.Option{variables("LOCAL_RANK=2", "CUDA_VISIBLE_DEVICES=0,1")}, "2 visible"},
		{"the driver fails", []resources.Option{variables(), prints("", failed)}, failed.Error()},
	} {
		got, err := resources.DetectGPU(t.Context(), append(machine(), c.opts...)...)
		if wantError(t, err, c.says); len(got.Attributes) > 0 {
			t.Errorf("%s: %v", c.why, got.Attributes)
		}
	}
}

// TestOldDriver: one that does not know compute_cap refuses the whole question.
func TestOldDriver(t *testing.T) {
	run := resources.WithRunner(func(_ context.Context, _ string, args ...string) ([]byte, error) {
		if strings.Contains(args[0], "compute_cap") {
			return nil, errors.New("exit status 2")
		}
		return []byte("0, GPU-1, 00000000:07:00.0, 1, Tesla V100, 418.87, 16130\n"), nil
	})
	got := found(t, resources.DetectGPU, append(machine(), run)...)
	want := map[string]any{
		semconv.NVGPUIndex: int64(0), semconv.NVGPUUUID: "GPU-1", semconv.NVGPUPCIBusID: "00000000:07:00.0", semconv.NVGPUSerial: "1",
		semconv.NVGPUModel: "Tesla V100", semconv.NVGPUDriverVersion: "418.87", semconv.NVGPUMemoryTotal: int64(16130) << 20,
	}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestNotAsked: GPU identity is no part of Detect.
func TestNotAsked(t *testing.T) {
	got := found(t, resources.Detect, append(machine(), prints(twoGPUs, nil))...)
	for key := range got.Attributes {
		if strings.HasPrefix(key, "nv.gpu.") {
			t.Errorf("%s was not asked for", key)
		}
	}
}
