package record

import "bytes"

// Python's json writes NaN, Infinity and -Infinity as bare words, which JSON
// does not have. quoteNonFinite puts them between quotes, where OTLP reads them
// as doubles. One letter of each is written as an escape, by which a reader that
// sees the raw text can tell them from strings.
const (
	quotedNaN      = `"\u004eaN"`
	quotedInfinity = `"\u0049nfinity"`
	quotedNegative = `"-\u0049nfinity"`
)

// bareWords is each bare word with what takes its place; the longer one of two
// with the same start comes first.
func bareWords() [3][2]string {
	return [3][2]string{{"-Infinity", quotedNegative}, {"Infinity", quotedInfinity}, {"NaN", quotedNaN}}
}

// quoteNonFinite is a copy of the record with its bare words quoted; ok is false
// when there are none.
func quoteNonFinite(record []byte) (out []byte, ok bool) {
	from := 0
	for i := 0; i < len(record); {
		switch record[i] {
		case '"':
			i += stringLen(record[i:])
		case '-', 'I', 'N':
			word, quoted := bareWord(record[i:])
			if word == 0 {
				i++
				continue
			}
			out = append(append(out, record[from:i]...), quoted...)
			i += word
			from, ok = i, true
		default:
			i++
		}
	}
	return append(out, record[from:]...), ok
}

// bareWord is the length of the bare word that b begins with, 0 for none.
func bareWord(b []byte) (int, string) {
	for _, w := range bareWords() {
		if bytes.HasPrefix(b, []byte(w[0])) {
			return len(w[0]), w[1]
		}
	}
	return 0, ""
}

// stringLen is the length of the JSON string that b begins with.
func stringLen(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}
