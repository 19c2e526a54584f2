package screen

import tea "github.com/charmbracelet/bubbletea"

// Job computes something off the event loop: one computation at a time, always
// on the newest input, never on one that was overtaken. Q is what the answer
// depends on besides the snapshot's version (run, filter, grouping): an answer to
// an older Q is dropped, one to an older version is still shown, so that a slow
// computation under a fast stream moves the screen at its own pace.
//
// The zero Job is ready. It belongs to the event loop.
type Job[Q comparable, R any] struct {
	want    Q
	running bool
	next    func() R // waits until the running one is done
}

// answer comes back through the event loop. The job's address tells whose it is.
type answer[Q comparable, R any] struct {
	job    *Job[Q, R]
	query  Q
	result R
}

// Start asks for f's result under q. f runs in another goroutine: it may look
// only at snapshots and at what it was given.
func (j *Job[Q, R]) Start(q Q, f func() R) tea.Cmd {
	j.want = q
	if j.running {
		j.next = f
		return nil
	}
	j.running = true
	return func() tea.Msg { return answer[Q, R]{job: j, query: q, result: f()} }
}

// Take looks at a message. mine says that it was this job's; then fresh says that
// result is to be shown, and next is a command to run.
func (j *Job[Q, R]) Take(msg tea.Msg) (result R, fresh, mine bool, next tea.Cmd) {
	a, ok := msg.(answer[Q, R])
	if !ok || a.job != j {
		return result, false, false, nil
	}
	j.running = false
	if j.next != nil {
		next = j.Start(j.want, j.next)
		j.next = nil
	}
	return a.result, a.query == j.want, true, next
}
