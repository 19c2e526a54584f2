package telemetry_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

func TestConfigFromLookup(t *testing.T) {
	all := func(prefix string) []string {
		return []string{
			prefix + "_ENABLED= True ", prefix + "_EXPORT_STRATEGY=sampled", prefix + "_EXPORT_RANK=3",
			prefix + "_EXPORT_SAMPLE_RATE=0.25", prefix + "_SAMPLER_ENABLED=on", prefix + "_TRACES_ENABLED=NO",
			prefix + "_METRICS_ENABLED=off", prefix + "_LOGS_ENABLED=yes", prefix + "_SPAN_GROUPS=per_step",
			prefix + "_EXPORTER=Console", prefix + "_RUN_ID=007", prefix + "_USER_ID=me",
		}
	}
	want := telemetry.Config{
		Enabled: true, ExportStrategy: "sampled", ExportRank: 3, ExportSampleRate: 0.25, SamplerEnabled: true,
		LogsEnabled: true, SpanGroups: "per_step", Exporter: "console", RunID: "007", UserID: "me",
	}
	tests := []struct {
		name     string
		env      []string
		prefixes []string
		want     telemetry.Config
	}{
		{"nothing", nil, nil, telemetry.DefaultConfig()},
		{"empty is unset", []string{"NEMO_LENS_ENABLED=", "NEMO_LENS_EXPORT_RANK= "}, nil, telemetry.DefaultConfig()},
		{"all", all("NEMO_LENS"), nil, want},
		{"own prefix", all("MEGATRON_OTEL"), []string{"MEGATRON_OTEL", "NEMO_LENS"}, want},
		{"fallback", all("NEMO_LENS"), []string{"MEGATRON_OTEL", "NEMO_LENS"}, want},
		{"other prefix", all("OTHER"), nil, telemetry.DefaultConfig()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := telemetry.ConfigFromLookup(env(tt.env...), tt.prefixes...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPrefixesMix: each variable is looked for on its own, and the first prefix
// counts, even where the second has another value.
func TestPrefixesMix(t *testing.T) {
	c, err := telemetry.ConfigFromLookup(env("A_RUN_ID=a", "B_RUN_ID=b", "A_USER_ID=", "B_USER_ID=u", "A_ENABLED=0", "B_ENABLED=1"), "A", "B")
	if err != nil || c.RunID != "a" || c.UserID != "u" || c.Enabled {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestConfigRefuses: errors name the variable and the legal words.
func TestConfigRefuses(t *testing.T) {
	tests := []struct{ pair, legal string }{
		{"NEMO_LENS_ENABLED=maybe", "true"}, {"NEMO_LENS_ENABLED=2", "off"}, {"NEMO_LENS_LOGS_ENABLED=ja", "yes"},
		{"NEMO_LENS_EXPORT_SAMPLE_RATE=NaN", "from 0 to 1"}, {"NEMO_LENS_EXPORT_SAMPLE_RATE=0,5", "from 0 to 1"},
		{"NEMO_LENS_EXPORT_SAMPLE_RATE=1.0000001", "from 0 to 1"}, {"NEMO_LENS_EXPORT_SAMPLE_RATE=-0.1", "from 0 to 1"},
		{"NEMO_LENS_EXPORT_SAMPLE_RATE=0x1p-1", "from 0 to 1"}, {"NEMO_LENS_EXPORT_SAMPLE_RATE=inf", "from 0 to 1"},
		{"NEMO_LENS_EXPORT_RANK=first", "-1"}, {"NEMO_LENS_EXPORT_RANK=-2", "-1"}, {"NEMO_LENS_EXPORT_RANK=3.0", "a rank"},
		{"NEMO_LENS_EXPORT_RANK=99999999999", "a rank"}, {"NEMO_LENS_EXPORTER=jaeger", "otlp or console"},
	}
	for _, tt := range tests {
		c, err := telemetry.ConfigFromLookup(env("NEMO_LENS_ENABLED=1", tt.pair))
		name, value, _ := strings.Cut(tt.pair, "=")
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), value) || !strings.Contains(err.Error(), tt.legal) {
			t.Errorf("%s: error %v", tt.pair, err)
		}
		if c.Enabled {
			t.Errorf("%s: enabled all the same", tt.pair)
		}
	}
	_, err := telemetry.ConfigFromLookup(env("A_ENABLED=x", "A_EXPORT_RANK=y"), "A")
	if err == nil || !strings.Contains(err.Error(), "A_ENABLED") || !strings.Contains(err.Error(), "A_EXPORT_RANK") {
		t.Errorf("not all at once: %v", err)
	}
}

func TestEdgesOfTheRate(t *testing.T) {
	for text, want := range map[string]float64{"-0": 0, "0": 0, "1": 1, "1.0": 1, "1e-3": 0.001, " 0.5 ": 0.5} {
		c, err := telemetry.ConfigFromLookup(env("NEMO_LENS_EXPORT_SAMPLE_RATE=" + text))
		if err != nil || c.ExportSampleRate != want || math.Signbit(c.ExportSampleRate) {
			t.Errorf("%q: %v, %v", text, c.ExportSampleRate, err)
		}
	}
}

// TestConfigFromEnv reads the process.
func TestConfigFromEnv(t *testing.T) {
	t.Setenv("LENSVIEW_TEST_RUN_ID", "from the process")
	c, err := telemetry.ConfigFromEnv("LENSVIEW_TEST")
	if err != nil || c.RunID != "from the process" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestConfigInCode: what a program sets is looked at, too.
func TestConfigInCode(t *testing.T) {
	for name, change := range map[string]func(*telemetry.Config){
		"ExportSampleRate": func(c *telemetry.Config) { c.ExportSampleRate = math.NaN() },
		"ExportRank":       func(c *telemetry.Config) { c.ExportRank = -2 },
		"Exporter":         func(c *telemetry.Config) { c.Exporter = "none" },
		"per_step":         func(c *telemetry.Config) { c.SpanGroups = "nonsense" },
		"single_rank":      func(c *telemetry.Config) { c.ExportStrategy = "nonsense" },
	} {
		c := enabled()
		change(&c)
		if h, err := telemetry.New(t.Context(), c, telemetry.WithEnv(env())); err == nil || h != nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, h, err)
		}
	}
}
