package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestHeaderAtWidths(t *testing.T) {
	s := training(t)
	s.Notices = []run.Notice{{Code: "a", Level: run.Warning, Text: "x"}}
	p := start(t, s, func(o *Options) { o.Filter = "rank=0..63" })
	got := map[int]string{}
	for _, width := range []int{40, 60, 80, 120} {
		p.send(tea.WindowSizeMsg{Width: width, Height: 24})
		got[width] = strings.TrimRight(p.header(), " ")
	}
	want := map[int]string{
		40:  "1 Runs  [! SLOW]  * LIVE  /rank=0..63",
		60:  "1 Runs  [! SLOW]  62/64 ranks  !1  * LIVE  /rank=0..63",
		80:  "1 Runs  llama-70b  [! SLOW]  it 12  62/64 ranks  !1  * LIVE  /rank=0..63",
		120: "1 Runs  llama-70b  [! SLOW]  it 12  62/64 ranks  !1  * LIVE  /rank=0..63",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeaderShowsTheRate(t *testing.T) {
	s := training(t)
	p := start(t, s)
	p.lacks(p.header(), "spans/s")
	next := *s
	next.Version++
	next.Now += 2e9
	next.Accounts[run.Traces].Received += 24_690
	p.source.snap = &next
	p.tick()
	p.wants(p.header(), "12.3k spans/s")
}

func TestMode(t *testing.T) {
	listening := run.Receiver{Listeners: []run.Listener{{Protocol: "gRPC", Addr: "127.0.0.1:4317"}}}
	for _, test := range []struct {
		name string
		snap store.Snapshot
		want string
	}{
		{"live", store.Snapshot{Live: true, Receiver: listening}, "* LIVE"},
		{"listening, nothing comes", store.Snapshot{Receiver: listening}, "- IDLE"},
		{"file", store.Snapshot{Clock: store.SenderClock}, "# FILE"},
		{"followed file", store.Snapshot{Live: true}, "* LIVE"},
	} {
		p := start(t, &test.snap)
		p.wants(p.header(), test.want)
	}
}

// A recording keeps when things were received, but nothing will come any more.
func TestRecordingThatDoesNotGrowIsAFile(t *testing.T) {
	p := start(t, &store.Snapshot{Live: true}, func(o *Options) { o.Still = true })
	p.wants(p.header(), "# FILE")
}

// later is the snapshot some seconds on: only the receivers' clock has moved.
func later(s *store.Snapshot, seconds int64) *store.Snapshot {
	next := *s
	next.Version += uint64(seconds)
	next.Now += seconds * 1e9
	return &next
}

// A hung run whose metrics go on must not read as live without more.
func TestARunThatMakesNoStepIsNotJustLive(t *testing.T) {
	s := training(t)
	p := start(t, s)
	for _, test := range []struct {
		seconds  int64
		it, mode string
	}{{1, "it 12  62/64 ranks", "* LIVE"}, {15, "it 12 16s ago  62/64 ranks", "* LIVE"}, {40, "it 12 41s ago  62/64 ranks", "! LATE 41s"}} {
		next := later(s, test.seconds)
		run := *next.Runs[0]
		run.Last = next.Now // metrics
		next.Runs = []*store.Run{&run}
		p.source.snap = next
		p.tick()
		p.wants(p.header(), test.it)
		p.wants(p.header(), test.mode)
	}
	p.wants(p.view(), "  x STALLED  ") // the table of runs says what the diagnosis says
}

func TestLongFilterIsCutNotWrapped(t *testing.T) {
	p := start(t, training(t), func(o *Options) { o.Filter = "name=~" + strings.Repeat("x", 300) })
	uitest.Inside(t, p.view(), 120, 30)
	if !strings.HasSuffix(p.header(), ">") {
		t.Errorf("header %q does not say that more was cut", p.header())
	}
}

func TestStatesAreToldWithoutColours(t *testing.T) {
	p := start(t, training(t), func(o *Options) { o.Theme = theme.New(theme.Options{}) })
	if strings.Contains(p.view(), "\x1b") {
		t.Error("without colours there are escape sequences")
	}
	p.wants(p.view(), "> * llama-70b")
}

func TestFooterDropsKeysThatDoNotFit(t *testing.T) {
	p := start(t, training(t))
	p.press("3")
	for width := 40; width <= 140; width += 7 {
		p.send(tea.WindowSizeMsg{Width: width, Height: 20})
		f := strings.TrimRight(p.footer(), " ")
		if !strings.HasPrefix(f, "Enter ") || !strings.HasSuffix(f, "? help") || strings.Contains(f, ">") {
			t.Errorf("width %d: %q", width, f)
		}
	}
}

func TestArrange(t *testing.T) {
	for _, test := range []struct {
		width, height int
		notice        int
		want          layout
	}{
		{80, 24, 0, layout{top: 1, height: 22}},
		{80, 24, 1, layout{top: 1, height: 21, notice: 1}},
		{80, 24, 9, layout{top: 1, height: 19, notice: 3}},
		{40, 12, 0, layout{top: 1, height: 10}},
		{39, 12, 0, layout{tooSmall: true}},
		{40, 11, 1, layout{tooSmall: true}},
		{0, 0, 0, layout{tooSmall: true}},
	} {
		if got := arrange(test.width, test.height, test.notice); got != test.want {
			t.Errorf("%dx%d, notice %d: %+v, want %+v", test.width, test.height, test.notice, got, test.want)
		}
	}
}

func TestOverdraw(t *testing.T) {
	for _, test := range []struct{ under, over, want string }{
		{"a b c", "x", "a b x"}, {"a b c", "x y z", "x y z"}, {"a b", "w x y z", "y z"}, {"a b", "", "a b"}, {"", "x", ""},
	} {
		lines := strings.Fields(test.under)
		overdraw(lines, strings.Fields(test.over))
		if got := strings.Join(lines, " "); got != test.want {
			t.Errorf("%q over %q: %q, want %q", test.over, test.under, got, test.want)
		}
	}
}

func TestWithout(t *testing.T) {
	fields := []field{{"a", theme.Style{}, 0}, {"bb", theme.Style{}, 7}, {"ccc", theme.Style{}, 1}}
	if got := total(fields); got != 6+4 {
		t.Errorf("%d cells, want 10", got)
	}
	if got := fmt.Sprint(len(without(fields, 7)), len(without(fields, 5)), total(nil)); got != "2 3 0" {
		t.Errorf("left: %s", got)
	}
}

func TestTooSmallSaysWhatIsNeeded(t *testing.T) {
	p := start(t, training(t))
	for _, size := range [][2]int{{39, 30}, {31, 4}, {20, 5}, {12, 2}} {
		p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		p.wants(p.view(), "need 40x12")
		uitest.Inside(t, p.view(), size[0], size[1])
	}
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.wants(p.view(), "llama-70b")
	if strings.Contains(p.view(), draw.Ellipsis) {
		t.Error("an ASCII terminal gets an ellipsis")
	}
}
