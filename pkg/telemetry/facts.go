package telemetry

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Training is what a training program knows about itself and what stays the same
// for its life. A field that is zero or empty is absent.
//
//	telemetry.WithResourceAttributes(telemetry.Training{TP: 4, PP: 2, DP: 8}.Attributes()...)
type Training struct {
	Framework  string // as "mcore"
	TP, PP, DP int    // sizes of tensor, pipeline and data parallelism

	GlobalBatchSize      int // samples of one iteration over all ranks
	MicroBatchSize       int
	SequenceLength       int // tokens
	Optimizer            string
	RecomputeGranularity string

	TrainIters   int // iterations, samples or tokens after which training ends
	TrainSamples int
	TrainTokens  int

	Torch, CUDA, NCCL, TransformerEngine string // versions
	ContainerImage                       string
}

// Attributes is the attributes for WithResourceAttributes.
func (t Training) Attributes() []attribute.KeyValue {
	var f facts
	f.text(semconv.NVDLProviderName, t.Framework)
	f.number(semconv.NVDLTopologySizeTP, t.TP)
	f.number(semconv.NVDLTopologySizePP, t.PP)
	f.number(semconv.NVDLTopologySizeDP, t.DP)
	f.number(semconv.NVDLTrainingConfigGlobalBatchSize, t.GlobalBatchSize)
	f.number(semconv.NVDLTrainingConfigMicroBatchSize, t.MicroBatchSize)
	f.number(semconv.NVDLTrainingConfigSequenceLength, t.SequenceLength)
	f.text(semconv.NVDLTrainingConfigOptimizer, t.Optimizer)
	f.text(semconv.NVDLTrainingConfigRecomputeGranularity, t.RecomputeGranularity)
	f.number(semconv.NVDLTrainingTargetTrainIters, t.TrainIters)
	f.number(semconv.NVDLTrainingTargetTrainSamples, t.TrainSamples)
	f.number(semconv.NVDLTrainingTargetTrainTokens, t.TrainTokens)
	f.text(semconv.NVDLSoftwareTorch, t.Torch)
	f.text(semconv.NVDLSoftwareCUDA, t.CUDA)
	f.text(semconv.NVDLSoftwareNCCL, t.NCCL)
	f.text(semconv.NVDLSoftwareTransformerEngine, t.TransformerEngine)
	f.text(semconv.NVDLLaunchContainerImage, t.ContainerImage)
	return f
}

// Position is a rank's place in the layout of the parallelism, for programs that
// know it. Without it a reader derives it from rank and sizes.
type Position struct{ TP, PP, DP int }

// Attributes is the attributes for WithResourceAttributes.
func (p Position) Attributes() []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.Int(semconv.DLTensorParallelRank, p.TP),
		attribute.Int(semconv.DLPipelineParallelRank, p.PP),
		attribute.Int(semconv.DLDataParallelRank, p.DP),
	}
}

// Server is what an environment server knows about itself.
type Server struct{ Name, Type string }

// Attributes is the attributes for WithResourceAttributes or a span.
func (s Server) Attributes() []attribute.KeyValue {
	var f facts
	f.text(semconv.GymServerName, s.Name)
	f.text(semconv.GymServerType, s.Type)
	return f
}

type facts []attribute.KeyValue

func (f *facts) text(key, v string) {
	if v != "" {
		*f = append(*f, attribute.String(key, v))
	}
}

func (f *facts) number(key string, v int) {
	if v != 0 {
		*f = append(*f, attribute.Int(key, v))
	}
}

// Iteration sets the training iteration that the span belongs to.
func (s *Span) Iteration(n int) *Span { return s.Int(semconv.DLIteration, n) }

// Microbatch sets the index of the microbatch within its iteration.
func (s *Span) Microbatch(n int) *Span { return s.Int(semconv.DLMicrobatchID, n) }

// Batch sets the samples that the span works on and the tokens of each.
func (s *Span) Batch(samples, sequenceLength int) *Span {
	return s.Int(semconv.DLBatchSize, samples).Int(semconv.DLSequenceLength, sequenceLength)
}

// Rollouts sets what a span of reinforcement learning covers: the algorithm as
// "grpo", the engine that generates as "vllm", and the number of rollouts.
func (s *Span) Rollouts(algorithm, backend string, n int) *Span {
	return s.Str(semconv.RLAlgorithm, algorithm).Str(semconv.RLGenerationBackend, backend).Int(semconv.RLNumRollouts, n)
}

// Reward sets the reward of the rollout that the span covers.
func (s *Span) Reward(r float64) *Span { return s.Float(semconv.RLReward, r) }

// GymBatch sets the servers started together and the rollouts of one batch.
func (s *Span) GymBatch(servers, rollouts int) *Span {
	return s.Int(semconv.GymNumServers, servers).Int(semconv.GymRolloutBatchSize, rollouts)
}

// Model sets what a span of a model server does, as "chat", with which model, served
// by whom.
func (s *Span) Model(operation, model, provider string) *Span {
	return s.Str(semconv.GenAIOperationName, operation).Str(semconv.GenAIRequestModel, model).Str(semconv.GenAIProviderName, provider)
}
