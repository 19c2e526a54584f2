package spansscreen

import (
	"errors"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// offer is one way to go on in the prompt: text in the place of the bytes from …
// to.
type offer struct {
	text, about string
	from, to    int
}

// presets are groupings by several levels.
func presets() []offer {
	return []offer{
		{text: "run pp rank", about: "run, pipeline stage, rank"},
		{text: "run role rank", about: "run, role, rank"},
		{text: "name rank", about: "the ranks of each operation"},
		{text: "name host", about: "the hosts of each operation"},
		{text: "name pp", about: "the stages of each operation"},
	}
}

// abouts says what the named dimensions are.
func about(dimension string) string {
	switch dimension {
	case "tp", "cp", "ep", "dp":
		return "coordinate, sent or derived"
	case "pp":
		return "pipeline stage, sent or derived"
	case "run":
		return "every run"
	case "phase":
		return "what the span name means"
	case "class":
		return "step, compute, wait, io or other"
	case "name":
		return "span name"
	}
	return ""
}

// maxKeys bounds the attributes that are offered; any other can be typed.
const maxKeys = 200

// offersFor is what fits at the cursor: groupings while nothing is typed, then
// dimensions and attributes that hold the word under the cursor.
func offersFor(text string, cursor int, runs []*store.Run) []offer {
	word, from := wordAt(text[:cursor])
	var first, rest []offer
	add := func(name, about string) {
		o := offer{text: quoteLevel(name), about: about, from: from, to: cursor}
		switch low := strings.ToLower(name); {
		case o.text == "":
		case strings.HasPrefix(low, strings.ToLower(word)):
			first = append(first, o)
		case strings.Contains(low, strings.ToLower(word)):
			rest = append(rest, o)
		}
	}
	if strings.TrimSpace(text) == "" {
		for _, p := range presets() {
			first = append(first, offer{p.text, p.about, 0, len(text)})
		}
	}
	for _, d := range analysis.Dimensions() {
		add(d, about(d))
	}
	for _, k := range attributes(runs) {
		add(k.text, k.about)
	}
	return append(first, rest...)
}

// attributes is the attributes of spans and processes, each once.
func attributes(runs []*store.Run) []offer {
	var out []offer
	seen := map[string]bool{}
	add := func(key, about string) {
		if !seen[key] && len(out) < maxKeys {
			seen[key] = true
			out = append(out, offer{text: key, about: about})
		}
	}
	for _, r := range runs {
		for _, key := range r.SpanKeys(maxKeys) {
			add(key, "attribute of spans")
		}
	}
	for _, r := range runs {
		for _, p := range r.Processes {
			for _, a := range p.Resource {
				add(a.Key, "attribute of the process")
			}
			if len(out) >= maxKeys {
				return out
			}
		}
	}
	return out
}

// isKnown reports whether a word is a dimension or was sent as an attribute.
func isKnown(word string, runs []*store.Run) bool {
	if slices.Contains(analysis.Dimensions(), word) {
		return true
	}
	spellings := run.Aliases(word).Keys
	return slices.ContainsFunc(runs, func(r *store.Run) bool {
		return r.HasSpanKey(store.NewKey(spellings...)) || slices.ContainsFunc(r.Processes, func(p *store.Process) bool {
			return slices.ContainsFunc(p.Resource, func(a run.Attr) bool { return slices.Contains(spellings, a.Key) })
		})
	})
}

// between is what stands between levels, unless it is quoted.
const between = " ,>"

// splitLevels reads levels: words, or texts in double quotes.
func splitLevels(text string) ([]string, error) {
	var out []string
	for {
		text = strings.TrimLeft(text, between)
		if text == "" {
			return out, nil
		}
		if text[0] != '"' {
			end := strings.IndexAny(text+" ", between)
			out, text = append(out, text[:end]), text[end:]
			continue
		}
		end := strings.IndexByte(text[1:], '"')
		if end < 0 {
			return nil, errors.New("the quote is not closed")
		}
		out, text = append(out, text[1:1+end]), text[2+end:]
	}
}

// wordAt is the word at the end of a text and where it begins.
func wordAt(text string) (word string, from int) {
	from = strings.LastIndexAny(text, between) + 1
	if strings.Count(text, `"`)%2 == 1 {
		from = strings.LastIndexByte(text, '"')
	}
	return strings.Trim(text[from:], `"`), from
}

// quoteLevel writes a level as splitLevels reads it, "" when it cannot be
// written.
func quoteLevel(s string) string {
	switch {
	case s == "" || strings.Contains(s, `"`):
		return ""
	case strings.ContainsAny(s, between):
		return `"` + s + `"`
	}
	return s
}
