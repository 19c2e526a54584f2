package analysis

import (
	"testing"
)

// TestOffsetsOfHosts: hosts a minute apart, ranks that end their steps together.
func TestOffsetsOfHosts(t *testing.T) {
	f := newFeed(t)
	c := toy{dp: 8, steps: 25, compute: one(900, 2), skew: func(r int) float64 { return float64(r/4) * 60_000 }}
	c.send(f)
	s, r := f.look()
	v := newView(s, r, DiagnoseOptions{})
	k := v.fitClocks()
	if !k.trusted || k.residual > 1e-4 {
		t.Errorf("residual %g", k.residual)
	}
	if between := k.offset[7] - k.offset[0]; !near(between, 60, 1e-5) {
		t.Errorf("hosts are %g s apart, want 60", between)
	}
	d := Diagnose(s, r, DiagnoseOptions{})
	if x := d.Stragglers.Found[0]; x.LastIn != 1 {
		t.Errorf("%+v", x)
	}
}

// TestClocksThatDrift beyond what the fit explains say nothing of arrival.
func TestClocksThatDrift(t *testing.T) {
	f := newFeed(t)
	c := toy{dp: 8, steps: 25, compute: one(900, 2)}
	c.defaults()
	for step := range 25 {
		c.skew = func(rank int) float64 { return float64((rank*7+step*13)%11) * 40 }
		for rank := range 8 {
			c.sendStep(f, rank, step)
		}
	}
	s, r := f.look()
	v := newView(s, r, DiagnoseOptions{})
	if k := v.fitClocks(); k.trusted {
		t.Errorf("residual %g is trusted", k.residual)
	}
	d := Diagnose(s, r, DiagnoseOptions{})
	if len(d.Stragglers.Found) != 1 || d.Stragglers.Found[0].LastIn == d.Stragglers.Found[0].LastIn {
		t.Fatalf("found %+v", d.Stragglers.Found)
	}
	for _, signal := range d.Stragglers.Found[0].Signals {
		if signal == Arrival {
			t.Error("arrival is a signal")
		}
	}
}
