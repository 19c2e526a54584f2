package query

import (
	"slices"
	"sort"
	"strconv"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// source is where completions take keys and values from.
type source struct {
	snapshot *store.Snapshot
	run      *store.Run // nil when there is none
}

// The samples are bounded: completion answers a key press.
const (
	sampleProcesses = 1024
	sampleSpans     = 4096
	sampleKeys      = 200
)

// keys offers short keys, then the attributes of spans and resources.
func (s source) keys(o *offers) {
	for _, k := range shortKeys {
		o.add(k.Name, k.About, false)
	}
	if s.run == nil {
		return
	}
	for _, key := range s.run.SpanKeys(sampleKeys) {
		o.key(key, "attribute of spans")
	}
	for _, key := range s.resourceKeys() {
		o.key(key, "attribute of the process")
	}
}

// key offers an attribute; one that looks like a word of the language is quoted.
func (o *offers) key(key, about string) { o.add(key, about, true) }

func (s source) resourceKeys() []string {
	var out []string
	for _, p := range s.someProcesses() {
		for _, a := range p.Resource {
			if len(out) < sampleKeys && !slices.Contains(out, a.Key) {
				out = append(out, a.Key)
			}
		}
	}
	return out
}

func (s source) someProcesses() []*store.Process {
	if s.run == nil {
		return nil
	}
	return s.run.Processes[:min(len(s.run.Processes), sampleProcesses)]
}

// afterTerm offers the operators of a key, then what joins terms.
func (s source) afterTerm(o *offers, key string) {
	ops := []string(nil)
	if k := shortKey(key); k != nil {
		ops = k.Operators()
	} else if key != "" {
		ops = anyValue.operators()
	}
	for _, op := range ops {
		o.add(op, "", false)
	}
	for _, w := range []string{"and", "or", "not"} {
		o.add(w, "", false)
	}
	if o.prefix != "" {
		s.keys(o)
	}
}

// values offers what the key is known to be.
func (s source) values(o *offers, key, op string) {
	k := shortKey(key)
	if k == nil {
		s.attributeValues(o, key)
		return
	}
	for _, w := range k.Words {
		o.add(w, "", false)
	}
	switch k.on {
	case onDur:
		for _, d := range []string{"1ms", "10ms", "100ms", "1s", "10s"} {
			o.add(d, "", false)
		}
	case onName, onPhase:
		s.names(o, k.on)
	case onIter:
		s.iterations(o)
	case onRun:
		s.runs(o)
	case onClass, onStatus, onKind, onTruncated, onError, onTrace, onSpan:
	default:
		s.facts(o, k)
	}
}

func (s source) runs(o *offers) {
	if s.snapshot == nil {
		return
	}
	for _, r := range s.snapshot.Runs {
		o.add(r.ID, r.Service, true)
	}
}

func (s source) names(o *offers, on subject) {
	if s.run == nil {
		return
	}
	var seen []string
	for _, n := range s.run.Names {
		text, about := n.Text, n.Phase.Name
		if on == onPhase {
			text, about = n.Phase.Name, n.Phase.Class.String()
		}
		if text != "" && !slices.Contains(seen, text) {
			seen = append(seen, text)
			o.add(text, about, true)
		}
	}
}

// iterations offers the newest ones.
func (s source) iterations(o *offers) {
	if s.run == nil {
		return
	}
	cols := s.run.Columns
	for i := len(cols) - 1; i >= 0 && i >= len(cols)-maxCompletions; i-- {
		o.add(strconv.FormatInt(cols[i].Iteration, 10), "", false)
	}
}

// facts offers the values that the processes have, numbers in rising order.
func (s source) facts(o *offers, k *Key) {
	t := term{on: k.on, shape: k.shape}
	nums, words := map[int]bool{}, map[string]bool{}
	for _, p := range s.someProcesses() {
		if k.shape == integer {
			nums[t.number(s.run, p)] = true
		} else {
			words[t.text(p)] = true
		}
	}
	delete(nums, run.Unknown)
	delete(words, "")
	for _, n := range sorted(nums) {
		o.add(strconv.Itoa(n), "", false)
	}
	for _, w := range sorted(words) {
		o.add(w, "", true)
	}
}

func sorted[K int | string](set map[K]bool) []K {
	out := make([]K, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// attributeValues offers what the newest spans and the resources have.
func (s source) attributeValues(o *offers, key string) {
	seen := map[string]int{}
	spellings := run.Aliases(key).Keys
	for _, p := range s.someProcesses() {
		if v, ok := resourceValue(p.Resource, spellings); ok {
			seen[v.String()]++
		}
	}
	s.spanValues(seen, store.NewKey(spellings...))
	texts := make([]string, 0, len(seen))
	for v := range seen {
		texts = append(texts, v)
	}
	sort.Slice(texts, func(i, j int) bool {
		if seen[texts[i]] != seen[texts[j]] {
			return seen[texts[i]] > seen[texts[j]]
		}
		return texts[i] < texts[j]
	})
	for _, v := range texts {
		o.add(v, "", true)
	}
}

// spanValues counts the values of a sample of the newest spans.
func (s source) spanValues(seen map[string]int, key *store.KeyHandle) {
	if s.run == nil || !s.run.HasSpanKey(key) {
		return
	}
	left := sampleSpans
	for n := len(s.run.Chunks) - 1; n >= 0 && left > 0; n-- {
		c := s.run.Chunks[n]
		for i := c.Len() - 1; i >= 0 && left > 0; i, left = i-1, left-1 {
			if v, ok := c.Value(i, key); ok && !c.Dead(i) {
				seen[v.String()]++
			}
		}
	}
}
