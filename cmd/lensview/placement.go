package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// placement says how ranks are numbered, for runs that do not send their ranks'
// coordinates.
type placement struct {
	order  string
	cp, ep int
}

func (p *placement) bind(f *pflag.FlagSet) {
	f.StringVar(&p.order, "rank-order", run.DefaultRankOrder, "`order` in which ranks are numbered, the fastest dimension first")
	f.IntVar(&p.cp, "cp", 0, "context parallel size, where it is not sent and does not follow from the others")
	f.IntVar(&p.ep, "ep", 0, "expert parallel size, where it is not sent")
}

// into gives the store what was said.
func (p placement) into(c *store.Config) error {
	order, err := run.ParseOrder(p.order)
	if err != nil {
		return usageError{fmt.Errorf("--rank-order: %w", err)}
	}
	if p.cp < 0 || p.ep < 0 {
		return usageError{fmt.Errorf("--cp %d, --ep %d: sizes are 1 or more", p.cp, p.ep)}
	}
	sizes := run.UnknownSizes()
	sizes.CP, sizes.EP = p.cp, p.ep
	c.Order, c.Sizes = order, sizes
	return nil
}
