package comparescreen

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// The program's header and footer take two lines.
func TestGoldens(t *testing.T) {
	for name, s := range cases(t) {
		m, coloured := open(t, s, ""), New(uitest.Coloured())
		uitest.Give(t, coloured, uitest.Data(t, s, ""))
		for _, size := range uitest.Sizes() {
			name := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			m.SetSize(size[0], size[1]-2)
			uitest.Golden(t, name, m.View())
			coloured.SetSize(size[0], size[1]-2)
			uitest.GoldenColour(t, name, coloured.View())
		}
	}
}

func TestEverySize(t *testing.T) {
	for _, s := range cases(t) {
		uitest.EverySize(t, open(t, s, ""))
	}
}
