//go:build linux

package ingest

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// twoNodes makes two network namespaces joined by a cable, a login node and a
// compute node, and returns their names. Where that is not possible the test is
// skipped.
func twoNodes(t *testing.T) (login, compute string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make network namespaces")
	}
	id := fmt.Sprint("lv", os.Getpid())
	login, compute = id+"l", id+"c"
	t.Cleanup(func() {
		exec.Command("ip", "netns", "del", login).Run()
		exec.Command("ip", "netns", "del", compute).Run()
	})
	for _, line := range []string{
		"netns add " + login, "netns add " + compute,
		"-n " + login + " link add cable0 type veth peer name cable1 netns " + compute,
		"-n " + login + " addr add 10.99.0.1/24 dev cable0", "-n " + compute + " addr add 10.99.0.2/24 dev cable1",
		"-n " + login + " link set cable0 up", "-n " + compute + " link set cable1 up",
		"-n " + login + " link set lo up", "-n " + compute + " link set lo up",
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: ip %s: %v %s", line, err, out)
		}
	}
	return login, compute
}

// TestLoginAndComputeNode: a receiver on a login node, senders on a compute
// node. Loopback of the one is not that of the other; what the login node opens
// to the network wants token and certificate.
func TestLoginAndComputeNode(t *testing.T) {
	login, compute := twoNodes(t)
	dir := t.TempDir()
	cmd := exec.Command("ip", "netns", "exec", login, os.Args[0], "-ingest.child=login", "-ingest.to="+dir)
	cmd.Stderr = os.Stderr
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	answers := bufio.NewReader(out)
	var overGRPC, overHTTP, local string
	if _, err := fmt.Fscanln(answers, &overGRPC, &overHTTP, &local); err != nil {
		t.Fatal(err)
	}
	_, grpcPort, _ := net.SplitHostPort(overGRPC)
	_, httpPort, _ := net.SplitHostPort(overHTTP)
	from := func(node, host, token, ca string) string {
		cmd := exec.Command("ip", "netns", "exec", node, os.Args[0], "-ingest.child=sender", "-ingest.token="+token, "-ingest.ca="+ca,
			"-ingest.to="+net.JoinHostPort(host, grpcPort)+","+net.JoinHostPort(host, httpPort)+",/nowhere")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		f := strings.Fields(string(out))
		return strings.Join(f[:2], " ")
	}
	for _, c := range []struct{ name, node, host, token, ca, want string }{
		{"token and certificate", compute, "10.99.0.1", childSecret, dir, "OK 200"},
		{"no token", compute, "10.99.0.1", "", dir, "Unauthenticated 401"},
		{"wrong token", compute, "10.99.0.1", "guess", dir, "Unauthenticated 401"},
		{"no certificate", compute, "10.99.0.1", childSecret, "", "Unavailable 400"},
		{"the compute node's own loopback", compute, "127.0.0.1", childSecret, dir, "Unavailable unreachable"},
		{"from the login node itself", login, "10.99.0.1", "", dir, "Unauthenticated 401"},
		{"over the login node's loopback", login, "127.0.0.1", "", dir, "OK 200"},
	} {
		if got := from(c.node, c.host, c.token, c.ca); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// What listens on loopback is not there for others at all.
	_, grpcPort, _ = net.SplitHostPort(local)
	httpPort = grpcPort
	if got := from(compute, "10.99.0.1", childSecret, ""); got != "Unavailable unreachable" {
		t.Errorf("loopback from the compute node: %s", got)
	}
}
