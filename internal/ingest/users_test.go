//go:build linux

package ingest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestSecondLocalUser: a process of another user of the host is refused over
// loopback and the socket, and let in with the token over loopback; the socket
// it cannot even open.
func TestSecondLocalUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	const nobody = 65534
	m := new(memory)
	path := socketPath(t)
	s := start(t, Config{Token: "4f2a", Unix: path}, m)
	program := ownBinary(t)
	send := func(uid uint32, token string) string {
		cmd := exec.Command(program, "-ingest.child=sender", "-ingest.to="+addr(t, s, "gRPC")+","+addr(t, s, "HTTP")+","+path, "-ingest.token="+token)
		cmd.Dir, cmd.Stderr = "/", os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	for _, c := range []struct {
		who   string
		uid   uint32
		token string
		want  string
	}{
		{"the same user", 0, "", "OK 200 OK 200"},
		{"another user", nobody, "", "Unauthenticated 401 Unavailable unreachable"},
		{"another user with a wrong token", nobody, "4f2b", "Unauthenticated 401 Unavailable unreachable"},
		{"another user with the token", nobody, "4f2a", "OK 200 Unavailable unreachable"},
	} {
		if got := send(c.uid, c.token); got != c.want {
			t.Errorf("%s: %s, want %s", c.who, got, c.want)
		}
	}
	if r := refused(s, "other-user"); r.Count != 2 || !strings.Contains(r.Text, "user 65534 of this host") {
		t.Errorf("the screen says %+v", s.Stats().Refused)
	}

	// Were the modes of the socket wrong, the kernel would still tell.
	for p, mode := range map[string]os.FileMode{filepath.Dir(path): 0o777, path: 0o777} {
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
	}
	for token, want := range map[string]string{"": "Unauthenticated 401 Unauthenticated 401", "4f2a": "OK 200 OK 200"} {
		if got := send(nobody, token); got != want {
			t.Errorf("socket open to all, token %q: %s, want %s", token, got, want)
		}
	}
	if n := m.count(run.Traces); n != 0 {
		t.Errorf("%d spans", n)
	}
}

// A second local user is let in where that was asked for.
func TestSecondLocalUserLetIn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	s := start(t, Config{AllowOtherUsers: true, Unix: socketPath(t)}, new(memory))
	cmd := exec.Command(ownBinary(t), "-ingest.child=sender", "-ingest.to="+addr(t, s, "gRPC")+","+addr(t, s, "HTTP")+",/nowhere")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != "OK 200 Unavailable unreachable" {
		t.Errorf("%s, %v", got, err)
	}
	if n := notice(s, "other-users"); n.Count == 0 {
		t.Error("no notice says so")
	}
}
