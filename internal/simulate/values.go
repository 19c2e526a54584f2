package simulate

import "math"

// values are the numbers that training reports of an iteration. They are those
// of the whole world: every rank reports the same.
type values struct {
	loss, gradNorm, rate float64
	tokensPerSec, tflops float64 // tflops is of one GPU
}

// Shape of the simulated training: loss falls from firstLoss towards lastLoss
// over about decay iterations, and the learning rate warms up linearly and then
// falls as a cosine.
const (
	firstLoss   = 10.8
	lastLoss    = 1.9
	decay       = 400
	peakRate    = 3e-4
	warmupSteps = 50
	rateSteps   = 5000
	flopsToken  = 6 * 7e9 // of a model of 7 billion parameters
)

// values of a finished iteration.
func (m *model) values(s *slot) values {
	d, i := m.dice, s.index
	d.seat(m.Seed, roomValues, i, 0)
	fall := math.Exp(-float64(i) / decay)
	v := values{
		loss:     (lastLoss + (firstLoss-lastLoss)*fall) * d.around(0.004),
		gradNorm: (0.6 + 4*fall) * d.around(0.08),
		rate:     peakRate * min(1, float64(i+1)/warmupSteps),
	}
	if i >= warmupSteps {
		v.rate = peakRate * (0.55 + 0.45*math.Cos(math.Pi*min(1, float64(i)/rateSteps)))
	}
	if m.notANumber(i) {
		v.gradNorm = math.NaN()
	}
	v.tokensPerSec = float64(m.tokens()) / (float64(s.totals.lasted) / 1e9)
	v.tflops = v.tokensPerSec * flopsToken / float64(m.Ranks()) / 1e12
	return v
}
