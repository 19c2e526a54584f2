package semconv_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestCompose(t *testing.T) {
	type m = map[string]string
	tests := []struct {
		name                               string
		current, defaults, overrides, want m
	}{
		{"nothing", nil, nil, nil, m{}},
		{"each alone", m{"c": "1"}, m{"d": "2"}, m{"o": "3"}, m{"c": "1", "d": "2", "o": "3"}},
		{"current over defaults", m{"k": "current"}, m{"k": "default"}, nil, m{"k": "current"}},
		{"overrides over both", m{"k": "current"}, m{"k": "default"}, m{"k": "override"}, m{"k": "override"}},
		{"an empty value wins too", m{"a": ""}, m{"a": "default", "b": "default"}, m{"b": ""}, m{"a": "", "b": ""}},
		{"keys are never decoded", m{"p%2Cq": "1"}, m{"p,q": "2"}, nil, m{"p%2Cq": "1", "p,q": "2"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, semconv.Compose(tt.current, tt.defaults, tt.overrides)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestComposeLeavesItsLayersAlone(t *testing.T) {
	current := map[string]any{"k": 1}
	defaults := map[string]any{"d": 2}
	all := semconv.Compose(current, defaults, nil)
	all["k"], all["new"] = 3, 4
	if len(current) != 1 || current["k"] != 1 || len(defaults) != 1 {
		t.Errorf("a layer changed: %v, %v", current, defaults)
	}
}
