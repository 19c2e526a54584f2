package resources

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// RunIDSource says where a run id comes from.
type RunIDSource string

// The sources, in the order in which they are asked.
const (
	GivenRunID        RunIDSource = "given"               // WithRunID
	CarrierRunID      RunIDSource = CarrierVariable       // nemo.run.id in the carrier
	SlurmRunID        RunIDSource = "SLURM_JOB_ID"        // the raw job id, as the Python library takes it
	TorchelasticRunID RunIDSource = "TORCHELASTIC_RUN_ID" // torchrun's rendezvous id, unless it is "none"
	RandomRunID       RunIDSource = "random"              // a UUIDv4, known to this process alone
)

// RunID is a run's id with its source.
type RunID struct {
	ID     string
	Source RunIDSource
}

// Shared reports whether the other ranks of the run come to the same id.
func (r RunID) Shared() bool { return r.Source != RandomRunID }

// Warning is the one warning that is due when worldSize ranks share no run id, so
// that each would look like a run of its own. Otherwise ok is false.
func (r RunID) Warning(worldSize int) (w semconv.Warning, ok bool) {
	if r.Shared() || worldSize <= 1 {
		return semconv.Warning{}, false
	}
	return semconv.Warning{Key: semconv.NemoRunID, Text: fmt.Sprintf(
		"%s: the %d ranks share no run id, so each has a random one and looks like a run of its own: "+
			"set NEMO_LENS_RUN_ID to the same text for all of them", semconv.NemoRunID, worldSize)}, true
}

// RunIDFromEnv finds the id of the run: that of WithRunID, else nemo.run.id in the
// carrier, else the raw SLURM_JOB_ID (so that Go and Python processes agree, also
// in an array), else TORCHELASTIC_RUN_ID unless it says "none", else a random
// UUIDv4, a new one at each call.
func RunIDFromEnv(opts ...Option) RunID { return newSettings(opts).runIDFromEnv() }

func (s *settings) runIDFromEnv() RunID {
	for _, r := range []RunID{
		{s.runID, GivenRunID},
		{s.carried(semconv.NemoRunID), CarrierRunID},
		{s.slurm("SLURM_JOB_ID"), SlurmRunID},
		{s.torchelasticRunID(), TorchelasticRunID},
	} {
		if r.ID != "" {
			return r
		}
	}
	return RunID{uuid.NewString(), RandomRunID}
}

// torchelasticRunID leaves out "none", torchrun's default, which all runs share.
func (s *settings) torchelasticRunID() string {
	id := s.env("TORCHELASTIC_RUN_ID")
	if strings.EqualFold(id, "none") {
		return ""
	}
	return id
}
