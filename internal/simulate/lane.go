package simulate

// lane computes one iteration of one data-parallel replica: all its stages from
// the start of the step to where each begins to wait for the other lanes. It
// reuses its buffers.
type lane struct {
	m        *model
	fwd, bwd []int64 // compute times by stage and microbatch
	sentF    []int64 // when a forward's result has left its stage
	sentB    []int64
	rest     []rest
	clock    []int64 // where each stage is
	begin    []int64 // of forward_backward
	end      []int64 // of forward_backward
	ready    []int64 // for the gradient sync
	lastBack int64   // start of the last backward of the hung worker, else never
	out      [][]event
	next     []uint16 // next free span identifier by stage
}

// rest is the drawn times of a worker outside its microbatches.
type rest struct{ data, dark, tail, gc int64 }

func newLane(m *model) *lane {
	n := m.PP * m.Microbatches
	return &lane{
		m: m, fwd: make([]int64, n), bwd: make([]int64, n), sentF: make([]int64, n), sentB: make([]int64, n),
		rest: make([]rest, m.PP), clock: make([]int64, m.PP), begin: make([]int64, m.PP),
		end: make([]int64, m.PP), ready: make([]int64, m.PP), next: make([]uint16, m.PP),
	}
}

// compute runs iteration i of lane dp from start. With out, the spans of each
// stage are appended to it, in the order in which they end.
func (l *lane) compute(i, dp int, start int64, out [][]event) {
	l.out, l.lastBack = out, never
	l.draw(i, dp)
	for p := range l.m.PP {
		l.next[p] = idFree
		l.open(p, start)
	}
	for _, o := range l.m.ops {
		l.pass(o, i, dp)
	}
	for p := range l.m.PP {
		l.close(p, i, dp)
	}
	l.embedding()
}

// draw seats the dice of each worker and draws all its times.
func (l *lane) draw(i, dp int) {
	m, d := l.m, l.m.dice
	for p := range m.PP {
		d.seat(m.Seed, roomWorker, i, m.worker(p, dp))
		l.rest[p] = rest{
			data: scale(m.cost.data, d.between(0.7, 1.3)), dark: scale(m.cost.dark, d.between(0.8, 1.2)),
			tail: scale(m.cost.tail, d.between(0.8, 1.2)), gc: scale(m.cost.gc, d.between(0.9, 1.1)),
		}
		load := m.load(i, p, dp)
		for b := p * m.Microbatches; b < (p+1)*m.Microbatches; b++ {
			both := load * d.around(microSigma)
			l.fwd[b] = int64(both * forwardShare)
			l.bwd[b] = int64(both * (1 - forwardShare))
		}
	}
	l.hang(i, dp)
}

// hang makes the backward in which a worker hangs endless.
func (l *lane) hang(i, dp int) {
	h := l.m.effects.hang
	if h != nil && h.within > 0 && h.at(i, dp) {
		l.bwd[h.pp*l.m.Microbatches+h.within-1] = never
	}
}

func scale(d int64, f float64) int64 { return int64(float64(d) * f) }

// put records a span of stage p that has no children.
func (l *lane) put(p int, k kind, start, end int64, parent uint16, micro int) {
	if l.out == nil {
		return
	}
	id := l.next[p]
	l.next[p]++
	root := parent
	if root == idForwardBackward {
		root = idStep
	}
	l.out[p] = append(l.out[p], event{start: start, end: end, id: id, parent: parent, root: root, micro: int16(micro), kind: k})
}

// span records a span of stage p that has children, and therefore its own id.
func (l *lane) span(p int, e event) {
	if l.out == nil {
		return
	}
	e.root, e.micro = e.id, -1
	if e.parent != noParent {
		e.root = e.parent
	}
	l.out[p] = append(l.out[p], e)
}
