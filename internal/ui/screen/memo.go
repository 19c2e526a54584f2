package screen

// Memo keeps what was computed for a key for as long as its stamp stays the same:
// for what depends on a part of a snapshot that seldom changes, such as the
// processes of a run. The zero Memo is ready. It belongs to one Job, which runs
// one computation at a time.
type Memo[S comparable, V any] struct{ kept map[string]memo[S, V] }

type memo[S comparable, V any] struct {
	stamp S
	value V
}

// maxMemos bounds how many keys are kept; beyond it all are forgotten.
const maxMemos = 1024

// Get is the value kept for key under this stamp, else f's.
func (m *Memo[S, V]) Get(key string, stamp S, f func() V) V {
	if old, ok := m.kept[key]; ok && old.stamp == stamp {
		return old.value
	}
	if m.kept == nil || len(m.kept) >= maxMemos {
		m.kept = map[string]memo[S, V]{}
	}
	v := f()
	m.kept[key] = memo[S, V]{stamp, v}
	return v
}
