package resources

import (
	"context"

	"github.com/google/uuid"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DetectAttempt finds the identity of the submitted job (nv.dl.job.uuid) and of
// this attempt of the run (nv.dl.run.uuid): those of the carrier, else JobUUID and
// RunUUID.
func DetectAttempt(_ context.Context, opts ...Option) (Found, error) {
	s := newSettings(opts)
	var found Found
	found.set(semconv.NVDLJobUUID, or(s.carried(semconv.NVDLJobUUID), s.jobUUID()))
	found.set(semconv.NVDLRunUUID, or(s.carried(semconv.NVDLRunUUID), s.runUUID()))
	return found, nil
}

// JobUUID is the identity of the submitted Slurm job, the same over its requeues
// and over the tasks of an array: the UUIDv5 (URL namespace) of
// "nemo.lens.job/<cluster>/<job key>". The cluster is SLURM_CLUSTER_NAME or
// "nocluster"; the job key is SLURM_ARRAY_JOB_ID in an array, the leader's id
// (SLURM_JOB_ID_HET_GROUP_0) in a heterogeneous job, else SLURM_JOB_ID. It is ""
// outside a job.
func JobUUID(opts ...Option) string { return newSettings(opts).jobUUID() }

func (s *settings) jobUUID() string {
	if !s.inJob() {
		return ""
	}
	return urlUUID("nemo.lens.job/" + s.cluster() + "/" + s.jobKey())
}

// RunUUID is the identity of this attempt: the UUIDv5 (URL namespace) of
// "nemo.lens.run/<cluster>/<job key>", then "/sr<SLURM_RESTART_COUNT or 0>" outside
// an array, then "/te<TORCHELASTIC_RESTART_COUNT>" if that is set; cluster and job
// key as for JobUUID. Outside a Slurm job it is that of
// "nemo.lens.run/local/<run id>/te<TORCHELASTIC_RESTART_COUNT or 0>", where the run
// id is that of WithRunID, else nemo.run.id in the carrier, else
// TORCHELASTIC_RUN_ID unless that says "none"; without any it is "".
func RunUUID(opts ...Option) string { return newSettings(opts).runUUID() }

func (s *settings) runUUID() string {
	restarts := s.env("TORCHELASTIC_RESTART_COUNT")
	if !s.inJob() {
		return s.localRunUUID(restarts)
	}
	name := "nemo.lens.run/" + s.cluster() + "/" + s.jobKey()
	if !s.inArray() {
		name += "/sr" + or(s.env("SLURM_RESTART_COUNT"), "0")
	}
	if restarts != "" {
		name += "/te" + restarts
	}
	return urlUUID(name)
}

func (s *settings) localRunUUID(restarts string) string {
	run := s.runIDFromEnv()
	if run.Source == RandomRunID {
		return ""
	}
	return urlUUID("nemo.lens.run/local/" + run.ID + "/te" + or(restarts, "0"))
}

func (s *settings) inJob() bool   { return s.slurm("SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID") != "" }
func (s *settings) inArray() bool { return s.slurm("SLURM_ARRAY_TASK_ID") != "" }

func (s *settings) cluster() string { return or(s.slurm("SLURM_CLUSTER_NAME"), "nocluster") }

// jobKey is what the parts of one submitted job share.
func (s *settings) jobKey() string {
	switch {
	case s.inArray():
		return or(s.slurm("SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID"), "nojob")
	case s.slurm("SLURM_HET_SIZE") != "":
		return s.slurm("SLURM_JOB_ID_HET_GROUP_0", "SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID")
	}
	return s.slurm("SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID")
}

func urlUUID(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
