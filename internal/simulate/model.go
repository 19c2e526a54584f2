package simulate

// model is a configuration made ready to be computed. It is read only, but for
// its dice.
type model struct {
	Config
	lay     layout
	ops     []op
	cost    costs
	skew    []float64 // per worker, of compute
	effects effects
	dice    dice
}

func newModel(c Config) (*model, error) {
	c, err := c.normalize()
	if err != nil {
		return nil, err
	}
	m := &model{Config: c, lay: c.layout(), cost: c.costs(), ops: oneF1B(c.PP, c.Microbatches), dice: newDice()}
	m.skew = make([]float64, c.PP*c.DP)
	for w := range m.skew {
		m.dice.seat(c.Seed, roomSkew, w, 0)
		m.skew[w] = m.dice.around(skewSigma)
	}
	m.effects = c.effects()
	return m, nil
}

// worker is the index of a worker.
func (m *model) worker(pp, dp int) int { return pp*m.DP + dp }

// load is the mean compute time of one microbatch of a worker in an iteration.
func (m *model) load(i, pp, dp int) float64 {
	load := m.cost.compute * m.skew[m.worker(pp, dp)] * m.effects.compute(i, pp, dp)
	load *= m.effects.uneven(m.Seed, m.DP, i, dp)
	if m.PP > 1 && pp == 0 {
		load *= firstStage
	}
	if m.PP > 1 && pp == m.PP-1 {
		load *= lastStage
	}
	if m.effects.first(i) {
		load *= warmupFactor
	}
	return load
}

// every reports whether a periodic event falls on iteration i: on the last of
// each period, never on the first iteration of the run.
func every(i, period int) bool { return period > 0 && i > 0 && (i+1)%period == 0 }

// number is how spans number iteration i.
func (m *model) number(i int) int { return m.names().iteration(i - m.effects.shift(i)) }

// notANumber reports whether the gradient norm of iteration i is NaN, so that
// its update is skipped.
func (m *model) notANumber(i int) bool { return every(i, m.NaNEvery) }
