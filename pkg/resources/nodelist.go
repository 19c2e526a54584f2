package resources

import (
	"errors"
	"fmt"
)

// The bounds of ExpandNodeList. A list beyond them is a typing error or an attack:
// the largest machines have some ten thousand nodes.
const (
	MaxNodes      = 1 << 16 // names
	maxNodesBytes = 8 << 20 // of all names together
	maxDigits     = 18      // of one number, so that sums stay within int64
)

// ErrNodeList is a node list that cannot be read: unbalanced brackets, an empty
// name, or a range that is none.
var ErrNodeList = errors.New("not a node list of Slurm")

// ErrTooManyNodes is a node list that expands to more than MaxNodes names, or to
// more text than is reasonable.
var ErrTooManyNodes = errors.New("node list too long to expand")

// ExpandNodeList expands Slurm's compressed node list: "rack[0-1]n[00-02],login" is
// seven names, zeros before a number are kept, and of several brackets in a name the
// last varies fastest. An empty list has no names.
//
// A list that cannot be read (ErrNodeList) and one that would be too long
// (ErrTooManyNodes, with the count in the text) come back as they are, as one name;
// nothing is allocated for their nodes.
func ExpandNodeList(list string) ([]string, error) {
	items, err := parseNodeList(list)
	if err != nil {
		return []string{list}, err
	}
	count, bytes := measure(items)
	if count > MaxNodes || bytes > maxNodesBytes {
		return []string{list}, fmt.Errorf("%w: %d names, more than %d or %d bytes", ErrTooManyNodes, count, MaxNodes, maxNodesBytes)
	}
	names := make([]string, 0, count)
	for _, item := range items {
		names = append(names, item.expand()...)
	}
	return names, nil
}

// CountNodes is the number of names in Slurm's compressed node list, without
// expanding it: right also for a list that is too long to expand (at most
// math.MaxInt64). The error is ErrNodeList.
func CountNodes(list string) (int64, error) {
	items, err := parseNodeList(list)
	count, _ := measure(items)
	return count, err
}
