package target_test

import (
	"strings"
	"testing"

	"golang.org/x/net/http/httpguts"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// FuzzRead: whatever the variables say, there is a target that can be used or an
// error that names the variable, and no warning repeats a header.
func FuzzRead(f *testing.F) {
	f.Add("http://c:4317", "authorization=Bearer%20abc,b=2", "grpc")
	f.Add("c:4318", "a=%ZZ", "http/protobuf")
	f.Add("unix:/s", "=", "http/json")
	f.Add("https://[::1]:1/x?y#z", "a=b=c,,", "")
	f.Fuzz(func(t *testing.T, endpoint, headers, protocol string) {
		const mark = "zqsecretqz"
		env := map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_EXPORTER_OTLP_HEADERS": headers + ",x" + headers + mark, "OTEL_EXPORTER_OTLP_PROTOCOL": protocol,
		}
		to, warnings, err := reader(env).Read(target.Logs)
		for _, w := range warnings {
			if strings.Contains(w.Text, mark) {
				t.Fatalf("a header in %q", w.Text)
			}
		}
		if err != nil {
			if !strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_ENDPOINT") {
				t.Errorf("error %v names no variable", err)
			}
			return
		}
		if to.Protocol == target.GRPC && to.Address == "" || to.Protocol != target.GRPC && !strings.Contains(to.URL, "://") || to.Insecure != (to.TLS == nil) {
			t.Errorf("target %+v", to)
		}
		for k, v := range to.Headers {
			if !httpguts.ValidHeaderFieldName(k) || !httpguts.ValidHeaderFieldValue(v) {
				t.Errorf("header %q", k)
			}
		}
	})
}
