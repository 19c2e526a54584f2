package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest/private"
)

// instance is a running receiver as 'lensview env' finds it: in a private file
// of its own. It says where the token is, not what it is.
type instance struct {
	Host        string   `json:"host"`
	PID         int      `json:"pid"`
	Started     int64    `json:"started"` // unix seconds
	GRPC        string   `json:"grpc,omitempty"`
	HTTP        string   `json:"http,omitempty"`
	Unix        string   `json:"unix,omitempty"`
	Names       []string `json:"names"` // of its host, best first, all in its certificate
	Certificate string   `json:"certificate,omitempty"`
	Token       string   `json:"token,omitempty"` // path
	TLS         bool     `json:"tls"`             // on addresses that other hosts reach
}

// id is what --instance takes.
func (i instance) id() string { return i.Host + "-" + strconv.Itoa(i.PID) }

func instancesDir(state string) string { return filepath.Join(state, "instances") }

// write leaves the file and returns how to remove it.
func (i instance) write(state string) (forget func(), err error) {
	dir := instancesDir(state)
	if err := private.Dir(dir); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, i.id()+".json")
	return func() { _ = os.Remove(path) }, private.Replace(path, append(b, '\n'))
}

// instances are those that run, those of this host first, the newest first. The
// files of those that have ended on this host are removed.
func instances(state, host string) ([]instance, error) {
	files, err := filepath.Glob(filepath.Join(instancesDir(state), "*.json"))
	if err != nil {
		return nil, err
	}
	var all []instance
	var bad error
	for _, f := range files {
		i, err := readInstance(f)
		switch {
		case err != nil:
			bad = errors.Join(bad, err)
		case i.Host == host && !alive(i.PID):
			_ = os.Remove(f) // another may have done so
		case i.Host == host || i.answers():
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b instance) int {
		if here := a.Host == host; here != (b.Host == host) {
			return map[bool]int{true: -1, false: 1}[here]
		}
		return int(b.Started - a.Started)
	})
	all = withoutReplaced(all, host)
	if len(all) > 0 {
		bad = nil // one that cannot be read is no reason not to use another
	}
	return all, bad
}

// withoutReplaced leaves out receivers of other hosts that were killed: their files
// stay, and what answers is a newer one, as two do not listen on one address.
func withoutReplaced(newestFirst []instance, host string) (out []instance) {
	taken := map[[2]string]bool{} // host and address
	for _, i := range newestFirst {
		grpc, http := [2]string{i.Host, i.GRPC}, [2]string{i.Host, i.HTTP}
		if i.Host != host && (i.GRPC != "" && taken[grpc] || i.HTTP != "" && taken[http]) {
			continue
		}
		taken[grpc], taken[http] = true, true
		out = append(out, i)
	}
	return out
}

func readInstance(path string) (instance, error) {
	b, err := private.Read(path)
	if err != nil {
		return instance{}, err
	}
	var i instance
	if err := json.Unmarshal(b, &i); err != nil {
		return instance{}, fmt.Errorf("read %s: %w; remove it", path, err)
	}
	return i, nil
}

// alive reports whether a process of this host runs.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// answers reports whether a receiver of another host can be reached from here.
func (i instance) answers() bool {
	for _, l := range []string{i.GRPC, i.HTTP} {
		host, port, err := net.SplitHostPort(i.reach(l))
		if l == "" || err != nil || isLoopback(host) {
			continue
		}
		if c, err := net.DialTimeout("tcp", net.JoinHostPort(host, port), time.Second); err == nil {
			c.Close()
			return true
		}
	}
	return false
}

// reach is how senders call the listener at an address: by the best name of the
// host if it takes connections from other hosts.
func (i instance) reach(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || isLoopback(host) || len(i.Names) == 0 {
		return addr
	}
	return net.JoinHostPort(i.Names[0], port)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// pick chooses one by its id, its process or its host; "" is the first.
func pick(all []instance, want string) (instance, error) {
	for _, i := range all {
		if want == "" || want == i.id() || want == strconv.Itoa(i.PID) || want == i.Host {
			return i, nil
		}
	}
	if len(all) == 0 {
		return instance{}, errors.New("no lensview of yours runs here or can be reached from here: start one, with --listen 0.0.0.0:4317 for jobs on other hosts")
	}
	return instance{}, fmt.Errorf("no lensview %q runs; there is %s", want, strings.Join(ids(all), ", "))
}

func ids(all []instance) (out []string) {
	for _, i := range all {
		out = append(out, i.id())
	}
	return out
}
