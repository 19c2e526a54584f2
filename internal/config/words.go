package config

import (
	"fmt"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// themeName is the word for a theme. It is a struct because the TOML library fills
// a string by itself, unchecked.
type themeName struct{ word string }

// Themes are the legal words for a theme.
func Themes() []string { return []string{"auto", "dark", "light", "mono"} }

// UnmarshalText takes one of Themes.
func (t *themeName) UnmarshalText(text []byte) error {
	for _, w := range Themes() {
		if w == string(text) {
			t.word = w
			return nil
		}
	}
	return fmt.Errorf("theme %q: use %s", text, strings.Join(Themes(), ", "))
}

// className is the word for a class of a phase; the zero className is other.
type className run.Class

// UnmarshalText takes the report's word of a class.
func (c *className) UnmarshalText(text []byte) error {
	var words []string
	for k := run.Class(0); k < run.ClassCount; k++ {
		if k.String() == string(text) {
			*c = className(k)
			return nil
		}
		words = append(words, k.String())
	}
	return fmt.Errorf("class %q: use %s", text, strings.Join(words, ", "))
}
