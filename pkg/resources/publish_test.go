package resources_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestPublishTo(t *testing.T) {
	for _, c := range []struct{ why, before, during string }{
		{"absent", "", "OTEL_RESOURCE_ATTRIBUTES=k=v"},
		{"empty", "OTEL_RESOURCE_ATTRIBUTES=", "OTEL_RESOURCE_ATTRIBUTES=k=v"},
		{"set", "OTEL_RESOURCE_ATTRIBUTES= a = x+y ,k=old,bad", "OTEL_RESOURCE_ATTRIBUTES=a=x%2By,k=v"},
	} {
		env := environment(c.before)
		restore, _, err := resources.PublishTo(env, map[string]any{"k": "v"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(environment(c.during), env); diff != "" {
			t.Errorf("%s, published (-want +got)\n%s", c.why, diff)
		}
		if err := restore(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(environment(c.before), env); diff != "" {
			t.Errorf("%s, restored (-want +got)\n%s", c.why, diff)
		}
	}
}

// TestPublishNested: a second call of restore must not undo what came later.
func TestPublishNested(t *testing.T) {
	env := environment("OTEL_RESOURCE_ATTRIBUTES=a=1")
	outer, _, _ := resources.PublishTo(env, map[string]any{"a": 2})
	inner, _, _ := resources.PublishTo(env, map[string]any{"a": 3})
	for _, step := range []struct {
		do   func() error
		want string
	}{{inner, "a=2"}, {outer, "a=1"}, {inner, "a=1"}, {outer, "a=1"}} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got := env[resources.CarrierVariable]; got != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
}

// stubborn is an environment that refuses to be changed.
type stubborn struct{ resources.MapEnvironment }

var errStubborn = errors.New("read only")

func (stubborn) Setenv(string, string) error { return errStubborn }
func (stubborn) Unsetenv(string) error       { return errStubborn }

func TestPublishRefused(t *testing.T) {
	restore, _, err := resources.PublishTo(stubborn{environment()}, map[string]any{"k": "v"})
	wantError(t, err, resources.CarrierVariable)
	if !errors.Is(err, errStubborn) || restore() != nil {
		t.Errorf("%v, and restore must do nothing", err)
	}
}

// half can be set and never unset.
type half struct{ resources.MapEnvironment }

func (half) Unsetenv(string) error { return errStubborn }

func TestRestoreRefused(t *testing.T) {
	restore, _, err := resources.PublishTo(half{environment()}, map[string]any{"k": "v"})
	if err != nil {
		t.Fatal(err)
	}
	if err := restore(); !errors.Is(err, errStubborn) {
		t.Errorf("%v, want why the variable stays", err)
	}
}

// TestPublishTooLong: with such a variable no child would start at all.
func TestPublishTooLong(t *testing.T) {
	env := environment("OTEL_RESOURCE_ATTRIBUTES=a=1")
	_, _, err := resources.PublishTo(env, map[string]any{"k": strings.Repeat("x", 1<<17)})
	wantError(t, err, "publish fewer")
	if diff := cmp.Diff(environment("OTEL_RESOURCE_ATTRIBUTES=a=1"), env); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	restore, _, err := resources.PublishTo(env, map[string]any{"k": strings.Repeat("x", 1<<17-40)})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("true")
	cmd.Env = []string{resources.CarrierVariable + "=" + env[resources.CarrierVariable]}
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a carrier that was published starts no child: %v", err)
	}
	if err := restore(); err != nil {
		t.Error(err)
	}
}

func TestMapEnvironment(t *testing.T) {
	env := resources.MapEnvironment{}
	for _, c := range []struct{ name, value string }{{"", "v"}, {"a=b", "v"}, {"a\x00", "v"}, {"a", "\x00"}} {
		wantError(t, env.Setenv(c.name, c.value), fmt.Sprintf("%q", c.name))
	}
	if err := env.Setenv("a", ""); err != nil {
		t.Error(err)
	}
	if v, set := env.LookupEnv("a"); v != "" || !set {
		t.Errorf("%q, %v: empty is not absent", v, set)
	}
	if err := env.Unsetenv("a"); err != nil || len(env) > 0 {
		t.Errorf("%v, %v", err, env)
	}
}

// TestProcessBoundary starts a second process, as a launcher would: the integers of
// the table and nemo.run.id "007" must be there what they were here.
func TestProcessBoundary(t *testing.T) {
	attrs := map[string]any{semconv.NemoRunID: "007"}
	for key := range semconv.ResourceTypes() {
		attrs[key] = int64(1)<<62 + 1
	}
	env := environment()
	if _, _, err := resources.PublishTo(env, attrs); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestChild$", "-test.v")
	cmd.Env = []string{"RESOURCES_TEST_CHILD=1", resources.CarrierVariable + "=" + env[resources.CarrierVariable]}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, kv := range resources.KeyValues(attrs) {
		if !strings.Contains(string(out), childLine(kv)) {
			t.Errorf("the child did not find %q", childLine(kv))
		}
	}
	if n := strings.Count(string(out), "child: "); n != len(attrs) {
		t.Errorf("the child found %d attributes, want %d:\n%s", n, len(attrs), out)
	}
}

// TestChild is the other process of TestProcessBoundary: it says what it found by
// OpenTelemetry's detector and with which type, as an exporter would see it.
func TestChild(t *testing.T) {
	if os.Getenv("RESOURCES_TEST_CHILD") == "" {
		t.Skip("only for TestProcessBoundary")
	}
	res, err := resources.Detector(resources.DetectCarrier).Detect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range res.Attributes() {
		fmt.Println(childLine(kv))
	}
	publishHere(t)
}

// publishHere changes the environment of this process, which is the child's.
func publishHere(t *testing.T) {
	t.Helper()
	before := os.Getenv(resources.CarrierVariable)
	restore, _, err := resources.Publish(map[string]any{semconv.NVDLRole: "worker"})
	if err != nil {
		t.Fatal(err)
	}
	if role := found(t, resources.DetectCarrier).Attributes[semconv.NVDLRole]; role != "worker" {
		t.Errorf("the role is %v", role)
	}
	if err := restore(); err != nil || os.Getenv(resources.CarrierVariable) != before {
		t.Errorf("%v, %q; want %q back", err, os.Getenv(resources.CarrierVariable), before)
	}
	if err := os.Unsetenv(resources.CarrierVariable); err != nil {
		t.Fatal(err)
	}
	restore, _, err = resources.Publish(map[string]any{semconv.NVDLRole: "worker"})
	if _, set := os.LookupEnv(resources.CarrierVariable); err != nil || !set {
		t.Errorf("%v, %v", err, set)
	}
	if err := restore(); err != nil {
		t.Fatal(err)
	}
	if value, set := os.LookupEnv(resources.CarrierVariable); set {
		t.Errorf("%q, want it absent again", value)
	}
}

func childLine(kv attribute.KeyValue) string {
	return fmt.Sprintf("child: %s %v %s.", kv.Key, kv.Value.Type(), kv.Value.String())
}
