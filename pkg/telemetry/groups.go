package telemetry

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Group is a group of spans that is switched on or off together. The zero value is
// Job; a program's own come from Groups.Add.
type Group uint8

// The groups that every program has. Job, Checkpoint and Evaluate are the preset
// "default"; all eight are "per_step".
const (
	Job             Group = iota // the whole job and its long parts
	Checkpoint                   // saving checkpoints
	Evaluate                     // evaluation between iterations
	ModelInit                    // building the model
	LoadCheckpoint               // reading a checkpoint
	Step                         // one training iteration
	ForwardBackward              // the forward and backward passes of an iteration
	Optimizer                    // the optimizer's part of an iteration
	builtinGroups
)

const maxGroups = 64 // one bit each

// GroupSet is a set of groups.
type GroupSet uint64

// Has reports whether a group is in the set.
func (s GroupSet) Has(g Group) bool { return s&(1<<(g&63)) != 0 }

func setOf(groups ...Group) GroupSet {
	var s GroupSet
	for _, g := range groups {
		s |= 1 << (g & 63)
	}
	return s
}

// Groups is the names of groups and presets that SPAN_GROUPS may use. A program
// adds its own and passes it to Setup by WithGroups. It must be complete by then.
type Groups struct {
	names   []string // by Group
	presets map[string]GroupSet
}

// NewGroups returns the built-in groups and presets, to which a program may add.
func NewGroups() *Groups {
	return &Groups{
		names: []string{"job", "checkpoint", "evaluate", "model_init", "load_checkpoint", "step", "forward_backward", "optimizer"},
		presets: map[string]GroupSet{
			"default":  setOf(Job, Checkpoint, Evaluate),
			"per_step": 1<<builtinGroups - 1,
		},
	}
}

// Add registers a group under a name of lower-case letters, digits, "_", "-" and
// ".". A name that is taken and a 65th group are errors.
func (g *Groups) Add(name string) (Group, error) {
	if err := g.free(name); err != nil {
		return 0, err
	}
	if len(g.names) == maxGroups {
		return 0, fmt.Errorf("span group %q: there are %d groups already, the most there can be", name, maxGroups)
	}
	g.names = append(g.names, name)
	return Group(len(g.names) - 1), nil
}

// AddPreset registers a name for several groups.
func (g *Groups) AddPreset(name string, groups ...Group) error {
	if err := g.free(name); err != nil {
		return err
	}
	for _, member := range groups {
		if int(member) >= len(g.names) {
			return fmt.Errorf("span group preset %q: group %d is not registered", name, member)
		}
	}
	g.presets[name] = setOf(groups...)
	return nil
}

func (g *Groups) free(name string) error {
	switch {
	case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != "":
		return fmt.Errorf("span group %q: a name is made of lower-case letters, digits, and _ - . only", name)
	case slices.Contains(g.Words(), name):
		return fmt.Errorf("span group %q: the name is taken", name)
	}
	return nil
}

// Words is all that a list of groups may say, in order: groups, presets and "all".
func (g *Groups) Words() []string {
	words := append(slices.Clone(g.names), slices.Collect(maps.Keys(g.presets))...)
	words = append(words, "all")
	slices.Sort(words)
	return words
}

// Resolve reads a list of groups and presets, separated by commas, in any case.
// An empty list has no groups; an unknown word is an error that lists the valid
// ones.
func (g *Groups) Resolve(list string) (GroupSet, error) {
	var all GroupSet
	var unknown error
	for word := range strings.SplitSeq(strings.ToLower(list), ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		set, ok := g.word(word)
		if !ok {
			unknown = errors.Join(unknown, fmt.Errorf("%q is no span group or preset; write some of %s", word, strings.Join(g.Words(), ", ")))
		}
		all |= set
	}
	return all, unknown
}

func (g *Groups) word(word string) (GroupSet, bool) {
	if word == "all" {
		return 1<<len(g.names) - 1, true
	}
	if i := slices.Index(g.names, word); i >= 0 {
		return setOf(Group(i)), true
	}
	set, ok := g.presets[word]
	return set, ok
}

// clone keeps later additions from a set-up that is running.
func (g *Groups) clone() *Groups {
	return &Groups{slices.Clone(g.names), maps.Clone(g.presets)}
}

// SetSpanGroups changes which groups are on, by a list as SPAN_GROUPS has it. On a
// rank that does not export, and after Shutdown, it changes nothing.
func (h *Handle) SetSpanGroups(list string) error {
	if h == nil {
		return nil
	}
	set, err := h.groups.Resolve(list)
	if err != nil || !h.exporting {
		return err
	}
	select {
	case <-h.done:
	default:
		h.mask.Store(uint64(set))
	}
	return nil
}
