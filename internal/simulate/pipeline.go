package simulate

// op is one pass of one microbatch through one stage.
type op struct {
	stage, micro int
	back         bool
}

// oneF1B is the non-interleaved 1F1B schedule of a lane, all stages merged into
// one order in which every op comes after the ops it waits for.
func oneF1B(stages, micros int) []op {
	own := make([][]op, stages)
	for p := range own {
		own[p] = stageOrder(p, stages, micros)
	}
	merged := make([]op, 0, 2*stages*micros)
	pos := make([]int, stages)
	var done passes
	done.init(stages, micros)
	for len(merged) < cap(merged) {
		for p := range own {
			for pos[p] < len(own[p]) && done.ready(own[p][pos[p]], stages) {
				done.mark(own[p][pos[p]])
				merged = append(merged, own[p][pos[p]])
				pos[p]++
			}
		}
	}
	return merged
}

// stageOrder is what one stage does: forwards until the pipeline is full, then
// one forward and one backward in turn, then the backwards that are left.
func stageOrder(p, stages, micros int) []op {
	warm := min(stages-1-p, micros)
	ops := make([]op, 0, 2*micros)
	for i := range warm {
		ops = append(ops, op{p, i, false})
	}
	for i := warm; i < micros; i++ {
		ops = append(ops, op{p, i, false}, op{p, i - warm, true})
	}
	for i := micros - warm; i < micros; i++ {
		ops = append(ops, op{p, i, true})
	}
	return ops
}

// passes remembers which forwards and backwards are done.
type passes struct{ forward, backward [][]bool }

func (d *passes) init(stages, micros int) {
	d.forward, d.backward = make([][]bool, stages), make([][]bool, stages)
	for p := range stages {
		d.forward[p], d.backward[p] = make([]bool, micros), make([]bool, micros)
	}
}

func (d *passes) ready(o op, stages int) bool {
	switch {
	case !o.back:
		return o.stage == 0 || d.forward[o.stage-1][o.micro]
	case o.stage == stages-1:
		return d.forward[o.stage][o.micro]
	}
	return d.backward[o.stage+1][o.micro]
}

func (d *passes) mark(o op) {
	if o.back {
		d.backward[o.stage][o.micro] = true
		return
	}
	d.forward[o.stage][o.micro] = true
}
