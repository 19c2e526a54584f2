package cert

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var t0 = time.Unix(1_760_000_000, 0)

func fixed() time.Time { return t0 }

// trusts is whether a client that has the certificate file takes a server's
// certificate for a name.
func trusts(t *testing.T, file []byte, conf *tls.Config, name string, at time.Time) error {
	t.Helper()
	c, err := conf.GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(file) {
		t.Fatalf("no certificate in %q", file)
	}
	_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: name, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	return err
}

func open(t *testing.T, dir string, now time.Time) (*Authority, []byte) {
	t.Helper()
	a, err := Open(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestNamesAndAddresses(t *testing.T) {
	a, file := open(t, filepath.Join(t.TempDir(), "lensview"), t0)
	conf, err := a.Config([]string{"login1", "login1.cluster.example", "10.0.0.5", "::1"}, fixed)
	if err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{
		"login1": true, "LOGIN1.cluster.example": true, "10.0.0.5": true, "::1": true,
		"login2": false, "10.0.0.6": false, "": true,
	} {
		if err := trusts(t, file, conf, name, t0); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	other, _ := open(t, t.TempDir(), t0)
	if conf, err = other.Config([]string{"login1"}, fixed); err != nil {
		t.Fatal(err)
	}
	if trusts(t, file, conf, "login1", t0) == nil {
		t.Error("the certificate of somebody else's authority is trusted")
	}
}

// New names need no new file at the senders: what they trust stays.
func TestSendersKeepWhatTheyTrust(t *testing.T) {
	dir := t.TempDir()
	_, file := open(t, dir, t0)
	a, again := open(t, dir, t0.Add(365*24*time.Hour))
	if string(file) != string(again) {
		t.Error("the certificate changed")
	}
	now := t0
	conf, err := a.Config([]string{"ib0.login1"}, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	first, _ := conf.GetCertificate(nil)
	for range 12 { // a year in which the receiver is not restarted
		now = now.Add(30 * 24 * time.Hour)
		if err := trusts(t, file, conf, "ib0.login1", now); err != nil {
			t.Fatalf("%v: %v", now, err)
		}
	}
	if last, _ := conf.GetCertificate(nil); last == first {
		t.Error("it was never signed again")
	}
}

func TestAuthorityIsRenewedBeforeItExpires(t *testing.T) {
	dir := t.TempDir()
	_, file := open(t, dir, t0)
	later := t0.Add(authorityLife - authorityRenew + time.Hour)
	a, again := open(t, dir, later)
	if string(file) == string(again) || !a.lasts(later) {
		t.Error("it was not renewed")
	}
	if conf, err := a.Config([]string{"x"}, func() time.Time { return later }); err != nil || trusts(t, again, conf, "x", later) != nil {
		t.Error("the new one does not sign", err)
	}
}

func TestTwoProgramsAtOnce(t *testing.T) {
	dir := t.TempDir()
	all := make([]*Authority, 6)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			var err error
			if all[i], err = Open(dir, t0); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, a := range all {
		if a == nil || !a.equal(all[0].PEM()) {
			t.Fatal("two programs made two authorities")
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	open(t, dir, t0)
	for _, f := range []string{keyFile, File} {
		info, err := os.Stat(filepath.Join(dir, f))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for name, spoil := range map[string]func(dir string) error{
		"rubbish": func(dir string) error { return os.WriteFile(filepath.Join(dir, keyFile), []byte("x"), 0o600) },
		"a link": func(dir string) error {
			return errors.Join(os.Rename(filepath.Join(dir, keyFile), filepath.Join(dir, "k")), os.Symlink("k", filepath.Join(dir, keyFile)))
		},
		"open to others":      func(dir string) error { return os.Chmod(filepath.Join(dir, keyFile), 0o640) },
		"certificate, no key": func(dir string) error { return os.Rename(filepath.Join(dir, File), filepath.Join(dir, keyFile)) },
		"a link to elsewhere": func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, File)), os.Symlink("../"+keyFile, filepath.Join(dir, File)))
		},
	} {
		dir := t.TempDir()
		open(t, dir, t0)
		if err := spoil(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, t0); err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "remove it") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A whole handshake, as an exporter makes it.
func TestHandshake(t *testing.T) {
	a, file := open(t, t.TempDir(), time.Now())
	conf, err := a.Config([]string{"localhost"}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(file)
	s, c := net.Pipe()
	defer s.Close()
	defer c.Close()
	served := make(chan error, 1)
	go func() { served <- tls.Server(s, conf).Handshake() }()
	client := tls.Client(c, &tls.Config{RootCAs: pool, ServerName: "localhost"})
	if err := errors.Join(client.Handshake(), <-served); err != nil {
		t.Fatal(err)
	}
	if v := client.ConnectionState().Version; v != tls.VersionTLS13 {
		t.Errorf("version %x", v)
	}
}
