package resources

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// nodeItem is one entry of a list: text and brackets by turns.
type nodeItem []nodePart

// nodePart is the text before a bracket with the ranges in it. The last part of an
// item may have no ranges.
type nodePart struct {
	text   string
	ranges []nodeRange
}

type nodeRange struct {
	low, high int64
	width     int
}

func parseNodeList(list string) ([]nodeItem, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var items []nodeItem
	for _, text := range splitOutside(list) {
		item, err := parseNodeItem(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrNodeList, cut(text), err)
		}
		items = append(items, item)
	}
	return items, nil
}

// splitOutside splits at the commas outside of brackets.
func splitOutside(list string) []string {
	var parts []string
	start, inside := 0, false
	for i, c := range list {
		switch {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case c == ',' && !inside:
			parts = append(parts, list[start:i])
			start = i + 1
		}
	}
	return append(parts, list[start:])
}

func parseNodeItem(text string) (nodeItem, error) {
	if text == "" {
		return nil, errors.New("an empty name")
	}
	var item nodeItem
	for text != "" {
		before, rest, bracket := strings.Cut(text, "[")
		if strings.Contains(before, "]") {
			return nil, errors.New(`a "]" without "["`)
		}
		if !bracket {
			return append(item, nodePart{text: before}), nil
		}
		inside, after, closed := strings.Cut(rest, "]")
		if !closed {
			return nil, errors.New(`a "[" without "]"`)
		}
		ranges, err := parseRanges(inside)
		if err != nil {
			return nil, err
		}
		item = append(item, nodePart{before, ranges})
		text = after
	}
	return item, nil
}

func parseRanges(text string) ([]nodeRange, error) {
	var ranges []nodeRange
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		r := nodeRange{width: len(low)}
		var ok, ok2 bool
		r.low, ok = number(low)
		r.high, ok2 = number(high)
		if !ok || !ok2 || r.low > r.high {
			return nil, fmt.Errorf("%q is no range of numbers", cut(part))
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}

func number(digits string) (int64, bool) {
	if len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}
