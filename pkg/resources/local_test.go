package resources_test

import (
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestDetectLocal(t *testing.T) {
	got := found(t, resources.DetectLocal, machine()...)
	want := map[string]any{semconv.HostName: "node1", semconv.ProcessPID: int64(4711)}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestVisibleDevices begins with row 52 of the cases.
func TestVisibleDevices(t *testing.T) {
	for _, c := range []struct {
		list string
		want []string
	}{
		{"", nil},
		{"-1", nil},
		{"0,1,-1,2", []string{"0", "1"}},
		{"NoDevFiles", nil},
		{"GPU-8932f937", []string{"GPU-8932f937"}},
		{"MIG-GPU-8932f937/1/2", []string{"MIG-GPU-8932f937/1/2"}},
		{"0,1,", []string{"0", "1"}},
		{" 0 , 1 ", []string{"0", "1"}},
		{"  ", nil},
		{",0", nil},
		{"3,1", []string{"3", "1"}},
		{"0,0", nil}, // a repeated entry leaves none
		{"1,01", nil},
		{"00,007", []string{"0", "7"}},
		{"+2", []string{"2"}},
		{"1gpu2,2ampere", []string{"1", "2"}},
		{"0,GPU-8932f937", []string{"0"}},
		{"GPU-8932f937,0", []string{"GPU-8932f937"}},
		{"GPU-a,GPU-b,MIG-c", []string{"GPU-a", "GPU-b"}},
		{"GPU-a,GPU-a", nil},
		{"GPU-", nil},
		{"MIG-", nil},
		{"gpu-8932f937", nil},
		{"none", nil},
		{"all", nil},
		{"99999999999999999999999", []string{"99999999999999999999999"}},
	} {
		if diff := cmp.Diff(c.want, resources.VisibleDevices(c.list)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", c.list, diff)
		}
		opts := append(machine("CUDA_VISIBLE_DEVICES="+c.list), prints("0\n1\n2\n3\n", nil))
		if got := found(t, resources.DetectLocal, opts...).Attributes[resources.HostGPUCount]; got != int64(len(c.want)) {
			t.Errorf("%q counts %v devices, want %d", c.list, got, len(c.want))
		}
	}
}

// TestGPUCountOfDriver is what nvidia-smi says where CUDA_VISIBLE_DEVICES is unset.
func TestGPUCountOfDriver(t *testing.T) {
	failed := errors.New("exit status 9")
	for _, c := range []struct {
		out  string
		err  error
		want any
		ok   bool
	}{
		{"0\n1\n2\n3\n4\n5\n6\n7\n", nil, int64(8), true},
		{" 0 \r\n\n1", nil, int64(2), true},
		{"No devices were found\n", nil, nil, true},
		{"", nil, nil, true},
		{"0\n", failed, nil, false}, // what a failed command wrote is not trusted
		{"", exec.ErrNotFound, nil, true},
		{"", context.DeadlineExceeded, nil, false},
	} {
		got, err := resources.DetectLocal(t.Context(), append(machine(), prints(c.out, c.err))...)
		if got.Attributes[resources.HostGPUCount] != c.want || (err == nil) != c.ok {
			t.Errorf("%q, %v: %v, %v", c.out, c.err, got.Attributes, err)
		}
		if !c.ok && !errors.Is(err, c.err) {
			t.Errorf("%v does not wrap %v", err, c.err)
		}
		if got.Attributes[semconv.HostName] != "node1" {
			t.Error("the rest is lost")
		}
	}
}

func TestNvidiaSMIQuestion(t *testing.T) {
	var asked []string
	opts := append(machine(), resources.WithRunner(func(ctx context.Context, name string, args ...string) ([]byte, error) {
		if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > 5*time.Second {
			t.Error("nvidia-smi may take more than 5 s")
		}
		asked = append([]string{name}, args...)
		return []byte("0\n"), nil
	}))
	found(t, resources.DetectLocal, opts...)
	want := []string{"nvidia-smi", "--query-gpu=index", "--format=csv,noheader,nounits"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestLocalPartial: no host name, no count, and still a process id.
func TestLocalPartial(t *testing.T) {
	nameless, hung := errors.New("no name"), errors.New("hung")
	opts := append(machine(), prints("", hung), resources.WithHostname(func() (string, error) { return "", nameless }))
	got, err := resources.DetectLocal(t.Context(), opts...)
	if !errors.Is(err, nameless) || !errors.Is(err, hung) {
		t.Errorf("%v, want both", err)
	}
	if diff := cmp.Diff(map[string]any{semconv.ProcessPID: int64(4711)}, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestRealMachine reads the real one, whatever it is.
func TestRealMachine(t *testing.T) {
	got, err := resources.Detect(t.Context())
	if err != nil {
		t.Logf("partial: %v", err)
	}
	if got.Attributes[semconv.HostName] == nil || got.Attributes[semconv.ProcessPID] == nil {
		t.Errorf("%v", got.Attributes)
	}
}
