package resources

import (
	"context"
	"fmt"
	"math"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Rank is the place of a process among the ranks of its run.
type Rank struct {
	Rank         int // global, from 0, unique together with the role
	WorldSize    int // number of ranks; 0 when unknown
	LocalRank    int // on its node, from 0; counts only with HasLocalRank
	HasLocalRank bool
	Role         string // "" or "trainer" for a trainer, else what the process does
}

// Attributes is the rank's resource attributes: nv.dl.rank, nv.dl.world_size,
// nv.dl.local_rank and nv.dl.role as far as they are known, and the first three in
// their older spelling (dl.*) too unless WithoutOlderNames says no.
func (r Rank) Attributes(opts ...Option) map[string]any {
	var found Found
	older := !newSettings(opts).newest
	for _, f := range []struct {
		known         bool
		newest, older string
		value         int
	}{
		{true, semconv.NVDLRank, semconv.DLRank, r.Rank},
		{r.WorldSize > 0, semconv.NVDLWorldSize, semconv.DLWorldSize, r.WorldSize},
		{r.HasLocalRank, semconv.NVDLLocalRank, semconv.DLLocalRank, r.LocalRank},
	} {
		if !f.known {
			continue
		}
		found.set(f.newest, int64(f.value))
		if older {
			found.set(f.older, int64(f.value))
		}
	}
	found.set(semconv.NVDLRole, r.Role)
	return found.Attributes
}

// DetectRank finds the attributes of the rank that RankFromEnv finds. A program
// that is no rank must not ask: it inherits the variables of one.
func DetectRank(_ context.Context, opts ...Option) (Found, error) {
	rank, ok, err := RankFromEnv(opts...)
	if !ok {
		return Found{}, err
	}
	return Found{Attributes: rank.Attributes(opts...)}, err
}

// RankFromEnv finds the rank of a process that knows itself to be one: RANK and
// WORLD_SIZE (torchrun and its kin), else SLURM_PROCID and SLURM_STEP_NUM_TASKS
// inside a Slurm step. The local rank is LOCAL_RANK, else inside a step
// SLURM_LOCALID; the role is nv.dl.role in the carrier. An empty variable counts as
// unset.
//
// A job-wide SLURM_NTASKS is never a world size, and the SLURM_PROCID of a batch
// script or an interactive shell, which are no tasks of a step, is never a rank.
//
// Without a rank ok is false and err is nil. A variable that is no whole number,
// negative or too large, a rank without a world size and one outside it are errors
// that name the variable, with ok false: there is never a silent rank 0.
func RankFromEnv(opts ...Option) (rank Rank, ok bool, err error) {
	return newSettings(opts).rankFromEnv()
}

func (s *settings) rankFromEnv() (rank Rank, ok bool, err error) {
	rankVar, worldVar := "RANK", "WORLD_SIZE"
	if s.env(rankVar) == "" {
		rankVar, worldVar = "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"
		if !s.inTask() {
			return Rank{}, false, nil
		}
	}
	rank.Role = s.carried(semconv.NVDLRole)
	if rank.Rank, ok, err = s.count(rankVar); err != nil || !ok {
		return Rank{}, false, err
	}
	if rank.WorldSize, ok, err = s.count(worldVar); err != nil {
		return Rank{}, false, err
	}
	if !ok || rank.Rank >= rank.WorldSize {
		return Rank{}, false, fmt.Errorf("rank: %s=%d needs a larger %s, which is %q: set both, or neither",
			rankVar, rank.Rank, worldVar, s.env(worldVar))
	}
	rank.LocalRank, rank.HasLocalRank, err = s.ownLocalRank()
	return rank, err == nil, err
}

// ownLocalRank takes SLURM_LOCALID of a task only: in a batch script it is 0 for all
// that the script starts.
func (s *settings) ownLocalRank() (rank int, ok bool, err error) {
	if s.env("LOCAL_RANK") == "" && !s.inTask() {
		return 0, false, nil
	}
	return s.localRankFromEnv()
}

// LocalRankFromEnv is the rank on the node: LOCAL_RANK, else SLURM_LOCALID. With
// neither ok is false; what is no whole number of 0 or more is an error that names
// the variable.
func LocalRankFromEnv(opts ...Option) (rank int, ok bool, err error) {
	return newSettings(opts).localRankFromEnv()
}

func (s *settings) localRankFromEnv() (rank int, ok bool, err error) {
	if s.env("LOCAL_RANK") != "" {
		return s.count("LOCAL_RANK")
	}
	return s.count("SLURM_LOCALID")
}

// count reads a whole number of 0 or more.
func (s *settings) count(name string) (n int, ok bool, err error) {
	text := s.env(name)
	if text == "" {
		return 0, false, nil
	}
	v, ok := semconv.ParseInt(text)
	if !ok || v < 0 || v > math.MaxInt32 {
		return 0, false, fmt.Errorf("rank: %s=%q is not a whole number from 0 to %d: correct it, or unset it", name, text, math.MaxInt32)
	}
	return int(v), true, nil
}

// inTask reports whether the process is a task of a Slurm step. Slurm gives the
// batch script, an interactive shell and its other helpers step ids from the top
// of 32 bits, or none; none of them is a rank, though each has a SLURM_PROCID.
func (s *settings) inTask() bool {
	id, ok := semconv.ParseInt(s.slurm("SLURM_STEP_ID", "SLURM_STEPID"))
	return ok && id >= 0 && id < firstReservedStep
}

// firstReservedStep is below SLURM_INTERACTIVE_STEP, SLURM_BATCH_SCRIPT and the
// other reserved step ids of slurm.h.
const firstReservedStep = 0xfffffff0

// InstanceID is service.instance.id: "<run>-rank<rank>" for a trainer, as the
// Python library has it, and "<run>-<role>-rank<rank>" for any other role, so that
// a worker that counts its ranks from 0 again is not taken for the trainer. A
// process without a rank has a random UUID instead.
func (r Rank) InstanceID(runID string) string {
	if r.Role == "" || r.Role == "trainer" {
		return fmt.Sprintf("%s-rank%d", runID, r.Rank)
	}
	return fmt.Sprintf("%s-%s-rank%d", runID, r.Role, r.Rank)
}
