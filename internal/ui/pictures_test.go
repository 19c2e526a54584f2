package ui

import (
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// withPictures writes docs/img anew: make pictures.
const withPictures = "LENSVIEW_PICTURES"

// demoUntil is the demo with its first seed after some seconds, through the real
// store: equal at every call.
func demoUntil(t testing.TB, seconds int) *store.Snapshot {
	t.Helper()
	c := simulate.Demo(1)
	c.Start = time.Unix(0, int64(uitest.Start))
	f := simtest.New(t, c, store.Config{Receiver: func() run.Receiver {
		return run.Receiver{Listeners: []run.Listener{{Protocol: "gRPC", Addr: "127.0.0.1:4317"}}}
	}})
	f.Sender = "127.0.0.1"
	return f.Until(time.Duration(seconds) * time.Second)
}

func TestPictures(t *testing.T) {
	if os.Getenv(withPictures) == "" {
		t.Skip("writes docs/img anew; run it with make pictures")
	}
	p := start(t, demoUntil(t, 60), func(o *Options) {
		o.Theme = theme.New(theme.Options{Profile: theme.TrueColor, Dark: true})
		o.Screens = everyScreen(o.Theme)
	})
	const width, height = 120, 30
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	dir := filepath.Join("..", "..", "docs", "img")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, e := range p.app.opts.Screens {
		keys := map[string][]string{"steps": {"w"}, "topology": {"m", "w"}, "trace": {"4", "enter"}}[string(e.Name)]
		if e.Name != "trace" {
			p.press(p.app.keys.screenFor(e.Name))
		}
		p.press(keys...)
		svg := uitest.SVG(p.view(), width)
		if err := os.WriteFile(filepath.Join(dir, string(e.Name)+".svg"), []byte(svg), 0o644); err != nil {
			t.Fatal(err)
		}
		p.press("esc")
	}
}

// The pictures are of data that do not change from run to run.
func TestTheDemoIsTheSameEachTime(t *testing.T) {
	draw := func() string {
		p := start(t, demoUntil(t, 8), func(o *Options) { o.Screens = everyScreen(o.Theme) })
		p.press("3")
		return p.view()
	}
	if a, b := draw(), draw(); a != b {
		t.Errorf("first\n%s\nthen\n%s", a, b)
	}
}
