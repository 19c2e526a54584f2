package telemetry_test

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

func TestSecret(t *testing.T) {
	for key, want := range map[string]bool{
		"prompt": true, "input_text": true, "output_text": true, "text": true, "password": true, "token": true, "secret": true, "key": true,
		"user.Password": true, "gen_ai.prompt": true, "api_key": true, "hf_token": true, "aws-secret": true, "http.authorization": true, "db.credentials": true,
		"gen_ai.token.type": false, "tokens": false, "keyboard": false, "monkey": false, "prompt.length": false, "context": false, "dl.loss": false, "": false, ".": false,
	} {
		if telemetry.Secret(key) != want {
			t.Errorf("%q: %t", key, !want)
		}
	}
}

type (
	phase string
	count uint16
)

// TestSet: what can be an attribute is one with its type, secrets are redacted, and
// anything else is left out.
func TestSet(t *testing.T) {
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		_, s := h.Start(ctx, telemetry.Step, "step")
		s.SetAll(map[string]any{
			"bool": true, "text ": "x", "int": 1, "int8": int8(-2), "int64": int64(1 << 60), "uint16": count(3), "uint64": uint64(math.MaxUint64),
			"float32": float32(0.5), "float": 1.25, "named": phase("warm-up"), "nil": nil, "map": map[string]int{}, "func": func() {}, "pointer": new(int),
			"prompt": "write a poem", "max_token": 512, "keys.api_key": []string{"a", "b"}, "password": []byte("x"), "value": attribute.Int64Value(9), "": "no key",
			"structs": []struct{}{{}},
		})
		s.Set("strings", []string{"a", "b"}).Set("ints", []int{1, 2}).Set("floats", []float32{0.5}).Set("bools", []bool{true}).Set("bytes", []byte{1, 2})
		s.End()
	})
	got := attributes(b.span(t, "step").Attributes)
	lists := []string{"strings", "ints", "floats", "bools", "bytes"}
	for _, key := range lists {
		if got[key] == nil {
			t.Errorf("%s is missing", key)
		}
		delete(got, key)
	}
	want := map[string]any{
		"bool": true, "text ": "x", "int": int64(1), "int8": int64(-2), "int64": int64(1 << 60), "uint16": int64(3),
		"float32": 0.5, "float": 1.25, "named": "warm-up", "value": int64(9),
		"prompt": telemetry.Redacted, "max_token": int64(512), "keys.api_key": telemetry.Redacted, "password": telemetry.Redacted,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
