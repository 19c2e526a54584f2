package send

import (
	"encoding/json"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// hint says what to do about an error whose cause is known.
func hint(to target.Target, err error) string {
	text := err.Error()
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(text, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("first record does not look like a TLS handshake", "server gave HTTP response to HTTPS client"):
		return "the server speaks plain text, not TLS: write http:// before the endpoint, or set OTEL_EXPORTER_OTLP_INSECURE=true"
	case to.Protocol == target.GRPC && has("frame header looked like an HTTP/1.1 header", "server preface", "unexpected HTTP status code", "malformed header: missing HTTP content-type"):
		return "the server does not speak gRPC: protocol and port look swapped (gRPC is usually 4317; for 4318 set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf)"
	case to.Protocol != target.GRPC && has("malformed HTTP response", "malformed HTTP version", "unexpected EOF", "server closed idle connection") || has("use 4318", "use 4317"):
		return "the server does not speak HTTP/1.1 here: protocol and port look swapped (HTTP is usually 4318; for 4317 set OTEL_EXPORTER_OTLP_PROTOCOL=grpc)"
	case has("connection refused"):
		return "nothing listens there: start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT"
	case status.Code(err) == codes.Unauthenticated || has("401 Unauthorized", "403 Forbidden"):
		return "set OTEL_EXPORTER_OTLP_HEADERS to what the server asks for"
	}
	return ""
}

// refusedInJSON reads the number in a partial success. Numbers of 64 bits are
// strings in OTLP JSON, and some servers write them bare.
func refusedInJSON(text []byte) int64 {
	var answer struct {
		PartialSuccess map[string]any `json:"partialSuccess"`
	}
	if json.Unmarshal(text, &answer) != nil {
		return 0
	}
	for _, name := range []string{"rejectedSpans", "rejectedDataPoints", "rejectedLogRecords"} {
		switch v := answer.PartialSuccess[name].(type) {
		case float64:
			return int64(v)
		case string:
			n, _ := strconv.ParseInt(v, 10, 64)
			return n
		}
	}
	return 0
}
