package config

import (
	"strings"
)

// line is the number, from 1, of the line where a key of a table stands, or the
// heading of the table when key is "" or not found. Of several tables of that name
// it is the n-th, from 0. It is for messages: the values come from the parser.
func (c *Config) line(table, key string, n int) int {
	here, heading := "", 1
	for i, l := range strings.Split(string(c.text), "\n") {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			here = name(strings.Trim(strings.SplitN(l, "#", 2)[0], "[] \t"))
			if key != "" && here == within(table, key) { // a table where a value was expected
				return i + 1
			}
			if here != table {
				continue
			}
			heading = i + 1
			if n == 0 && key == "" {
				return heading
			}
			n--
			continue
		}
		left, _, ok := strings.Cut(l, "=")
		if ok && key != "" && within(here, name(left)) == within(table, key) {
			return i + 1
		}
	}
	return heading
}

// within is a key with the table around it.
func within(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}

// name is a key without its quotes and blanks.
func name(s string) string {
	return strings.NewReplacer(`"`, "", "'", "", " ", "", "\t", "").Replace(s)
}
