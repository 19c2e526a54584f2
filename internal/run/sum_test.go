package run_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func sumOf(ns ...uint64) run.Sum {
	var s run.Sum
	for _, n := range ns {
		s.Add(n)
	}
	return s
}

func TestSumBeyond64Bits(t *testing.T) {
	var s run.Sum
	for range 3000 {
		s.Add(3_200_000_000_000_000)
	}
	if got := s.Mean(3000); got != 3_200_000_000_000_000 {
		t.Errorf("mean of 3,000 × 3.2e15 ns = %d", got)
	}
	if got := s.Seconds(); got != 9.6e9 {
		t.Errorf("3,000 × 3.2e15 ns = %v s, want 9.6e9", got)
	}
	for range 3000 {
		s.Add(3_200_000_000_000_000)
	}
	if _, ok := s.Total(); ok {
		t.Error("1.92e19 ns said to fit 64 bits")
	}
	if got := s.Mean(6000); got != 3_200_000_000_000_000 {
		t.Errorf("mean of 6,000 × 3.2e15 ns = %d", got)
	}
}

func TestSumMean(t *testing.T) {
	tests := []struct {
		name string
		sum  run.Sum
		n    uint64
		want uint64
	}{
		{"nothing", run.Sum{}, 0, 0},
		{"one", sumOf(7), 1, 7},
		{"half rounds up", sumOf(1, 2), 2, 2},
		{"third rounds down", sumOf(1, 1, 2), 3, 1},
		{"largest", sumOf(math.MaxUint64, math.MaxUint64), 2, math.MaxUint64},
		{"nine steps of a second", sumOf(1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9), 9, 1e9},
		{"fewer than were added", sumOf(math.MaxUint64, math.MaxUint64, math.MaxUint64), 1, math.MaxUint64},
	}
	for _, tt := range tests {
		if got := tt.sum.Mean(tt.n); got != tt.want {
			t.Errorf("%s: mean = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestSumOrder(t *testing.T) {
	small, large := sumOf(5), sumOf(math.MaxUint64, 1)
	if small.Compare(large) != -1 || large.Compare(small) != 1 || small.Compare(sumOf(2, 3)) != 0 {
		t.Error("sums are not ordered by amount")
	}
	if !(run.Sum{}).IsZero() || small.IsZero() || large.IsZero() {
		t.Error("IsZero is wrong")
	}
}

// FuzzSum holds the sum against arbitrary precision.
func FuzzSum(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(3))
	f.Add(uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(1))
	f.Fuzz(func(t *testing.T, a, b, c uint64) {
		s := sumOf(a, b)
		s.AddSum(sumOf(b, c))
		want := new(big.Int)
		for _, n := range []uint64{a, b, b, c} {
			want.Add(want, new(big.Int).SetUint64(n))
		}
		if got, ok := s.Total(); ok != want.IsUint64() || ok && got != want.Uint64() {
			t.Errorf("total = %d, %t; want %s", got, ok, want)
		}
		mean := new(big.Int).Div(new(big.Int).Add(want, big.NewInt(2)), big.NewInt(4))
		if got := s.Mean(4); got != mean.Uint64() {
			t.Errorf("mean = %d, want %s", got, mean)
		}
	})
}
