package main

import (
	"fmt"
	"strconv"
	"strings"
)

// byteSize is a flag for an amount of memory: 512MiB, 2GiB, 1GB, 1000000.
type byteSize uint64

var byteUnits = []struct {
	suffix string
	factor uint64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// String is the size in the largest binary unit that divides it.
func (b byteSize) String() string {
	for i := 3; i >= 0; i-- {
		if u := byteUnits[i]; b != 0 && uint64(b)%u.factor == 0 {
			return fmt.Sprintf("%d%s", uint64(b)/u.factor, u.suffix)
		}
	}
	return strconv.FormatUint(uint64(b), 10)
}

// Set parses a size.
func (b *byteSize) Set(s string) error {
	text := strings.TrimSpace(s)
	for _, u := range byteUnits {
		if !strings.HasSuffix(strings.ToLower(text), strings.ToLower(u.suffix)) {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(text[:len(text)-len(u.suffix)]), 64)
		if err != nil || !(n > 0) || n*float64(u.factor) > 1<<62 {
			break
		}
		*b = byteSize(n * float64(u.factor))
		return nil
	}
	return fmt.Errorf("%q is not a size; write it like 512MiB or 2GiB", s)
}

// Type names the kind of value in the help.
func (*byteSize) Type() string { return "size" }

// leastMemory is the smallest --memory: with less the tables of fixed size and the
// program itself leave no room for data, and the collector would never rest.
const leastMemory = 16 << 20

// checkMemory refuses a --memory that is too small to work with, most likely a
// size without its unit.
func checkMemory(b byteSize) error {
	if b >= leastMemory {
		return nil
	}
	return usageError{fmt.Errorf("--memory %s: at least %s; a number without a unit is bytes", b, byteSize(leastMemory))}
}
