package run

import (
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// The rules by which a run's id is found, in order: Identity.RunBy.
const (
	ByRunID      = semconv.NemoRunID
	BySlurmJob   = "slurm job"
	ByJobUUID    = semconv.NVDLJobUUID
	ByRunUUID    = semconv.NVDLRunUUID
	ByHostAndPID = "service+host+pid"
)

// UnknownService stands for a service that sent no name.
const UnknownService = "unknown service"

// maxRanks bounds ranks and sizes: a number beyond is a producer's mistake, and
// the attribute stays visible as it was sent.
const maxRanks = 1 << 24

// Identify reads what a process says about itself from its resource
// attributes. Of several spellings of a fact the newest valid one counts; ints
// may be sent as complete base-10 strings; empty values are ignored.
func Identify(attrs []Attr) Identity {
	r := resource(attrs)
	id := Identity{
		Attempt:   r.text(semconv.NVDLRunUUID, semconv.NemoLensRunUUID),
		Restart:   r.count(semconv.SlurmRestartCount, semconv.SlurmTorchelasticRestartCount),
		Service:   orElse(r.text(semconv.ServiceName), UnknownService),
		Role:      r.text(semconv.NVDLRole, semconv.RLWorkerGroup),
		Instance:  r.text(semconv.ServiceInstanceID),
		Host:      r.text(semconv.HostName, semconv.K8SNodeName),
		PID:       max(0, r.count(semconv.ProcessPID)),
		User:      r.text(semconv.NemoUserID, semconv.SlurmJobUser),
		Job:       r.text(semconv.SlurmJobID, semconv.SlurmJobIDRaw, semconv.K8SJobName),
		Rank:      r.rank(semconv.NVDLRank, semconv.DLRank),
		WorldSize: r.size(semconv.NVDLWorldSize, semconv.DLWorldSize),
		LocalRank: r.rank(semconv.NVDLLocalRank, semconv.DLLocalRank),
		Sizes:     r.sizes(),
		Coord:     r.coord(),
		Gym:       r.gym(),
	}
	id.Run, id.RunBy = r.run(id)
	return id
}

// resource is the attributes of one resource.
type resource []Attr

// run finds the run's id. An attempt's uuid changes at every restart, so it is
// taken only where nothing but a process could be told otherwise.
func (r resource) run(id Identity) (run, by string) {
	if run = r.text(semconv.NemoRunID); run != "" {
		return run, ByRunID
	}
	cluster := r.text(semconv.SlurmClusterName, semconv.SlurmCluster)
	job := r.text(semconv.SlurmJobIDRaw, semconv.SlurmJobID)
	if cluster != "" && job != "" {
		return cluster + "/" + job, BySlurmJob
	}
	if run = r.text(semconv.NVDLJobUUID, semconv.NemoLensJobUUID); run != "" {
		return run, ByJobUUID
	}
	if job != "" {
		return job, BySlurmJob
	}
	if id.Attempt != "" {
		return id.Attempt, ByRunUUID
	}
	return id.process(), ByHostAndPID
}

// process names a process by what is known of it.
func (id Identity) process() string {
	parts := []string{id.Service}
	if id.Host != "" {
		parts = append(parts, id.Host)
	}
	if id.PID > 0 {
		parts = append(parts, strconv.Itoa(id.PID))
	}
	return strings.Join(parts, "/")
}

func (r resource) sizes() Sizes {
	return Sizes{
		TP: r.size(semconv.NVDLTopologySizeTP, semconv.DLTensorParallelSize),
		PP: r.size(semconv.NVDLTopologySizePP, semconv.DLPipelineParallelSize),
		DP: r.size(semconv.NVDLTopologySizeDP, semconv.DLDataParallelSize),
		CP: Unknown, EP: Unknown, // no producer sends them
	}
}

func (r resource) coord() Coord {
	return Coord{
		TP: r.rank(semconv.DLTensorParallelRank),
		PP: r.rank(semconv.DLPipelineParallelRank),
		DP: r.rank(semconv.DLDataParallelRank),
		CP: Unknown, EP: Unknown,
	}
}

// gym reports whether the resource is a NeMo-Gym server or the actor that
// drives them: both say rank 0 of 1, whoever else does.
func (r resource) gym() bool {
	for _, a := range r {
		switch a.Key {
		case semconv.GymServerName, semconv.GymServerType,
			semconv.NemoGymServerName, semconv.NemoGymServerType:
			return true
		}
	}
	service := r.text(semconv.ServiceName)
	return service == "nemo-gym" || strings.HasPrefix(service, "nemo-gym/") ||
		r.text(semconv.RLWorkerGroup) == "nemo_gym"
}
