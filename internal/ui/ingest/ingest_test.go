package ingestscreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

const now = int64(uitest.Start)

// busy is an instance to which all that can happen has happened.
func busy() *store.Snapshot {
	traces := run.Account{Received: 1_234_567, Kept: 1_000_000, Evicted: 234_000, Rejected: 500, Duplicates: 60, Replaced: 5, InFlight: 2}
	s := &store.Snapshot{
		Version: 7, Now: now, Live: true,
		Accounts: [run.SignalCount]run.Account{traces, {Received: 4551, Kept: 4551}, {Received: 23, Kept: 22}},
		Memory:   store.Memory{Budget: 512 << 20, Data: 400 << 20, Used: 311 << 20, Fixed: 81 << 20, Chunks: 302, Dropped: 17},
		Receiver: run.Receiver{
			Listeners: []run.Listener{{Protocol: "gRPC", Addr: "127.0.0.1:4317"}, {Protocol: "HTTP", Addr: "127.0.0.1:4318"}},
			Refused: []run.Refusal{
				{Code: "http-on-grpc-port", Text: "HTTP client on the gRPC port 4317 (use 4318)", Count: 3, At: now - 12e9},
				{Code: "too-large", Text: "1 request refused: 80 MB > limit 64 MB", Count: 1, At: now - 90e9},
			},
			Requests: 12_345, Bytes: 5 << 30, Repaired: 2, Conns: 64,
		},
		Notices: []run.Notice{
			{Code: "info", Level: run.Info, Text: "nothing to worry about", At: now - 5e9},
			{Code: "shared-span-ids", Level: run.Warning, Text: "ranks 0, 1 share span ids (seeded RNG?)", Run: "llama-70b", Count: 41, At: now - 3e9},
			{Code: "disk", Level: run.Critical, Text: "recording stopped: no space left", At: now},
		},
	}
	for i := range 70 {
		s.Senders = append(s.Senders, store.Sender{Name: fmt.Sprintf("10.0.%d.%d", i/8, i%8), Requests: 100, Bytes: 1 << 20, Last: now - int64(i)*1e9,
			Accounts: [run.SignalCount]run.Account{{Received: uint64(1000 - i), Kept: uint64(1000 - i)}, {Received: 60, Kept: 60}}})
	}
	return s
}

func newScreen(t testing.TB, s *store.Snapshot) *Model {
	t.Helper()
	m := New(theme.New(theme.Options{ASCII: true}))
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s, ""))
	return m
}

func TestGoldens(t *testing.T) {
	for name, s := range map[string]*store.Snapshot{
		"busy": busy(), "0-ranks": uitest.Snapshot(t), "file": {Clock: store.SenderClock, Now: now},
		"1-rank":     uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 1, Steps: 4, Slow: -1}),
		"1024-ranks": uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 1024, Steps: 2, Slow: -1}),
	} {
		if len(s.Receiver.Listeners) > 0 {
			s.Memory = busy().Memory // the store's own figures are the store's to test
		}
		m := newScreen(t, s)
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
		}
	}
}

func TestPanes(t *testing.T) {
	m := newScreen(t, busy())
	m.SetSize(80, 24)
	for _, want := range []string{"HTTP client on the gRPC port 4317", "recording stopped: no space left", "10.0.0.0"} {
		uitest.Press(m, "tab")
		if !strings.Contains(m.View(), want) {
			t.Errorf("after Tab %q is not shown:\n%s", want, m.View())
		}
	}
	uitest.Press(m, "shift+tab")
	if m.pane != notices {
		t.Errorf("Shift-Tab went to pane %d", m.pane)
	}
	strip := len(m.head())
	m.Update(uitest.Click(16, strip))
	if m.pane != refused {
		t.Errorf("a click on Refused went to pane %d", m.pane)
	}
	m.Update(uitest.Click(79, strip))
	if m.pane != refused {
		t.Errorf("a click beside the names went to pane %d", m.pane)
	}
}

func TestGravestNoticeFirst(t *testing.T) {
	m := newScreen(t, busy())
	uitest.Press(m, "shift+tab")
	for i, want := range []run.Level{run.Critical, run.Warning, run.Info} {
		if m.said[i].Level != want {
			t.Errorf("notice %d is %s, want %s", i, m.said[i].Level, want)
		}
	}
}

func TestIdentityIsShown(t *testing.T) {
	s := busy()
	if got := accountCell(theme.New(theme.Options{}), s.Accounts[run.Traces], "check").Text; got != "✓" {
		t.Errorf("balanced traces show %q", got)
	}
	if got := accountCell(theme.New(theme.Options{}), s.Accounts[run.Logs], "check").Text; got != "✗" {
		t.Errorf("logs that do not add up show %q", got)
	}
}

func TestCursorAndCopy(t *testing.T) {
	m := newScreen(t, busy())
	uitest.Press(m, "j", "j")
	if got := m.CopyText(); !strings.HasPrefix(got, "10.0.0.1 spans received 999") {
		t.Errorf("copied %q, want the third row", got)
	}
	m.Update(uitest.Click(5, len(m.head())+2))
	if got := m.CopyText(); !strings.HasPrefix(got, "10.0.0.0 spans") {
		t.Errorf("after a click on the first row copied %q", got)
	}
	uitest.Press(m, "tab")
	if got := m.CopyText(); got != "HTTP client on the gRPC port 4317 (use 4318)" {
		t.Errorf("copied %q, want the refusal", got)
	}
	uitest.Press(m, "tab")
	if got := m.CopyText(); got != "recording stopped: no space left" {
		t.Errorf("copied %q, want the notice", got)
	}
	if got := newScreen(t, &store.Snapshot{}).CopyText(); got != "" {
		t.Errorf("without rows copied %q", got)
	}
}

func TestEverySize(t *testing.T) {
	for _, s := range []*store.Snapshot{{}, busy()} {
		m := newScreen(t, s)
		for range paneCount {
			uitest.Press(m, "G")
			uitest.EverySize(t, m)
			uitest.Press(m, "tab")
		}
	}
}

func TestHostileText(t *testing.T) {
	s := busy()
	s.Senders, s.Notices, s.Receiver.Refused = nil, nil, nil
	for _, text := range uitest.Hostile() {
		s.Senders = append(s.Senders, store.Sender{Name: text, Accounts: [run.SignalCount]run.Account{{Received: 1, Kept: 1}}})
		s.Notices = append(s.Notices, run.Notice{Code: text, Text: text, Run: text})
		s.Receiver.Refused = append(s.Receiver.Refused, run.Refusal{Code: text, Text: text})
	}
	m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
	m.SetSize(200, 60)
	var _ screen.Screen = m
	uitest.Give(t, m, uitest.Data(t, s, ""))
	for range paneCount {
		uitest.Harmless(t, m.View())
		uitest.Inside(t, m.View(), 200, 60)
		uitest.Press(m, "tab")
	}
}
