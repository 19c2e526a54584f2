package theme

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func everyTheme() map[string]Theme {
	out := map[string]Theme{}
	for p := None; p <= TrueColor; p++ {
		for _, dark := range []bool{false, true} {
			for _, ascii := range []bool{false, true} {
				name := p.String()
				if dark {
					name += " dark"
				}
				if ascii {
					name += " ascii"
				}
				out[name] = New(Options{Profile: p, Dark: dark, ASCII: ascii})
			}
		}
	}
	return out
}

// styles is every Style field of a theme by name.
func styles(t Theme) map[string]Style {
	out := map[string]Style{}
	v := reflect.ValueOf(t)
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		if s, ok := v.Field(i).Interface().(Style); ok {
			out[v.Type().Field(i).Name] = s
		}
	}
	return out
}

func fieldsOf(t Theme) reflect.Value { return reflect.ValueOf(t.Glyphs) }

func TestNoColoursMeansNoEscapes(t *testing.T) {
	th := New(Options{Dark: true})
	for name, s := range styles(th) {
		if got := s.Render("x"); got != "x" {
			t.Errorf("%s drew %q", name, got)
		}
	}
	for level := range Levels {
		if c := th.Shade(level).Cell; strings.Contains(c, "\x1b") {
			t.Errorf("shade %d drew %q", level, c)
		}
	}
}

func TestStylesEndWhatTheyBegin(t *testing.T) {
	for name, th := range everyTheme() {
		for field, s := range styles(th) {
			got := s.Render("text")
			if ansi.Strip(got) != "text" {
				t.Errorf("%s: %s drew %q", name, field, got)
			}
			if strings.Contains(got, "\x1b") && !strings.HasSuffix(got, "\x1b[0m") {
				t.Errorf("%s: %s does not end: %q", name, field, got)
			}
			if s.Render("") != "" {
				t.Errorf("%s: %s draws nothing as %q", name, field, s.Render(""))
			}
		}
	}
}

func TestProfilesUseTheirOwnColours(t *testing.T) {
	for _, test := range []struct {
		profile    Profile
		has, hasnt string
	}{{ANSI16, "31m", "38;"}, {ANSI256, "38;5;", "38;2;"}, {TrueColor, "38;2;", "38;5;"}} {
		got := New(Options{Profile: test.profile, Dark: true}).Bad.Render("x")
		if !strings.Contains(got, test.has) || strings.Contains(got, test.hasnt) {
			t.Errorf("%s drew %q", test.profile, got)
		}
	}
}

func TestMeaningsLookDifferent(t *testing.T) {
	for name, th := range everyTheme() {
		if th.Profile == None {
			continue
		}
		seen := map[string]string{}
		for field, s := range map[string]Style{"Good": th.Good, "Warn": th.Warn, "Bad": th.Bad, "Plain": th.Plain} {
			if other, ok := seen[s.On()]; ok {
				t.Errorf("%s: %s looks like %s", name, field, other)
			}
			seen[s.On()] = field
		}
		if th.Selected.IsPlain() || th.Match.IsPlain() {
			t.Errorf("%s: the selection or a hit cannot be seen", name)
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	for name, th := range everyTheme() {
		v := fieldsOf(th)
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			all, ok := v.Field(i).Interface().([]string)
			if !ok {
				all = []string{v.Field(i).String()}
			}
			for _, g := range all {
				if ansi.StringWidth(g) != 1 {
					t.Errorf("%s: %s %q is %d cells", name, field, g, ansi.StringWidth(g))
				}
				if th.ASCII && g[0] >= utf8.RuneSelf {
					t.Errorf("%s: %s %q is not ASCII", name, field, g)
				}
			}
		}
	}
}

func TestMeaningIsNotByColourAlone(t *testing.T) {
	for name, th := range everyTheme() {
		g := th.Glyphs
		for _, set := range [][]string{
			{g.Compute, g.Wait, g.IO, g.Other, g.Dark}, {g.Yes, g.No}, {g.Live, g.Paused, g.File},
			{g.Ascending, g.Desc}, {g.Folded, g.Unfolded}, g.Spark, g.Parts,
		} {
			if repeated := repeats(set); repeated != "" {
				t.Errorf("%s: %q stands for two things in %q", name, repeated, set)
			}
		}
		if th.ASCII && repeats(shades(th)) != "" {
			t.Errorf("%s: shades repeat: %q", name, shades(th))
		}
	}
}

func shades(t Theme) []string {
	var out []string
	for i := range Levels {
		out = append(out, t.Shade(i).Glyph)
	}
	return out
}

func repeats(set []string) string {
	seen := map[string]bool{}
	for _, s := range set {
		if seen[s] {
			return s
		}
		seen[s] = true
	}
	return ""
}

func TestShadesRise(t *testing.T) {
	if got := strings.Join(shades(New(Options{ASCII: true})), ""); got != ".:-=+*#%@" {
		t.Errorf("ASCII shades %q, want .:-=+*#%%@", got)
	}
	th := New(Options{Profile: TrueColor})
	if th.Shade(-5) != th.Shade(0) || th.Shade(99) != th.Shade(Levels-1) {
		t.Error("levels outside the ramp are not clamped")
	}
}

func TestLevel(t *testing.T) {
	for _, test := range []struct {
		v, low, high float64
		want         int
		ok           bool
	}{
		{0, 0, 9, 0, true}, {9, 0, 9, 8, true}, {4.5, 0, 9, 4, true}, {-1, 0, 9, 0, true}, {99, 0, 9, 8, true},
		{5, 5, 5, 0, true}, {math.NaN(), 0, 1, 0, false}, {math.Inf(1), 0, 1, 8, true}, {math.Inf(-1), 0, 1, 0, true},
	} {
		if got, ok := Level(test.v, test.low, test.high); got != test.want || ok != test.ok {
			t.Errorf("Level(%v, %v, %v) = %d, %v", test.v, test.low, test.high, got, ok)
		}
	}
}

func TestNearest256(t *testing.T) {
	for c, want := range map[uint32]int{0xff0000: 196, 0x000000: 16, 0xffffff: 231, 0x808080: 244, 0x5fafff: 75} {
		if got := nearest256(c); got != want {
			t.Errorf("nearest256(%06x) = %d, want %d", c, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	th := New(Options{Profile: ANSI16})
	got := th.Match.Within(th.Selected, "hit")
	if ansi.Strip(got) != "hit" || !strings.HasSuffix(got, th.Selected.On()) {
		t.Errorf("the base does not go on: %q", got)
	}
	if got := (Style{}).Within(th.Selected, "x"); got != "x" {
		t.Errorf("plain within drew %q", got)
	}
}

func TestLipglossAsksNobody(t *testing.T) {
	if got := New(Options{}).Lipgloss(New(Options{}).Bad).Render("x"); got != "x" {
		t.Errorf("without colours lipgloss drew %q", got)
	}
	th := New(Options{Profile: TrueColor, Dark: true})
	if got := th.Lipgloss(th.Good).Render("x"); !strings.Contains(got, "38;2;") {
		t.Errorf("in true colour lipgloss drew %q", got)
	}
}

func TestProfileNames(t *testing.T) {
	for p, want := range map[Profile]string{None: "none", ANSI16: "16", ANSI256: "256", TrueColor: "truecolor", 99: "truecolor"} {
		if got := p.String(); got != want {
			t.Errorf("%d is %q, want %q", p, got, want)
		}
	}
}

func TestLightAndDarkDiffer(t *testing.T) {
	dark, light := New(Options{Profile: TrueColor, Dark: true}), New(Options{Profile: TrueColor})
	if dark.Good == light.Good || dark.Selected == light.Selected || dark.Shade(3).Cell == light.Shade(3).Cell {
		t.Error("a light terminal gets the colours of a dark one")
	}
}

// contrast is the ratio of WCAG 2.1 (1.4.3) between two colours.
func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(c uint32) float64 {
	part := func(v uint32) float64 {
		f := float64(v&0xff) / 255
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c>>16) + 0.7152*part(c>>8) + 0.0722*part(c)
}

func TestTextCanBeRead(t *testing.T) {
	k := inks()
	for name, ink := range map[string]ink{"dim": k.dim, "accent": k.accent, "good": k.good, "warn": k.warn, "bad": k.bad, "other": k.other} {
		if got := contrast(ink.dark, 0x1e1e1e); got < 4.5 {
			t.Errorf("%s on a dark background has contrast %.1f, want 4.5", name, got)
		}
		if got := contrast(ink.light, 0xffffff); got < 4.5 {
			t.Errorf("%s on a light background has contrast %.1f, want 4.5", name, got)
		}
	}
	for name, pair := range map[string][2]ink{"selection": {k.selectedText, k.selected}, "hit": {k.black, k.match}} {
		if dark, light := contrast(pair[0].dark, pair[1].dark), contrast(pair[0].light, pair[1].light); dark < 4.5 || light < 4.5 {
			t.Errorf("%s has contrast %.1f on dark and %.1f on light, want 4.5", name, dark, light)
		}
	}
}

func TestSixteenColoursNeverUseBrightBlack(t *testing.T) {
	for field, s := range styles(New(Options{Profile: ANSI16, Dark: true})) {
		if strings.Contains(s.On(), "90") || strings.Contains(s.On(), "100") {
			t.Errorf("%s is %q: the background of some palettes", field, s.On())
		}
	}
}
