package otlp

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

var allSignals = []run.Signal{run.Traces, run.Metrics, run.Logs}

// oracle reads wire bytes with the generated code, which is the truth.
func oracle(s run.Signal, wire []byte) (proto.Message, error) {
	var m proto.Message
	switch s {
	case run.Traces:
		m = &tracepb.TracesData{}
	case run.Metrics:
		m = &metricspb.MetricsData{}
	default:
		m = &logspb.LogsData{}
	}
	return m, proto.Unmarshal(wire, m)
}

// fromJSON transcodes body and reads the result with the generated code.
func fromJSON(t testing.TB, opt JSONOptions, s run.Signal, body []byte) proto.Message {
	t.Helper()
	wire, err := NewTranscoder(opt).Transcode(body, s)
	if err != nil {
		t.Fatalf("Transcode(%.200s): %v", body, err)
	}
	m, err := oracle(s, wire[s])
	if err != nil {
		t.Fatalf("generated code refuses the transcoded bytes: %v", err)
	}
	return m
}

func sameMessage(t testing.TB, what string, want, got proto.Message) {
	t.Helper()
	if proto.Equal(want, got) {
		return
	}
	t.Errorf("%s differs (-want +got):\n%s", what, cmp.Diff(want, got, protocmp.Transform()))
}

// dataLines is the lines of the recordings beside the module; the test skips
// where they are not there.
func dataLines(t testing.TB, name string) [][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", name))
	if err != nil {
		t.Skip("no recording:", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<26)
	var lines [][]byte
	for in.Scan() {
		lines = append(lines, append([]byte(nil), in.Bytes()...))
	}
	if in.Err() != nil {
		t.Fatal(in.Err())
	}
	return lines
}

// dataExamples is the canonical examples of the protocol, by signal.
func dataExamples(t testing.TB) map[string][]byte {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "otlp-examples", "*.json"))
	if len(files) == 0 {
		t.Skip("no examples")
	}
	out := map[string][]byte{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = b
	}
	return out
}

func mustOracle(t testing.TB, s run.Signal, wire []byte) proto.Message {
	t.Helper()
	m, err := oracle(s, wire)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
