package ingest

import (
	"strings"
	"testing"
)

func TestConnLimit(t *testing.T) {
	for _, tt := range []struct {
		files uint64
		want  int
		text  string
	}{
		{0, 20_000, "one exporter a node"}, {1 << 20, 20_000, "one exporter a node"}, {20_064, 20_000, "one exporter a node"}, {1 << 63, 20_000, "one exporter a node"},
		{20_063, 19_999, "20063: raise it with ulimit -n"}, {256, 192, "256: raise it"}, {10, 1, "10: raise it"},
	} {
		if n, text := connLimit(20_000, tt.files); n != tt.want || !strings.Contains(text, tt.text) {
			t.Errorf("%d files: %d connections, %q", tt.files, n, text)
		}
	}
	if fileLimit() == 0 {
		t.Error("this system does not say how many files may be open")
	}
}
