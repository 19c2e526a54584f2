package main

import (
	"fmt"
	"io"
	"strings"
)

// setting is one variable of a job's environment.
type setting struct {
	name, value string
	secret      string // file whose first line is added to the value
	unset       bool   // instead of setting it
}

// shell writes settings so that one kind of shell takes them over.
type shell struct {
	quote             func(string) string
	set, drop, secret string // formats: name and value; name; path
}

// shells by the word of --format. Every line ends with a semicolon, for those
// that call eval without quotes, which joins lines.
func shells() map[string]shell {
	return map[string]shell{
		"sh":   {quotePOSIX, "export %s=%s;\n", "unset %s;\n", `"$(cat %s)"`},
		"csh":  {quoteCsh, "setenv %s %s;\n", "unsetenv %s;\n", "`cat %s`"},
		"fish": {quoteFish, "set -gx %s %s;\n", "set -e %s;\n", "(cat %s)"},
	}
}

// write writes the settings. A secret stays in its file: the shell reads it.
func (sh shell) write(w io.Writer, all []setting) error {
	for _, s := range all {
		line := fmt.Sprintf(sh.drop, s.name)
		if !s.unset {
			value := sh.quote(s.value)
			if s.secret != "" {
				value += fmt.Sprintf(sh.secret, sh.quote(s.secret))
			}
			line = fmt.Sprintf(sh.set, s.name, value)
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}

// plain are characters that no shell gives a meaning.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+="

func needsQuotes(s string) bool { return s == "" || strings.Trim(s, plain) != "" }

func quotePOSIX(s string) string {
	if !needsQuotes(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// quoteCsh knows that csh looks for ! in quotes too.
func quoteCsh(s string) string {
	if !needsQuotes(s) {
		return s
	}
	return "'" + strings.NewReplacer("'", `'\''`, "!", `\!`, "\n", "\\\n").Replace(s) + "'"
}

// quoteFish knows that fish reads backslashes in quotes.
func quoteFish(s string) string {
	if !needsQuotes(s) {
		return s
	}
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
