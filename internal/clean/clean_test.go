package clean

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestTextNeverDrivesATerminal(t *testing.T) {
	tests := []struct{ in, want string }{
		{"train.step", "train.step"},
		{"\x1b]52;c;ZXZpbA==\x07x\x1b[2J", "^[]52;c;ZXZpbA==^Gx^[[2J"},
		{"\u009b31m", "<009B>31m"},
		{"a\r\nb\tc", "a^M^Jb^Ic"},
		{"\u202ereversed", "<202E>reversed"},
		{"\x1bPq#0\x1b\\", "^[Pq#0^[\\"},
		{"del\x7f", "del^?"},
		{"zero\u200bwidth", "zero<200B>width"},
		{"训练步骤", "训练步骤"},
		{"bad\xffbyte", "bad\ufffdbyte"},
		{"\u302fleading mark", "\u25cc\u302fleading mark"},
		{"a \u0301b", "a \u25cc\u0301b"},
		{"e\u0301", "e\u0301"},
		{"\u0e33", "\u25cc\u0e33"},
		{"x\U000111c2", "x<111C2>"},
	}
	for _, tt := range tests {
		if got := Text(tt.in); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b[31m\u202e\u009bx")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Text(s) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("Text(%q) keeps %U", s, r)
			}
		}
		if again := Text(Text(s)); again != Text(s) {
			t.Fatalf("cleaning twice changes %q", s)
		}
	})
}

func FuzzJSONKeepsTheValue(f *testing.F) {
	f.Add("a\u009bb\u202ec\U000e0001\x7f\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\ufffd")
		b, err := json.Marshal(s)
		if err != nil {
			t.Skip()
		}
		safe := JSON(b)
		for _, r := range string(safe) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q keeps %U", s, r)
			}
		}
		var back string
		if err := json.Unmarshal(safe, &back); err != nil || back != s {
			t.Fatalf("%q came back as %q: %v", s, back, err)
		}
	})
}
