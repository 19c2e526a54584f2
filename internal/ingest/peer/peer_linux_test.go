package peer

import (
	"errors"
	"flag"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// caller makes the test binary a client: it connects and waits for the end of
// its standard input.
var caller = flag.String("peer.caller", "", "be a client of this address")

func TestMain(m *testing.M) {
	flag.Parse()
	if *caller == "" {
		os.Exit(m.Run())
	}
	network := "tcp"
	if strings.HasPrefix(*caller, "/") {
		network = "unix"
	}
	c, err := net.Dial(network, *caller)
	if err != nil {
		os.Exit(1)
	}
	defer c.Close()
	os.Stdin.Read(make([]byte, 1))
}

// both are the two ends of a connection.
func both(t testing.TB, network, listen, dial string) (server, client net.Conn) {
	t.Helper()
	l, err := net.Listen(network, listen)
	if err != nil {
		t.Skip("cannot listen here: ", err)
	}
	t.Cleanup(func() { l.Close() })
	if network == "tcp" || network == "tcp4" {
		_, port, _ := net.SplitHostPort(l.Addr().String())
		dial = net.JoinHostPort(dial, port)
	}
	client, err = net.Dial(network, dial)
	if err != nil {
		t.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close(); client.Close() })
	return server, client
}

func TestOwnConnections(t *testing.T) {
	sock := filepath.Join(t.TempDir(), "s")
	for name, c := range map[string]struct{ network, listen, dial string }{
		"IPv4":         {"tcp", "127.0.0.1:0", "127.0.0.1"},
		"IPv6":         {"tcp", "[::1]:0", "::1"},
		"IPv4 in IPv6": {"tcp", "[::]:0", "127.0.0.1"},
		"Unix socket":  {"unix", sock, sock},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := both(t, c.network, c.listen, c.dial)
			if uid, err := UID(s); err != nil || uid != uint32(os.Getuid()) {
				t.Errorf("user %d, %v; want %d", uid, err, os.Getuid())
			}
		})
	}
}

// Both ways to ask give the same, so either may fail.
func TestBothWaysAgree(t *testing.T) {
	s, c := both(t, "tcp", "127.0.0.1:0", "127.0.0.1")
	at, to := c.LocalAddr().(*net.TCPAddr).AddrPort(), s.LocalAddr().(*net.TCPAddr).AddrPort()
	searched, err := search(plain(at), plain(to))
	if err != nil || searched.inode == 0 || searched.uid != uint32(os.Getuid()) {
		t.Errorf("table: %+v, %v", searched, err)
	}
	asked, err := ask(plain(at), plain(to))
	if err != nil {
		t.Skip("this kernel answers no such questions: ", err)
	}
	if asked != searched {
		t.Errorf("asked %+v, searched %+v", asked, searched)
	}
}

// A socket that its process has closed is nobody's, though the kernel names
// user 0 for it, who may be the user of the receiver.
func TestClosedEndIsNobodys(t *testing.T) {
	s, c := both(t, "tcp", "127.0.0.1:0", "127.0.0.1")
	c.Close()
	if uid, err := UID(s); !errors.Is(err, ErrUnknown) {
		t.Errorf("user %d, %v", uid, err)
	}
}

func TestOtherConnectionsAreUnknown(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if _, err := UID(a); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := tcpOwner(a.RemoteAddr(), a.LocalAddr()); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// A second local user is told from the first.
func TestAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be two users")
	}
	const nobody = 65534
	dir := t.TempDir()
	for d := dir; d != "/" && d != "/tmp"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sock := filepath.Join(dir, "s")
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": sock} {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if network == "unix" {
			if err := os.Chmod(sock, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("/proc/self/exe", "-peer.caller="+l.Addr().String())
		cmd.Dir, cmd.Stderr = "/", os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Skip("cannot run as another user: ", err)
		}
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if uid, err := UID(c); err != nil || uid != nobody {
			t.Errorf("%s: user %d, %v", network, uid, err)
		}
		if a, ok := c.RemoteAddr().(*net.TCPAddr); ok {
			if s, err := search(plain(a.AddrPort()), plain(c.LocalAddr().(*net.TCPAddr).AddrPort())); err != nil || s.uid != nobody {
				t.Errorf("table: %+v, %v", s, err)
			}
		}
		in.Close()
		cmd.Wait()
		c.Close()
	}
}

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:10DD 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 1584 1 0 100 0 0 10 0
   1: 0100007F:9C41 0100007F:10DD 01 00000000:00000000 00:00000000 00000000  1002        0 20001 1 0 20 4 30 10 -1
   2: 0100007F:10DD 0100007F:9C41 01 00000000:00000000 00:00000000 00000000  1001        0 20002 1 0 20 4 30 10 -1
   3: 0100007F:9C42 0100007F:10DD 05 00000000:00000000 03:00001000 00000000     0        0 0 3 0
   4: 0100007F:9C43 0100007F:10DD 01
`

func TestSearchTable(t *testing.T) {
	if hexAddr(netip.MustParseAddrPort("127.0.0.1:80")) != "0100007F:0050" {
		t.Skip("the table above is of a little-endian host")
	}
	server := netip.MustParseAddrPort("127.0.0.1:4317")
	for port, want := range map[uint16]struct {
		socket
		ok bool
	}{
		0x9c41: {socket{1002, 20001}, true},
		0x9c42: {socket{0, 0}, true},
		0x9c43: {socket{}, false}, // a row that is cut
		0x9c44: {socket{}, false}, // none
	} {
		s, err := searchTable(strings.NewReader(table), netip.AddrPortFrom(server.Addr(), port), server)
		if s != want.socket || (err == nil) != want.ok {
			t.Errorf("%x: %+v, %v", port, s, err)
		}
	}
	six := netip.MustParseAddrPort("[::1]:4317")
	if got := hexAddr(six); got != "00000000000000000000000001000000:10DD" {
		t.Errorf("IPv6: %s", got)
	}
}

func TestAnswerForAnotherSocket(t *testing.T) {
	at, to := netip.MustParseAddrPort("127.0.0.1:1000"), netip.MustParseAddrPort("127.0.0.1:4317")
	b := make([]byte, headerLen+messageLen)
	b[4] = 20
	copy(b[headerLen+4:], socketID(at, to))
	if _, err := readAnswer(b, at, to); err != nil {
		t.Error(err)
	}
	if _, err := readAnswer(b, to, at); err == nil {
		t.Error("an answer for another socket is taken")
	}
	if _, err := readAnswer(b[:40], at, to); err == nil {
		t.Error("a short answer is taken")
	}
}

func FuzzAnswer(f *testing.F) {
	at, to := netip.MustParseAddrPort("127.0.0.1:1000"), netip.MustParseAddrPort("[::1]:4317")
	f.Add(question(at, to))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = readAnswer(b, at, to)
		_, _ = searchTable(strings.NewReader(string(b)), at, to)
	})
}

// BenchmarkUID is what each connection costs.
func BenchmarkUID(b *testing.B) {
	s, _ := both(b, "tcp", "127.0.0.1:0", "127.0.0.1")
	b.Run("either", func(b *testing.B) {
		for b.Loop() {
			if _, err := UID(s); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("table", func(b *testing.B) {
		at, to := s.RemoteAddr().(*net.TCPAddr).AddrPort(), s.LocalAddr().(*net.TCPAddr).AddrPort()
		for b.Loop() {
			if _, err := search(at, to); err != nil {
				b.Fatal(err)
			}
		}
	})
}
