package telemetry

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/pkg/resources"
)

// Strategy decides whether the process of a rank exports. It is asked once, at
// set-up, and only of processes that have a rank: without one a process exports.
type Strategy func(StrategyInput) (export bool, err error)

// StrategyInput is what a strategy may go by.
type StrategyInput struct {
	Config    Config
	Rank      int
	WorldSize int // 0 when unknown
	Lookup    Lookup
}

// Strategies is the strategies by name. A program's own are added by WithStrategy.
type Strategies map[string]Strategy

// BuiltinStrategies returns the four strategies of the Python library:
//
//   - single_rank: the rank Config.ExportRank, or the last one;
//   - all_ranks;
//   - sampled: the ranks of InSample;
//   - first_rank_per_node: local rank 0 by LOCAL_RANK, else by SLURM_LOCALID;
//     without either every rank; what is no number is an error.
func BuiltinStrategies() Strategies {
	return Strategies{
		"single_rank":         singleRank,
		"all_ranks":           func(StrategyInput) (bool, error) { return true, nil },
		"sampled":             func(in StrategyInput) (bool, error) { return InSample(in.Rank, in.Config.ExportSampleRate), nil },
		"first_rank_per_node": firstRankPerNode,
	}
}

// Names is the names in order.
func (s Strategies) Names() []string { return slices.Sorted(maps.Keys(s)) }

func (s Strategies) named(name string) (Strategy, error) {
	if f := s[name]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%q is no export strategy; write one of %s", name, strings.Join(s.Names(), ", "))
}

func singleRank(in StrategyInput) (bool, error) {
	if in.Config.ExportRank >= 0 {
		return in.Rank == in.Config.ExportRank, nil
	}
	return in.WorldSize <= 0 || in.Rank == in.WorldSize-1, nil
}

func firstRankPerNode(in StrategyInput) (bool, error) {
	local, known, err := resources.LocalRankFromEnv(resources.WithLookup(in.Lookup))
	return err == nil && (!known || local == 0), err
}

// InSample reports whether a rank is in a sample of the given share. The choice is
// that of the Python library, so that Go and Python processes of one rank agree: the
// MD5 sum of the decimal rank, as a number, modulo 10000, is below the rate's part
// of 10000. A rate of 1 has all ranks in it, one of 0 none.
func InSample(rank int, rate float64) bool {
	sum := md5.Sum([]byte(strconv.Itoa(rank)))
	hi, lo := binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:])
	n := new(big.Int).SetUint64(hi)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(lo))
	return float64(n.Mod(n, big.NewInt(10000)).Int64())/10000 < rate
}
