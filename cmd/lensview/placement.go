package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/config"
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

// storeConfig is what the flags and the configuration file say of a store.
func storeConfig(c *config.Config, p placement, memory byteSize) (store.Config, error) {
	names, err := phases(c)
	if err != nil {
		return store.Config{}, err
	}
	order, err := run.ParseOrder(p.order)
	if err != nil {
		return store.Config{}, usageError{fmt.Errorf("--rank-order: %w", err)}
	}
	if p.cp < 0 || p.ep < 0 {
		return store.Config{}, usageError{fmt.Errorf("--cp %d, --ep %d: sizes are 1 or more", p.cp, p.ep)}
	}
	sizes := run.UnknownSizes()
	sizes.CP, sizes.EP = p.cp, p.ep
	return store.Config{Budget: uint64(memory), Phases: names, Order: order, Sizes: sizes, Thresholds: c.Thresholds}, nil
}

// fileConfig is storeConfig for a store that files are read into.
func fileConfig(e env, path string, p placement, memory byteSize) (store.Config, error) {
	c, err := configuration(e, path)
	if err != nil {
		return store.Config{}, err
	}
	kept, err := storeConfig(c, p, memory)
	kept.Files = true
	return kept, err
}
