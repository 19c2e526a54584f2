// Package theme is how lensview looks, as one value: ready-made styles, the
// glyphs that go with them, and the ramp of shades for measures. It asks the
// environment nothing: what the terminal can do is given from outside.
//
// No meaning is carried by colour alone: every style that says something has a
// glyph or a word beside it, so that a screen reads the same without colours.
package theme
