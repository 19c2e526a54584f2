package uitest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func TestSVG(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.TrueColor, Dark: true})
	view := "a <b>  " + th.Bad.Render("bad") + "\n" + th.Selected.Render("训练 sel") + " z\n" + th.BadgeWarn.Render("[! SLOW]")
	svg := SVG(view, 20)
	for _, want := range []string{
		`>&lt;b&gt;</text>`, `fill="#ff6b6b" font-weight="bold">bad</text>`, `fill="#264f78"/>`, `>训练</text>`, `fill="#ffaf5f"/>`,
		`x="87.6" y="43.5"`, // z, behind four cells of two characters and four more
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is missing in\n%s", want, svg)
		}
	}
	if svg != SVG(view, 20) {
		t.Error("the same view makes another picture")
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}
