package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/pkg/resources"
)

// jobEnv composes what a job needs to send to an instance.
type jobEnv struct {
	env      env
	instance instance
	options  envOptions
	hints    []string
}

func (j *jobEnv) hint(format string, a ...any) { j.hints = append(j.hints, fmt.Sprintf(format, a...)) }

func (j *jobEnv) host() string {
	h, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return h
}

// settings are all variables in the order in which they are printed.
func (j *jobEnv) settings(ctx context.Context) ([]setting, error) {
	url, protocol, err := j.endpoint()
	if err != nil {
		return nil, err
	}
	all := []setting{{name: "OTEL_EXPORTER_OTLP_ENDPOINT", value: url}, {name: "OTEL_EXPORTER_OTLP_PROTOCOL", value: protocol}}
	if j.instance.Token != "" {
		all = append(all, setting{name: "OTEL_EXPORTER_OTLP_HEADERS", value: "x-lensview-token=", secret: j.instance.Token})
	}
	if strings.HasPrefix(url, "https://") {
		all = append(all, setting{name: "OTEL_EXPORTER_OTLP_CERTIFICATE", value: j.instance.Certificate},
			setting{name: "SSL_CERT_DIR", value: j.certDirs()})
		all = append(all, j.trusted(protocol)...)
	}
	if strings.HasPrefix(url, "unix:") { // some SDKs take a socket for a place that needs TLS
		all = append(all, setting{name: "OTEL_EXPORTER_OTLP_INSECURE", value: "true"})
	}
	all = slices.Concat(leftovers(j.env.getenv, all), all, j.noProxy(url), j.switches())
	return append(all, j.identity(ctx)...), nil
}

// certDirs lets programs that trust the system's certificates alone, whatever
// OTEL_EXPORTER_OTLP_CERTIFICATE says, trust ours too. The system's directories
// must be named then, as the variable takes their place.
func (j *jobEnv) certDirs() string {
	dirs := filepath.SplitList(j.env.getenv("SSL_CERT_DIR"))
	if len(dirs) == 0 {
		for _, d := range []string{"/etc/ssl/certs", "/etc/pki/tls/certs"} {
			if info, err := os.Stat(d); err == nil && info.IsDir() {
				dirs = append(dirs, d)
			}
		}
	}
	if own := filepath.Dir(j.instance.Certificate); !slices.Contains(dirs, own) {
		dirs = append(dirs, own)
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// url of an address of the instance.
func (j *jobEnv) url(i instance, addr string) string {
	scheme := "http://"
	if host, _, err := net.SplitHostPort(addr); err == nil && !isLoopback(host) && i.TLS {
		scheme = "https://"
	}
	return scheme + i.reach(addr)
}

// reachable says who can use the endpoint, if not every job.
func (j *jobEnv) reachable(addr, protocol string) error {
	host, _, _ := net.SplitHostPort(addr)
	switch {
	case !isLoopback(host):
		return nil
	case j.instance.Host != j.host():
		return errLoopbackOnly(j.instance, protocol)
	}
	j.hint("%s listens on loopback: only jobs on this host reach it; for others start lensview with %s", j.instance.id(), opens(protocol))
	return nil
}

// noProxy keeps the exporters' requests from a proxy, which knows nothing of the
// hosts inside a cluster. Both spellings are in use, and gRPC's own list, where
// there is one, is read in their place.
func (j *jobEnv) noProxy(url string) (all []setting) {
	host := hostOfURL(url)
	if host == "" {
		return nil
	}
	exceptions := []string{"no_proxy", "NO_PROXY"}
	if j.env.getenv(grpcExceptions) != "" {
		exceptions = append(exceptions, grpcExceptions)
	}
	for _, name := range exceptions {
		value := j.env.getenv(name)
		if value == "" {
			value = j.env.getenv(otherCase(name))
		}
		if !inList(value, host) {
			value = strings.TrimPrefix(value+","+host, ",")
		}
		all = append(all, setting{name: name, value: value})
	}
	return all
}

// grpcExceptions is what gRPC of C, Python and JavaScript reads before no_proxy.
const grpcExceptions = "no_grpc_proxy"

func otherCase(name string) string {
	if up := strings.ToUpper(name); up != name {
		return up
	}
	return strings.ToLower(name)
}

func inList(list, host string) bool {
	for v := range strings.SplitSeq(list, ",") {
		if v = strings.TrimSpace(v); v == "*" || strings.EqualFold(v, host) {
			return true
		}
	}
	return false
}

func hostOfURL(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok || strings.HasPrefix(url, "unix:") {
		return ""
	}
	host, _, err := net.SplitHostPort(rest)
	if err != nil {
		return ""
	}
	return host
}

// switches turn nemo-lens on, unless the user has said how.
func (j *jobEnv) switches() (all []setting) {
	for _, s := range []setting{
		{name: "NEMO_LENS_ENABLED", value: "1"},
		{name: "NEMO_LENS_EXPORT_STRATEGY", value: "all_ranks"},
		{name: "NEMO_LENS_SPAN_GROUPS", value: "per_step"},
	} {
		if j.env.getenv(s.name) == "" {
			all = append(all, s)
		}
	}
	return all
}

// identity is what tells this run from others: inside a Slurm job its own, else
// one id for all processes that get this environment.
func (j *jobEnv) identity(ctx context.Context) (all []setting) {
	if j.env.getenv("SLURM_JOB_ID") != "" {
		all = append(all, j.slurm(ctx)...)
	}
	switch id := j.options.runID; {
	case id == "none" || id == "auto" && (j.env.getenv("NEMO_LENS_RUN_ID") != "" || j.underSlurm()):
	case id == "auto":
		all = append(all, setting{name: "NEMO_LENS_RUN_ID", value: newRunID(time.Now())})
	default:
		all = append(all, setting{name: "NEMO_LENS_RUN_ID", value: id})
	}
	return all
}

// underSlurm reports whether this environment may become that of several jobs:
// an id of ours would make them one.
func (j *jobEnv) underSlurm() bool {
	if j.env.getenv("SLURM_JOB_ID") != "" {
		return true
	}
	_, err := exec.LookPath("sbatch")
	return err == nil
}

// newRunID is readable and differs from every other.
func newRunID(now time.Time) string {
	b := make([]byte, 4)
	rand.Read(b)
	return "run-" + now.Format("20060102-150405") + "-" + hex.EncodeToString(b)
}

// slurm adds what is known of the job to the resource of every process, also of
// SDKs that know nothing of Slurm. What was there before wins.
func (j *jobEnv) slurm(ctx context.Context) []setting {
	lookup := func(name string) (string, bool) {
		v := j.env.getenv(name)
		return v, v != ""
	}
	found, err := resources.DetectSlurm(ctx, resources.WithLookup(lookup))
	if err != nil {
		j.hint("Slurm job: %v", err)
	}
	carrier, warnings := resources.Extend(j.env.getenv(resources.CarrierVariable), found.Attributes, nil)
	for _, w := range append(found.Warnings, warnings...) {
		j.hint("%s", w.Text)
	}
	if carrier == "" {
		return nil
	}
	return []setting{{name: resources.CarrierVariable, value: carrier}}
}
