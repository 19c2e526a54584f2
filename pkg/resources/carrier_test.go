package resources_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

type pairs = map[string]string

// carrierForms is the documented table (row 43 of the cases): what a carrier says.
func carrierForms() []struct {
	carrier string
	want    pairs
	why     string
	warns   string
} {
	return []struct {
		carrier string
		want    pairs
		why     string
		warns   string
	}{
		{"abc=x+y", pairs{"abc": "x+y"}, "`+` is a plus sign", ""},
		{"k=a%2Cb%3Dc", pairs{"k": "a,b=c"}, "values are decoded once", ""},
		{"k=a%252Cb", pairs{"k": "a%2Cb"}, "and only once", ""},
		{" team = blue team ", pairs{"team": "blue team"}, "blanks around key and value are no part of them", ""},
		{"p%2Cq=1", pairs{"p%2Cq": "1"}, "keys are never decoded", ""},
		{"a=1,bad,b=2", pairs{"a": "1", "b": "2"}, "a pair without `=` is left out", `pair 2 of 3 has no "="`},
		{"a=1,", pairs{"a": "1"}, "a comma at the end is fine", ""},
		{"=v", pairs{}, "a pair without a key is left out", `pair 1 of 1 has no key`},
		{"k=", pairs{"k": ""}, "an empty value is a value", ""},
		{"a=1,a=2", pairs{"a": "2"}, "the last of equal keys counts", ""},
		{"k=a=b", pairs{"k": "a=b"}, "only the first `=` separates", ""},
		{"k=%ZZ", pairs{}, "a pair with a broken escape is left out", `"k"`},
		{"k=%ff,b=2", pairs{"b": "2"}, "and so is one that is not UTF-8", `"k"`},
	}
}

func TestParse(t *testing.T) {
	for _, c := range carrierForms() {
		got, warnings := resources.Parse(c.carrier)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got)\n%s", c.carrier, diff)
		}
		if c.warns == "" {
			wantWarnings(t, warnings)
			continue
		}
		wantWarnings(t, warnings, c.warns)
		if w := warnings[0]; w.Key != resources.CarrierVariable || !strings.Contains(w.Text, resources.CarrierVariable) {
			t.Errorf("Parse(%q): %+v does not name the variable", c.carrier, w)
		}
	}
}

// TestParseMore is the kind behind the documented forms.
func TestParseMore(t *testing.T) {
	for _, c := range []struct {
		carrier string
		want    pairs
		bad     int
	}{
		{"", pairs{}, 0},
		{" ", pairs{}, 0},
		{",,, ,", pairs{}, 0},
		{"a=1,,b=2,", pairs{"a": "1", "b": "2"}, 0},
		{"a=%20x%20", pairs{"a": " x "}, 0}, // encoded blanks are part of the value
		{"\ta\t=\t1\n", pairs{"a": "1"}, 0},
		{"a=%00", pairs{"a": "\x00"}, 0},
		{"a=%e2%82%ac", pairs{"a": "€"}, 0},
		{"a=€", pairs{"a": "€"}, 0}, // not encoded, and still clear
		{"a=%E2%82", pairs{}, 1},    // half a character
		{"a=\xff", pairs{}, 1},
		{"\xff=1,b=2", pairs{"b": "2"}, 1},
		{"a=%,b=%2,c=%2G,d=100%25", pairs{"d": "100%"}, 3},
		{"  =x,=,==", pairs{}, 3},
		{"a=1,bad,b=%ZZ,=,c=3", pairs{"a": "1", "c": "3"}, 3},
		{"a=1,a=%ZZ", pairs{"a": "1"}, 1}, // a broken duplicate takes nobody's place
		{"A=1,a=2", pairs{"A": "1", "a": "2"}, 0},
		{"k;x=1", pairs{"k;x": "1"}, 0},
		{"k=[1]{2}\"3\"", pairs{"k": `[1]{2}"3"`}, 0},
	} {
		got, warnings := resources.Parse(c.carrier)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got)\n%s", c.carrier, diff)
		}
		if len(warnings) != c.bad {
			t.Errorf("Parse(%q): %d warnings, want %d: %q", c.carrier, len(warnings), c.bad, texts(warnings))
		}
	}
}

// TestParseTellsNoValue: a part of a pair may be the rest of a secret that somebody
// forgot to encode.
func TestParseTellsNoValue(t *testing.T) {
	for _, carrier := range []string{"token=abc,hunter2", "token=hunter2%ZZ", "=hunter2", "token=hunter2%ff"} {
		_, warnings := resources.Parse(carrier)
		wantWarnings(t, warnings, "pair")
		if strings.Contains(warnings[0].Text, "hunter2") {
			t.Errorf("%q repeats a value", warnings[0].Text)
		}
	}
}

func TestDetectCarrier(t *testing.T) {
	got := found(t, resources.DetectCarrier, variables(
		`OTEL_RESOURCE_ATTRIBUTES=nemo.run.id=007,nv.dl.rank= 007 ,nv.dl.world_size=many,slurm.nnodes=x,slurm.ntasks=8,bad,slurm.job.id=,nv.gpu.memory_total=85899345920`))
	want := map[string]any{
		semconv.NemoRunID: "007", semconv.NVDLRank: int64(7), semconv.NVDLWorldSize: "many",
		semconv.SlurmNTasks: int64(8), semconv.NVGPUMemoryTotal: int64(85899345920),
	}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantWarnings(t, got.Warnings, "pair 6", semconv.NVDLWorldSize, semconv.SlurmNNodes)
	if got := found(t, resources.DetectCarrier, variables()); len(got.Attributes)+len(got.Warnings) != 0 {
		t.Errorf("from nothing: %+v", got)
	}
}
