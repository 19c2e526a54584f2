package draw

import "strings"

// separators end the words of which names of spans and metrics are made.
const separators = "./:_- "

// longestWords is the bytes of a name up to which its words are looked at: what
// is longer is no name.
const longestWords = 512

// ShortName is a clean name in at most so many cells. What is cut ends in …, on a
// grapheme border. The last word tells names apart, so those before it are cut to
// their first characters, from the left and no more than it needs:
// megatron.training.forward_backward is m.trai.forward_backward… in 24 cells.
func ShortName(name string, cells int) string {
	total := Width(name)
	if total <= cells || cells <= 0 || len(name) > longestWords {
		return Truncate(name, cells)
	}
	words := wordsOf(name)
	lead := 0 // cells of the words that were cut
	for i := range len(words) - 1 {
		w := &words[i]
		total -= w.width
		w.shorten(cells - 1 - total)
		total += w.width
		lead += w.width
		if total < cells {
			return joined(words) + Ellipsis
		}
	}
	for lead > cells/2 { // initials only would tell nothing
		lead, words = lead-words[0].width, words[1:]
	}
	prefix, _ := cut(joined(words), cells-1)
	return prefix + Ellipsis
}

// word is a word of a name with the separators behind it.
type word struct {
	text  string
	width int
}

func wordsOf(name string) []word {
	var out []word
	for name != "" {
		end := strings.IndexAny(name, separators)
		if end < 0 {
			end = len(name)
		}
		for end < len(name) && strings.IndexByte(separators, name[end]) >= 0 {
			end++
		}
		out = append(out, word{name[:end], Width(name[:end])})
		name = name[end:]
	}
	return out
}

// shorten cuts a word to so many cells with its first separator, but leaves its
// first character.
func (w *word) shorten(cells int) {
	at := strings.IndexAny(w.text, separators)
	if at < 0 {
		return
	}
	text := w.text[:at]
	if prefix, _ := cut(text, max(0, cells-1)); prefix != "" || text == "" {
		text = prefix
	} else {
		text = firstCluster(text)
	}
	w.text = text + w.text[at:at+1]
	w.width = Width(w.text)
}

func joined(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
	}
	return b.String()
}
