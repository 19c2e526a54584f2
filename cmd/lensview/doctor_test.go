package main

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/internal/ingest"
)

// causes are the lines that name what is wrong.
func causes(out string) (all []string) {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "FAIL ") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// oneCause wants exactly one cause, in one line, and exit code 1.
func oneCause(t *testing.T, vars map[string]string, want string) {
	t.Helper()
	got := runIn(vars, "doctor", "--timeout", "3s")
	if c := causes(got.out); got.code != exitFailed || len(c) != 1 || !strings.Contains(c[0], want) {
		t.Errorf("exit %d, want one cause %q:\n%s%s", got.code, want, got.out, got.err)
	}
}

// answering is a gRPC server that gives every call one answer.
func answering(t *testing.T, code codes.Code, text string, clock time.Time) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, ss grpc.ServerStream) error {
		if !clock.IsZero() {
			ss.SetTrailer(metadata.Pairs(ingest.TimeTrailer, itoa(clock.UnixNano())))
		}
		if code == codes.OK {
			return ss.SendMsg(&coltrace.ExportTraceServiceResponse{})
		}
		return status.Error(code, text)
	}))
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return "http://" + l.Addr().String()
}

func answeringHTTP(t *testing.T, code int, date time.Time) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", date.UTC().Format(http.TimeFormat))
		w.WriteHeader(code)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// onlyHTTP1 is a TLS server that refuses every other protocol.
func onlyHTTP1(t *testing.T) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL
}

func TestDoctorIsContent(t *testing.T) {
	for name, flags := range map[string][]string{
		"loopback": nil, "TLS": {"--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0", "--advertise", "localhost"},
	} {
		for _, protocol := range []string{"grpc", "http/protobuf"} {
			state, sink := t.TempDir(), newCounted()
			r := receiving(t, state, sink, flags...)
			vars := jobOf(t, state, "--protocol", protocol)
			got := runIn(vars, "doctor")
			if got.code != 0 || got.err != "" || !strings.Contains(got.out, "the test span was taken") || !strings.Contains(got.out, "clocks agree") {
				t.Errorf("%s, %s: %+v", name, protocol, got)
			}
			if n := sink.items(); n != [3]int{1} {
				t.Errorf("%s, %s: received %v, %+v", name, protocol, n, r.Stats())
			}
		}
	}
}

// Over the socket it says whose logs do not come.
func TestDoctorOverTheSocket(t *testing.T) {
	state, sink := t.TempDir(), newCounted()
	receiving(t, state, sink, "--unix", "auto")
	got := runIn(jobOf(t, state, "--unix"), "doctor")
	if got.code != 0 || !strings.Contains(got.out, "the log exporter of Go") || sink.items() != [3]int{1} {
		t.Errorf("%+v", got)
	}
}

// jobOf is the environment of a job that took over what env prints.
func jobOf(t *testing.T, state string, args ...string) map[string]string {
	t.Helper()
	got := runIn(map[string]string{"XDG_STATE_HOME": state}, append([]string{"env", "--format", "plain"}, args...)...)
	if got.code != 0 {
		t.Fatal(got.err)
	}
	vars := map[string]string{}
	for line := range strings.Lines(got.out) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		vars[k] = v
	}
	return vars
}

// Each cause that the contract lists, one at a time.
func TestDoctorNamesTheCause(t *testing.T) {
	state := t.TempDir()
	r := receiving(t, state, newCounted(), "--listen", "0.0.0.0:0", "--advertise", "localhost")
	good := jobOf(t, state)
	_, port, err := net.SplitHostPort(receiving(t, state, newCounted(), "--http-listen", "0.0.0.0:0", "--advertise", "localhost").Addrs()[1].Addr)
	if err != nil {
		t.Fatal(err)
	}
	overTLS := "https://localhost:" + port
	with := func(more ...string) map[string]string {
		vars := map[string]string{}
		for k, v := range good {
			vars[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			vars[more[i]] = more[i+1]
		}
		return vars
	}
	const endpoint, protocol = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL"
	overHTTP := "http://" + r.Addrs()[1].Addr // plaintext, loopback
	strange := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(strange, strangePEM(t), 0o600); err != nil {
		t.Fatal(err)
	}
	far := time.Now().Add(-10 * time.Minute)
	for _, c := range []struct {
		name string
		vars map[string]string
		want string
	}{
		{"nothing listens", with(endpoint, "http://"+freeAddr(t)), "nothing listens on"},
		{"nothing listens on the socket", with(endpoint, "unix:///nonexistent/lensview.sock"), "nothing listens on"},
		{"no such host", with(endpoint, "http://login.invalid:4317"), "no such host"},
		{"gRPC to the HTTP port", with(endpoint, overHTTP), "wrong protocol"},
		{"HTTP to the gRPC port", with(protocol, "http/protobuf"), "wrong protocol"},
		{"plaintext to a TLS port", with(endpoint, strings.Replace(good[endpoint], "https", "http", 1)), "speaks TLS"},
		{"TLS to a plaintext port", with(endpoint, strings.Replace(overHTTP, "http", "https", 1)), "does not speak TLS"},
		{"no token", with(endpoint, answering(t, codes.Unauthenticated, "no token", time.Time{}), "OTEL_EXPORTER_OTLP_HEADERS", ""), "no token"},
		{"wrong token", with(endpoint, answering(t, codes.Unauthenticated, "wrong", time.Time{})), "wrong token"},
		{"no token over HTTP", with(endpoint, answeringHTTP(t, 401, time.Now()), protocol, "http/protobuf", "OTEL_EXPORTER_OTLP_HEADERS", ""), "no token"},
		{"wrong token over HTTP", with(endpoint, answeringHTTP(t, 401, time.Now()), protocol, "http/protobuf"), "wrong token"},
		{"no certificate", with("OTEL_EXPORTER_OTLP_CERTIFICATE", ""), "OTEL_EXPORTER_OTLP_CERTIFICATE is not set"},
		{"certificate of another receiver", with("OTEL_EXPORTER_OTLP_CERTIFICATE", strange), "not signed by"},
		{"certificate that is not there", with("OTEL_EXPORTER_OTLP_CERTIFICATE", "/nonexistent"), "no such file"},
		{"certificate for another name", with(endpoint, strings.Replace(good[endpoint], "localhost", "127.1.2.3", 1)), "not for 127.1.2.3"},
		{"clock behind, over HTTP", with(endpoint, answeringHTTP(t, 200, far.Add(20*time.Minute)), protocol, "http/protobuf"), "behind the receiver"},
		{"clock ahead", with(endpoint, answering(t, codes.OK, "", far)), "clock far off: this host is 10m"},
		{"MEGATRON_OTEL_ENABLED", with("MEGATRON_OTEL_ENABLED", "0"), "MEGATRON_OTEL_ENABLED is set and overrides NEMO_LENS_ENABLED"},
		{"MEGATRON_OTEL_SPAN_GROUPS", with("MEGATRON_OTEL_SPAN_GROUPS", "default"), "overrides NEMO_LENS_SPAN_GROUPS"},
		{"SDK off", with("OTEL_SDK_DISABLED", "true"), "OTEL_SDK_DISABLED"},
		{"another exporter", with("OTEL_TRACES_EXPORTER", "console"), "OTEL_TRACES_EXPORTER"},
		{"nemo-lens off", with("NEMO_LENS_ENABLED", "False"), "NEMO_LENS_ENABLED"},
		{"a protocol that is none", with(protocol, "thrift"), "thrift"},
		{"an endpoint that is none", with(endpoint, "grpc://x:1"), "is no endpoint"},
		{"headers that are none", with("OTEL_EXPORTER_OTLP_HEADERS", "hunter2"), "not name=value"},
		{"gRPC to the HTTP port over TLS", with(endpoint, overTLS), "wrong protocol"},
		{"plaintext HTTP to a TLS port", with(endpoint, strings.Replace(overTLS, "https", "http", 1), protocol, "http/protobuf"), "speaks TLS"},
		{"the site's bundle", with(endpoint, overTLS, protocol, "http/protobuf", "REQUESTS_CA_BUNDLE", strange), "REQUESTS_CA_BUNDLE"},
		{"the site's bundle is not there", with(endpoint, overTLS, protocol, "http/protobuf", "CURL_CA_BUNDLE", "/nonexistent"), "CURL_CA_BUNDLE"},
		{"metrics elsewhere", with("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://old:4317"), "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT is set: its signal goes elsewhere"},
		{"TLS, and INSECURE", with("OTEL_EXPORTER_OTLP_INSECURE", "true"), "OTEL_EXPORTER_OTLP_INSECURE says true and the endpoint https"},
		{"TLS, and INSECURE for logs", with("OTEL_EXPORTER_OTLP_LOGS_INSECURE", "True"), "OTEL_EXPORTER_OTLP_LOGS_INSECURE says true"},
		{"no TLS, and INSECURE=false", with(endpoint, overHTTP, protocol, "http/protobuf", "OTEL_EXPORTER_OTLP_CERTIFICATE", "", "OTEL_EXPORTER_OTLP_INSECURE", "0"), "says false and the endpoint http:"},
		{"TLS that knows no such protocol", with(endpoint, onlyHTTP1(t), "OTEL_EXPORTER_OTLP_CERTIFICATE", ""), "wrong protocol"},
		{"no TLS, and a certificate", with(endpoint, overHTTP, protocol, "http/protobuf"), "OTEL_EXPORTER_OTLP_CERTIFICATE is set and the endpoint is http,"},
		{"an answer that says no", with(endpoint, answering(t, codes.PermissionDenied, "go away", time.Time{})), "PermissionDenied: go away"},
		{"an answer of another server", with(endpoint, answeringHTTP(t, 404, time.Now()), protocol, "http/protobuf"), "wrong protocol"},
	} {
		t.Run(c.name, func(t *testing.T) { oneCause(t, c.vars, c.want) })
	}
}

// A proxy is named even when the receiver is well behind it.
func TestDoctorNamesAProxy(t *testing.T) {
	for _, c := range []struct {
		name string
		vars map[string]string
		want bool
	}{
		{"http_proxy", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "http_proxy": "http://user:hunter2@proxy:3128"}, true},
		{"HTTPS_PROXY with gRPC", map[string]string{"HTTPS_PROXY": "http://proxy:3128"}, true},
		{"http_proxy with gRPC, which Python takes", map[string]string{"http_proxy": "http://proxy:3128"}, true},
		{"all_proxy over HTTP", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "ALL_PROXY": "http://proxy:3128"}, true},
		{"https_proxy, and the endpoint is http", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "https_proxy": "http://proxy:3128"}, false},
		{"grpc_proxy, excepted", map[string]string{"grpc_proxy": "http://proxy:3128", "no_proxy": "x,login1"}, false},
		{"excepted, but not for gRPC", map[string]string{"grpc_proxy": "http://proxy:3128", "no_proxy": "login1", "no_grpc_proxy": "x"}, true},
		{"loopback is not excepted by itself", map[string]string{"http_proxy": "http://proxy:3128", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317"}, true},
		{"loopback, excepted", map[string]string{"http_proxy": "http://proxy:3128", "no_proxy": "127.0.0.1", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317"}, false},
		{"excepted by its network", map[string]string{"http_proxy": "http://proxy:3128", "no_proxy": "10.0.0.0/8", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://10.1.2.3:4317"}, false},
		{"grpc_proxy", map[string]string{"grpc_proxy": "http://proxy:3128"}, true},
		{"excepted", map[string]string{"https_proxy": "http://proxy:3128", "no_proxy": "login1"}, false},
		{"excepted by its domain", map[string]string{"https_proxy": "http://proxy:3128", "no_proxy": "a.example", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://login1.a.example:4317"}, false},
	} {
		vars := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://login1:4317"}
		for k, v := range c.vars {
			vars[k] = v
		}
		target, err := targetOf(func(name string) string { return vars[name] })
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		d := &diagnosis{out: &out}
		d.proxy(func(name string) string { return vars[name] }, target)
		if got := len(causes(out.String())) == 1; got != c.want || strings.Contains(out.String(), "hunter2") {
			t.Errorf("%s: %s", c.name, out.String())
		}
	}
}

// Whatever is wrong, no secret is in the output.
func TestDoctorTellsNoSecret(t *testing.T) {
	for _, vars := range []map[string]string{
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://user:hunter2@127.0.0.1:1", "OTEL_EXPORTER_OTLP_HEADERS": "x-lensview-token=hunter2"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": "://hunter2"}, {"OTEL_EXPORTER_OTLP_HEADERS": "hunter2"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": answering(t, codes.Unauthenticated, "no", time.Time{}), "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20hunter2"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT": answeringHTTP(t, 500, time.Now()), "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_HEADERS": "a=hunter2"},
	} {
		if got := runIn(vars, "doctor"); got.code != exitFailed || strings.Contains(got.out+got.err, "hunter2") {
			t.Errorf("%+v", got)
		}
	}
}

// Where nothing listens, what to do depends on where that is.
func TestWhereToListen(t *testing.T) {
	for addr, want := range map[string]string{
		"": `in the job's shell, eval "$(lensview env)"`, "http://127.0.0.1:4317": "of this host", "http://[::1]:4317": "of this host",
		"https://login1:4317": "start lensview there, with --listen", "unix:///run/a.sock": "this socket",
	} {
		target, err := targetOf(func(name string) string { return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": addr}[name] })
		if got := target.whereToListen(); err != nil || !strings.Contains(got, want) {
			t.Errorf("%q: %q, %v; want %q", addr, got, err, want)
		}
	}
}

// A wrong port of somebody whose receiver runs elsewhere: which one that is.
func TestDoctorNamesTheReceiverThatRuns(t *testing.T) {
	state := t.TempDir()
	r := receiving(t, state, newCounted())
	vars := jobOf(t, state)
	vars["XDG_STATE_HOME"], vars["OTEL_EXPORTER_OTLP_ENDPOINT"] = state, "http://"+freeAddr(t)
	oneCause(t, vars, "receives on "+r.Addrs()[0].Addr+": print the environment anew")
}

// What the receiver says is told beside the cause, unless it is the same again.
func TestDoctorTellsWhatTheReceiverSays(t *testing.T) {
	for text, want := range map[string]string{
		"no token: set OTEL_EXPORTER_OTLP_HEADERS":    "take it from 'lensview env'\n",
		"this receiver belongs to user 7, not to you": "FAIL no token: this receiver belongs to user 7, not to you\n",
	} {
		var out strings.Builder
		p := probe{diagnosis: &diagnosis{out: &out}, target: target{network: "tcp", tls: true}}
		p.judge(t.Context(), answered{code: "Unauthenticated", text: text})
		if !strings.HasSuffix(out.String(), want) {
			t.Errorf("%q: %s", text, out.String())
		}
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want string // shown, protocol, URL
	}{
		{nil, "http://localhost:4317 grpc"},
		{map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, "http://localhost:4318 http/protobuf http://localhost:4318/v1/traces"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": " https://c:4317 "}, "https://c:4317 grpc"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "10.0.0.5:4317"}, "http://10.0.0.5:4317 grpc"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://[::1]"}, "http://[::1]:80 grpc"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1/otlp/", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, "http://c:1 http/protobuf http://c:1/otlp/v1/traces"},
		{map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:1/x", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf"}, "http://c:1 http/protobuf http://c:1/x"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "unix:///run/a.sock"}, "unix:///run/a.sock grpc"},
	} {
		got, err := targetOf(func(name string) string { return c.vars[name] })
		text := got.shown() + " " + got.protocol
		if got.protocol != "grpc" {
			text += " " + got.url
		}
		if err != nil || text != c.want {
			t.Errorf("%v: %s, %v; want %s", c.vars, text, err, c.want)
		}
	}
}

// A TLS error that is none of the certificate's is told as it is.
func TestUntrusted(t *testing.T) {
	if text := (target{}).untrusted(tls.RecordHeaderError{Msg: "x"}); text != "" {
		t.Error(text)
	}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
