package simulate

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Names of resource attributes of OpenTelemetry SDKs that pkg/semconv does not
// hold, because the viewer gives them no meaning.
const (
	serviceVersion = "service.version"
	sdkName        = "telemetry.sdk.name"
	sdkLanguage    = "telemetry.sdk.language"
	sdkVersion     = "telemetry.sdk.version"
	hostGPUCount   = "host.gpu.count"
)

const (
	cluster   = "simulated"
	gpuModel  = "NVIDIA H100 80GB HBM3"
	gpuMemory = 81559 << 20 // bytes
)

// attrs is a list of attributes under construction.
type attrs []run.Attr

func (a attrs) str(key, value string) attrs {
	return append(a, run.Attr{Key: key, Value: run.StringValue(value)})
}

func (a attrs) int(key string, value int) attrs {
	return append(a, run.Attr{Key: key, Value: run.IntValue(int64(value))})
}

// resources makes the resource attributes of the processes of a run. The list
// it gives is overwritten by the next call.
type resources struct {
	c      *Config
	lay    layout
	shared attrs // equal for all trainers
	born   int64 // when the processes started
	again  int   // how often they were restarted
	buf    attrs
}

func newResources(c *Config) *resources {
	r := &resources{c: c, lay: c.layout()}
	r.share()
	return r
}

// share makes what is equal for all trainers.
func (r *resources) share() {
	c := r.c
	if c.Naming == Older {
		r.shared = r.olderShared()
	} else {
		r.shared = r.newestShared()
	}
}

// restart is for processes that start again at a moment, those of one rank's host
// on a spare one.
func (r *resources) restart(born int64, rank int) {
	r.again++
	r.born = born
	r.lay.moved, r.lay.left = true, r.lay.host(rank)
	r.share()
}

// life is the iteration that stands for the life of the present processes.
func (r *resources) life() int { return -1 - r.again }

// job is the raw Slurm job id of the run.
func (r *resources) job() string { return fmt.Sprint(100_000 + r.c.Seed%900_000) }

// common begins every process of the run: who it is and which SDK it uses.
func (r *resources) common(a attrs, service, instance string) attrs {
	a = a.str(semconv.ServiceName, service).str(serviceVersion, "0.15.0").str(semconv.ServiceInstanceID, instance)
	a = a.str(sdkName, "opentelemetry").str(sdkLanguage, "python").str(sdkVersion, "1.39.1")
	a = a.str(semconv.NemoRunID, r.c.RunID)
	if r.c.User != "" {
		a = a.str(semconv.NemoUserID, r.c.User)
	}
	return a
}

// slurm is the job as the detector of a step sees it.
func (r *resources) slurm(a attrs) attrs {
	job := r.job()
	a = a.str(semconv.SlurmJobID, job).str(semconv.SlurmJobIDRaw, job).str(semconv.SlurmJobName, r.c.RunID)
	a = a.str(semconv.SlurmClusterName, cluster).str(semconv.SlurmPartition, "batch").str(semconv.SlurmNodelist, r.lay.nodeList())
	a = a.str(semconv.SlurmArrayJobID, job).str(semconv.SlurmArrayTaskID, "0").int(semconv.SlurmArrayCount, 1)
	return a.int(semconv.SlurmNNodes, r.lay.hosts()).int(semconv.SlurmNTasks, r.lay.world()).int(semconv.SlurmRestartCount, r.again)
}

// uuids are the job's and the attempt's, by the rule of the Slurm detector.
func (r *resources) uuids() (job, attempt string) {
	key := cluster + "/" + r.job()
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("nemo.lens.job/"+key)).String(),
		uuid.NewSHA1(uuid.NameSpaceURL, []byte("nemo.lens.run/"+key+fmt.Sprintf("/sr%d", r.again))).String()
}

func (r *resources) newestShared() attrs {
	c, l := r.c, r.lay
	job, attempt := r.uuids()
	a := attrs{}.int(semconv.NVDLWorldSize, l.world())
	if !c.NewestOnly {
		a = a.int(semconv.DLWorldSize, l.world())
	}
	z := r.sizes()
	a = a.int(semconv.NVDLTopologySizeTP, z.TP).int(semconv.NVDLTopologySizePP, z.PP).int(semconv.NVDLTopologySizeDP, z.DP)
	a = a.str(semconv.NVDLRole, "trainer").str(semconv.NVDLProviderName, "mcore")
	a = a.str(semconv.NVDLJobUUID, job).str(semconv.NVDLRunUUID, attempt)
	a = a.int(semconv.NVDLTrainingConfigGlobalBatchSize, c.globalBatch())
	a = a.int(semconv.NVDLTrainingConfigMicroBatchSize, microBatchSize)
	a = a.int(semconv.NVDLTrainingConfigSequenceLength, sequenceLength)
	a = a.str(semconv.NVDLTrainingConfigOptimizer, "adam").str(semconv.NVDLTrainingConfigRecomputeGranularity, "selective")
	if c.Iterations > 0 {
		a = a.int(semconv.NVDLTrainingTargetTrainIters, c.Iterations)
	}
	a = a.str(semconv.NVDLSoftwareTorch, "2.9.1").str(semconv.NVDLSoftwareCUDA, "13.0").str(semconv.NVDLSoftwareNCCL, "2.28.9")
	a = a.str(semconv.NVGPUModel, gpuModel).int(semconv.NVGPUMemoryTotal, gpuMemory)
	return r.slurm(a)
}

func (r *resources) olderShared() attrs {
	l, z := r.lay, r.sizes()
	job, attempt := r.uuids()
	a := attrs{}.int(semconv.DLWorldSize, l.world())
	a = a.int(semconv.DLTensorParallelSize, z.TP).int(semconv.DLPipelineParallelSize, z.PP).int(semconv.DLDataParallelSize, z.DP)
	a = a.str(semconv.NemoLensJobUUID, job).str(semconv.NemoLensRunUUID, attempt)
	a = a.str(semconv.DLGPUName, gpuModel)
	return r.slurm(a)
}

// sizes are the parallel sizes that are sent.
func (r *resources) sizes() run.Sizes {
	if z := r.c.effects().claimed; z != nil {
		return *z
	}
	return r.lay.ranks.Sizes
}

// trainer is the resource of a rank.
func (r *resources) trainer(rank int) attrs {
	c := r.c
	local := rank % r.lay.perHost
	a := r.common(r.buf[:0], c.Service, fmt.Sprintf("%s-rank%d%s", c.RunID, rank, r.suffix()))
	if c.Naming == Newest {
		a = a.int(semconv.NVDLRank, rank).int(semconv.NVDLLocalRank, local)
		a = a.int(semconv.NVGPUIndex, local).str(semconv.NVGPUUUID, r.gpu(rank))
	}
	if c.Naming == Older {
		a = a.int(semconv.DLGPUIndex, local).str(semconv.DLGPUUUID, r.gpu(rank))
	}
	if c.Naming == Older || !c.NewestOnly {
		a = a.int(semconv.DLRank, rank).int(semconv.DLLocalRank, local)
	}
	a = a.str(semconv.HostName, r.lay.hostName(rank)).int(hostGPUCount, r.lay.perHost)
	a = a.int(semconv.ProcessPID, 20_000+rank+100_000*r.again)
	r.buf = append(a, r.shared...)
	return r.buf
}

// suffix tells instances of one rank apart.
func (r *resources) suffix() string {
	if r.again == 0 {
		return ""
	}
	return fmt.Sprintf("-r%d", r.again)
}

// beside is the resource of the service that runs beside the trainers, on the
// first host and without a rank.
func (r *resources) beside() attrs {
	a := r.common(r.buf[:0], "nemo-gateway", r.c.RunID+"-gateway")
	if r.c.Naming == Newest {
		job, attempt := r.uuids()
		a = a.str(semconv.NVDLRole, "gateway").str(semconv.NVDLJobUUID, job).str(semconv.NVDLRunUUID, attempt)
	}
	a = r.slurm(a).int(hostGPUCount, 0)
	r.buf = a.str(semconv.HostName, r.lay.hostName(0)).int(semconv.ProcessPID, 19_999)
	return r.buf
}

// gpu is the UUID of a rank's device.
func (r *resources) gpu(rank int) string {
	a, b := mix(r.c.Seed^uint64(rank)<<32), mix(r.c.Seed+uint64(rank)+1)
	return fmt.Sprintf("GPU-%08x-%04x-%04x-%04x-%012x", uint32(a), uint16(a>>32), uint16(a>>48), uint16(b), b>>16)
}
