package analysis

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"github.com/beamline-hpc/lensview/internal/store"
)

// seedsVariable is the number of seeds at 8, 64 and 1,024 ranks; with it the
// table is written into the documentation: make faults.
const (
	seedsVariable = "LENSVIEW_FAULTS"
	faultsPage    = "../../docs/diagnosis-faults.md"
)

// size is how many seeds a world has.
type size struct{ ranks, seeds int }

func faultSizes(t *testing.T) (sizes []size, full bool) {
	if text := os.Getenv(seedsVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s=%q: want a number of seeds", seedsVariable, text)
		}
		return []size{{8, n}, {64, n}, {1024, n}}, true
	}
	if underRace {
		return []size{{8, 1}}, false
	}
	return []size{{8, 3}, {64, 1}}, false
}

// TestFaults holds what is named in simulated runs against their truth, which is
// known before: of what can be told at least 95 % is, at least 99 % of the names
// are right, and of healthy runs nobody is named.
func TestFaults(t *testing.T) {
	t.Parallel()
	sizes, full := faultSizes(t)
	all := slices.Concat(slowScenarios(), stopScenarios(), otherScenarios(), healthyScenarios())
	began := time.Now()
	scores := runFaults(t, all, sizes)
	table := faultTable(all, sizes, scores)
	t.Logf("%s\n%.0f s", table, time.Since(began).Seconds())
	var total, healthy score
	for i, sc := range all {
		s := scores[i]
		for _, w := range s.wrong {
			t.Logf("%s: %s", sc.name, w)
		}
		if strings.HasPrefix(sc.name, "healthy") {
			healthy.add(s)
			continue
		}
		total.add(s)
		if float64(s.found) < .95*float64(s.identifiable) {
			t.Errorf("%s: named %d of %d that can be told", sc.name, s.found, s.identifiable)
		}
		if s.reasons < s.abstain || s.told < s.tells {
			t.Errorf("%s: a reason in %d of %d runs, told in %d of %d", sc.name, s.reasons, s.abstain, s.told, s.tells)
		}
	}
	if float64(total.right) < .99*float64(total.names) || healthy.names > 0 {
		t.Errorf("%d of %d names are right; %d in healthy runs", total.right, total.names, healthy.names)
	}
	if full && !t.Failed() {
		if err := writeFaults(table); err != nil {
			t.Fatal(err)
		}
	}
}

// faultJob is one run.
type faultJob struct {
	scenario, ranks int
	seed            uint64
}

// runFaults runs all seeds of all scenarios, some at once, and sums up by
// scenario.
func runFaults(t *testing.T, all []scenario, sizes []size) []score {
	jobs := make(chan faultJob)
	scores := make([]score, len(all))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				s := runFault(t, all[j.scenario], j)
				mu.Lock()
				scores[j.scenario].add(s)
				mu.Unlock()
			}
		})
	}
	for i := range all {
		for _, z := range sizes {
			for seed := range z.seeds {
				jobs <- faultJob{i, z.ranks, uint64(seed + 1)}
			}
		}
	}
	close(jobs)
	wg.Wait()
	return scores
}

// runFault runs one, and says of what went wrong where.
func runFault(t *testing.T, sc scenario, j faultJob) score {
	c := layoutOf(j.ranks, j.seed)
	sc.put(&c, rand.New(rand.NewPCG(j.seed, uint64(j.ranks)<<16|uint64(j.scenario))))
	f := simtest.New(t, c, store.Config{Budget: 512 << 20})
	truth := f.Stream.Truth()
	s := f.Until(sc.until)
	if s.Run("sim") == nil {
		t.Errorf("%s: no run", sc.name)
		return score{}
	}
	out := judgeRun(truth, s, s.Run("sim"))
	for i, w := range out.wrong {
		out.wrong[i] = fmt.Sprintf("%d ranks, seed %d: %s", j.ranks, j.seed, w)
	}
	return out
}
