package simulate

import "fmt"

// Naming is the generation of names a producer uses.
type Naming uint8

// Namings.
const (
	Newest Naming = iota // nv.dl.* for process facts, nv.mcore.* spans, iterations from 1
	Older                // dl.* and megatron.*, iterations from 0
)

var namings = [...]string{"newest", "older"}

// String is the word of the command line.
func (n Naming) String() string { return word(namings[:], int(n)) }

// ParseNaming reads "newest" or "older".
func ParseNaming(s string) (Naming, error) {
	i, err := choose("naming", namings[:], s)
	return Naming(i), err
}

// Detail is how deep the spans go.
type Detail uint8

// Details.
const (
	Microbatch      Detail = iota // every microbatch, its sends and receives, and the collectives
	ForwardBackward               // forward_backward, data, gradient sync and optimizer within each step
	StepOnly                      // steps, checkpoints, evaluations
)

var details = [...]string{"microbatch", "forward_backward", "step"}

// String is the word of the command line.
func (d Detail) String() string { return word(details[:], int(d)) }

// ParseDetail reads "microbatch", "forward_backward" or "step".
func ParseDetail(s string) (Detail, error) {
	i, err := choose("detail", details[:], s)
	return Detail(i), err
}

func word(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return "unknown"
}

func choose(what string, words []string, s string) (int, error) {
	for i, w := range words {
		if w == s {
			return i, nil
		}
	}
	return 0, fmt.Errorf("simulate: %s %q: choose one of %q", what, s, words)
}
