package resources

import (
	"context"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DetectSlurm finds the attributes of the Slurm job (slurm.*) and its identity
// (nv.dl.job.uuid, nv.dl.run.uuid) when SLURM_JOB_ID is set, or when the carrier
// has one of these keys. What the carrier has of them wins over what is found
// here: the launcher knows the job as submitted, a container may see less. Its
// empty values are ignored, and invalid counts are dropped with a warning, so that
// what is found here takes their place.
func DetectSlurm(_ context.Context, opts ...Option) (Found, error) {
	s := newSettings(opts)
	return Merge(s.slurmJob(), s.slurmCarried()), nil
}

// slurmJob reads the variables of the job.
func (s *settings) slurmJob() Found {
	var raw Found
	id := s.slurm("SLURM_JOB_ID")
	if id == "" {
		return raw
	}
	raw.set(semconv.SlurmJobID, s.slurmJobName(id))
	raw.set(semconv.SlurmJobIDRaw, id)
	for _, v := range slurmVariables() {
		if v.key == semconv.SlurmHeadNodeName && s.inStep() {
			continue
		}
		raw.set(v.key, or(s.slurm(v.names...), v.otherwise))
	}
	raw.set(semconv.NVDLJobUUID, s.jobUUID())
	raw.set(semconv.NVDLRunUUID, s.runUUID())
	return normalized(raw.Attributes, semconv.SlurmTypes())
}

// slurmVariable is one attribute, the variables that say it, the first set one
// first, and the value when none does.
type slurmVariable struct {
	key       string
	names     []string
	otherwise string
}

func slurmVariables() []slurmVariable {
	return []slurmVariable{
		{semconv.SlurmArrayJobID, []string{"SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID"}, ""},
		{semconv.SlurmArrayTaskID, []string{"SLURM_ARRAY_TASK_ID"}, "0"},
		{semconv.SlurmArrayCount, []string{"SLURM_ARRAY_TASK_COUNT"}, "1"},
		{semconv.SlurmJobName, []string{"SLURM_JOB_NAME"}, ""},
		{semconv.SlurmClusterName, []string{"SLURM_CLUSTER_NAME"}, ""},
		{semconv.SlurmPartition, []string{"SLURM_JOB_PARTITION", "SLURM_PARTITION"}, ""},
		{semconv.SlurmNNodes, []string{"SLURM_JOB_NUM_NODES", "SLURM_NNODES"}, ""},
		{semconv.SlurmNTasks, []string{"SLURM_NTASKS"}, ""},
		{semconv.SlurmNodelist, []string{"SLURM_JOB_NODELIST", "SLURM_NODELIST"}, ""},
		{semconv.SlurmRestartCount, []string{"SLURM_RESTART_COUNT"}, "0"},
		{semconv.SlurmJobUser, []string{"SLURM_JOB_USER"}, ""},
		{semconv.SlurmJobAccount, []string{"SLURM_JOB_ACCOUNT"}, ""},
		{semconv.SlurmJobQOS, []string{"SLURM_JOB_QOS"}, ""},
		{semconv.SlurmJobReservation, []string{"SLURM_JOB_RESERVATION"}, ""},
		{semconv.SlurmSegment, []string{"SLURM_SEGMENT"}, ""},
		{semconv.SlurmTopologyAddr, []string{"SLURM_TOPOLOGY_ADDR"}, ""},
		{semconv.SlurmTopologyAddrPattern, []string{"SLURM_TOPOLOGY_ADDR_PATTERN"}, ""},
		{semconv.SlurmHeadNodeName, []string{"SLURMD_NODENAME"}, ""},
		{semconv.SlurmSLUID, []string{"LENS_SLURM_SLUID", "NV_LAUNCH_SLUID"}, ""},
		{semconv.SlurmArraySLUID, []string{"LENS_SLURM_ARRAY_SLUID", "NV_LAUNCH_ARRAY_SLUID"}, ""},
	}
}

// slurmJobName is the job as users write it.
func (s *settings) slurmJobName(id string) string {
	array, task := s.slurm("SLURM_ARRAY_JOB_ID"), s.slurm("SLURM_ARRAY_TASK_ID")
	if array == "" || task == "" {
		return id
	}
	return array + "_" + task
}

// slurm is env for variables of Slurm, which writes "(null)" where it has nothing.
func (s *settings) slurm(names ...string) string {
	for _, name := range names {
		if value := s.env(name); value != "" && value != "(null)" {
			return value
		}
	}
	return ""
}

func (s *settings) inStep() bool { return s.slurm("SLURM_STEP_ID", "SLURM_STEPID") != "" }

// CarrierWins reports whether a key is one of the Slurm job or its identity. For
// these what the carrier says is above everything, an explicit option included.
func CarrierWins(key string) bool {
	if key == semconv.NVDLJobUUID || key == semconv.NVDLRunUUID {
		return true
	}
	for _, f := range semconv.SlurmFields() {
		if f.Key == key {
			return true
		}
	}
	return false
}

// slurmCarried is the part of the carrier that is about the job.
func (s *settings) slurmCarried() Found {
	some := map[string]any{}
	for key, value := range s.carrier() {
		if value != "" && CarrierWins(key) {
			some[key] = value
		}
	}
	return normalized(some, semconv.SlurmTypes())
}

func normalized(attrs map[string]any, types semconv.Types) Found {
	all, warnings := semconv.Normalize(attrs, types)
	return Found{Attributes: all, Warnings: warnings}
}
