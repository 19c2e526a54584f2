package simulate

import (
	"crypto/tls"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	for _, tc := range []struct {
		to   Target
		want address
	}{
		{Target{Endpoint: "127.0.0.1:4317"}, address{GRPC, "127.0.0.1:4317", "http://127.0.0.1:4317", false}},
		{Target{Endpoint: "[::1]:4318"}, address{HTTP, "[::1]:4318", "http://[::1]:4318", false}},
		{Target{Endpoint: "localhost:4318", Protocol: GRPC}, address{GRPC, "localhost:4318", "http://localhost:4318", false}},
		{Target{Endpoint: "h:1", TLS: &tls.Config{}}, address{GRPC, "h:1", "https://h:1", true}},
		{Target{Endpoint: "http://h:4317"}, address{GRPC, "h:4317", "http://h:4317", false}},
		{Target{Endpoint: "http://h:4317/"}, address{GRPC, "h:4317", "http://h:4317", false}},
		{Target{Endpoint: "https://h"}, address{GRPC, "h:443", "https://h", true}},
		{Target{Endpoint: "http://h:9/otlp/"}, address{HTTP, "h:9", "http://h:9/otlp", false}},
		{Target{Endpoint: "http://h:9/v1/traces"}, address{HTTP, "h:9", "http://h:9", false}},
		{Target{Endpoint: "http://h", Protocol: HTTP}, address{HTTP, "h:80", "http://h", false}},
		{Target{Endpoint: "unix:/run/x.sock"}, address{GRPC, "unix:/run/x.sock", "", false}},
	} {
		tc.to.fill()
		if got, err := tc.to.resolve(); err != nil || got != tc.want {
			t.Errorf("%s (%s): %+v, %v, want %+v", tc.to.Endpoint, tc.to.Protocol, got, err, tc.want)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	for _, tc := range []struct {
		to   Target
		want string
	}{
		{Target{}, "no endpoint"},
		{Target{Endpoint: "localhost"}, "give host:port"},
		{Target{Endpoint: "localhost:"}, "give host:port"},
		{Target{Endpoint: "ftp://h:1"}, "give http://host:port"},
		{Target{Endpoint: "http://"}, "give http://host:port"},
		{Target{Endpoint: "http://u:s3cret@h:1"}, "holds credentials"},
		{Target{Endpoint: "u:s3cret@h:1"}, "holds credentials"},
		{Target{Endpoint: "u:s3cret@h://x"}, "as a header"},
		{Target{Endpoint: "http://h:1/?key=s3cret"}, "as a header"},
		{Target{Endpoint: "http://h:1/v1/traces#s3cret"}, "as a header"},
		{Target{Endpoint: "http://u:s3cret@h:x"}, "not a URL"},
		{Target{Endpoint: "unix:/s", Protocol: HTTP}, "takes gRPC"},
		{Target{Endpoint: "h:1", Conns: -1}, "-1 connections"},
		{Target{Endpoint: "h:1", InFlight: 5000}, "5000 requests"},
	} {
		_, err := Send(t.Context(), &list{}, tc.to, Rate{}, WallClock{})
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %q", tc.to.Endpoint, err, tc.want)
		}
	}
}
