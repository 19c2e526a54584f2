package main

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestScreensHearOfRefusals(t *testing.T) {
	tests := []struct {
		name    string
		refused run.Refusal
		want    string
	}{
		{"a client on the wrong port", run.Refusal{Code: "http-on-grpc-port", Text: "HTTP client on the gRPC port 4317 (use 4318)", Count: 3, At: 7},
			"refused 3 times: HTTP client on the gRPC port 4317 (use 4318)"},
		{"a request that is too large", run.Refusal{Code: "too-large", Text: "80 MiB > limit of 64 MiB", Count: 1, At: 7}, "refused: 80 MiB > limit of 64 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newNoted(store.Config{Files: true, Receiver: func() run.Receiver { return run.Receiver{Refused: []run.Refusal{tt.refused}} }})
			want := []run.Notice{{Code: "refused-" + tt.refused.Code, Level: run.Warning, Text: tt.want, Count: tt.refused.Count, At: 7}}
			if d := cmp.Diff(want, n.Snapshot().Notices); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// A version that the screens have seen means that they have seen all notices.
func TestVersionRisesWithNotices(t *testing.T) {
	var r run.Receiver
	n := newNoted(store.Config{Files: true, Receiver: func() run.Receiver { return r }})
	for _, step := range []func(){
		func() {},
		func() { n.note(run.Notice{Code: "import", Text: "a file"}) },
		func() { r.Notices = []run.Notice{{Code: "listener-ended", Level: run.Critical, Count: 1}} },
		func() { r.Notices = []run.Notice{{Code: "listener-ended", Level: run.Critical, Count: 2}} },
	} {
		before := n.Version()
		seen := len(n.Snapshot().Notices)
		step()
		s := n.Snapshot()
		if v := n.Version(); v != s.Version || (len(s.Notices) > seen && v <= before) {
			t.Errorf("version %d after %d, its snapshot has %d", v, before, s.Version)
		}
	}
}

// What a JSON request was merely tolerated for is told
// where a person looks.
func TestScreensHearWhatReceiversTolerate(t *testing.T) {
	var srv *ingest.Server
	n := newNoted(store.Config{Receiver: func() run.Receiver { return srv.Stats() }})
	var err error
	srv, err = ingest.Start(t.Context(), ingest.Config{GRPC: ingest.Off, HTTP: "127.0.0.1:0"}, n.Store)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := srv.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	for _, body := range []string{
		`{"resource_spans":[]}`,
		`{"resourceSpans":[{"instrumentationLibrarySpans":[]}]}`,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","attributes":[{"key":"k","value":{"doubleValue":null}}]}]}]}]}`,
		`{"resourceMetrics":[]}`, // sent to the path of traces
	} {
		resp, err := http.Post("http://"+srv.Addrs()[0].Addr+"/v1/traces", "application/json", bytes.NewReader([]byte(body)))
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %+v", body, err, resp)
		}
		_ = resp.Body.Close()
	}
	var codes []string
	for _, notice := range n.Snapshot().Notices {
		codes = append(codes, notice.Code)
	}
	for _, want := range []string{"json-snake-case", "json-old-names", "json-null-value", "json-not-understood"} {
		if !strings.Contains(strings.Join(codes, " "), want) {
			t.Errorf("no notice %q among %q", want, codes)
		}
	}
}
