package topologyscreen

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestGoldensInColour(t *testing.T) {
	for name, keys := range map[string][]string{"8-ranks": nil, "compute-8": {"m", "w"}, "workers-8": {"b"}} {
		m := New(uitest.Coloured())
		uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1]-2)
			if size[0] == 40 {
				uitest.Press(m, keys...)
			}
			uitest.GoldenColour(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
		}
	}
}

// From one size to any other and back the view is as before: CASES 69.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"m", "w"}, {"b", "G"}, {"G", "end"}} {
		m := open(t, ofRanks(t, 1024), "")
		uitest.Press(m, keys...)
		m.SetSize(80, 24)
		before := m.View()
		for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 24}} {
			m.SetSize(size[0], size[1])
			uitest.Inside(t, m.View(), size[0], size[1])
		}
		if m.View() != before {
			t.Errorf("after %q the view changed:\n%s\n\n%s", keys, before, m.View())
		}
	}
}
