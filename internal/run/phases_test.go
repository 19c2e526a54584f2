package run_test

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestPhasesOf(t *testing.T) {
	tests := []struct {
		phase string
		class run.Class
		names string
	}{
		{run.PhaseIteration, run.Step, "nv.dl.training.iteration megatron.train.iteration megatron.train_step train.step train_step step rl.grpo.step rl.sft_v2.step"},
		{run.PhaseForwardBackward, run.Compute, "megatron.forward_backward nv.dl.training.iteration.forward_backward forward_backward"},
		{run.PhaseMicrobatchForward, run.Compute, "nv.mcore.microbatch.forward megatron.microbatch.forward microbatch.forward"},
		{run.PhaseMicrobatchBackward, run.Compute, "nv.mcore.microbatch.backward microbatch.backward"},
		{run.PhaseLayer, run.Compute, "nv.mcore.layer.forward nv.mcore.layer.self_attention nv.mcore.layer.mlp layer.mlp megatron.layer"},
		{run.PhaseP2P, run.Wait, "nv.mcore.p2p.recv_forward megatron.p2p.send_backward p2p.recv_backward x.p2p.send_forward"},
		{run.PhaseGradSync, run.Wait, "nv.mcore.grad_sync.start megatron.grad_sync.finish allreduce all_reduce ncclAllReduce/allreduce_bf16 nv.mcore.layernorm_grads_all_reduce nv.mcore.embedding_grads_all_reduce dist.reduce_scatter_tensor all_gather"},
		{run.PhaseOptimizer, run.Wait, "megatron.optimizer_step megatron.train.iteration.optimizer nv.dl.training.iteration.clip_grad optimizer optimizer_step clip_grad"},
		{run.PhaseCheckpoint, run.IO, "nv.dl.training.checkpoint.save nv.dl.training.checkpoint.save.io_write megatron.save_checkpoint save_checkpoint megatron.load_checkpoint nvrx.checkpoint.write checkpoint megatron.checkpoint nv.mlm.checkpoint.timers_log"},
		{run.PhaseData, run.IO, "megatron.dataloader.next dataloader nv.dl.training.startup.dataloader data_loading nemo.data_loading_wait"},
		{run.PhaseEvaluate, run.Other, "nv.dl.training.evaluate nv.dl.training.evaluate.step megatron.evaluate evaluate"},
		{run.PhaseReport, run.Other, "nv.mlm.train.iteration_report megatron.train.iteration_report.log"},
		{run.PhaseStartup, run.Other, "nv.dl.training.startup nv.dl.training.startup.imports nv.dl.resiliency.gpu_sniff.startup model_init megatron.model_init megatron.train.first_iteration"},
		{run.PhaseGC, run.Other, "megatron.train.gc_collect gc_collect nv.mcore.memory.reclaim"},
		{run.PhaseGraphCapture, run.Other, "nv.mcore.cuda_graph.capture cuda_graphs"},
		{run.PhaseGeneration, run.Compute, "generation rl.generation rl.grpo.generation"},
		{run.PhaseReward, run.Compute, "reward_calculation rl.grpo.reward_calculation"},
		{run.PhaseLogprobs, run.Compute, "policy_and_reference_logprobs rl.grpo.policy_and_reference_logprobs"},
		{run.PhaseAdvantage, run.Compute, "advantage_calculation rl.grpo.advantage_calculation"},
		{run.PhasePolicyTraining, run.Compute, "policy_training rl.sft_v2.policy_training"},
		{run.PhaseIdle, run.Wait, "rl.idle.weight_sync rl.idle"},
		{"", run.Other, "megatron.pretrain footstep megatron.step_end train_steps my.step microbatch.forwarded player.forward forward_backward.x image_generation regeneration GET nv.dl.training.iter_block layernorm p2p.recv optimizers"},
	}
	p := run.DefaultPhases()
	for _, tt := range tests {
		for _, name := range strings.Fields(tt.names) {
			want := run.Phase{Name: tt.phase, Class: tt.class}
			if got := p.Of(name); got != want {
				t.Errorf("%s is %+v, want %+v", name, got, want)
			}
		}
	}
	if got := p.Of(""); got != (run.Phase{}) {
		t.Errorf("the empty name is %+v", got)
	}
}

func TestPhaseQuestions(t *testing.T) {
	tests := []struct {
		name           string
		breaks, covers bool
	}{
		{"megatron.evaluate", true, true},
		{"megatron.save_checkpoint", true, true},
		{"nv.mcore.cuda_graph.capture", true, false},
		{"megatron.train.gc_collect", true, false},
		{"nv.mlm.train.iteration_report", false, true},
		{"megatron.train_step", false, false},
		{"megatron.forward_backward", false, false},
		{"unheard of", false, false},
	}
	p := run.DefaultPhases()
	for _, tt := range tests {
		got := p.Of(tt.name)
		if got.Breaks() != tt.breaks || got.Covers() != tt.covers {
			t.Errorf("%s: breaks %t, covers %t; want %t, %t", tt.name, got.Breaks(), got.Covers(), tt.breaks, tt.covers)
		}
	}
}

func TestNewPhases(t *testing.T) {
	p, err := run.NewPhases([]run.PhaseRow{
		{Glob: "*.optimizer", Phase: "adam", Class: run.Compute},       // the same glob: overrides
		{Glob: "my.{first,second}*.run", Phase: "mine", Class: run.IO}, // new words
		{Glob: "megatron.layer.mlp", Phase: "mlp", Class: run.Compute}, // more literal
		{Glob: "*.grad*", Phase: "never", Class: run.Other},            // less literal than grad_sync
		{Glob: "a*b*a", Phase: "aba", Class: run.Step},                 // overlaps with itself
		{Glob: "a*b*a", Phase: "aba again", Class: run.Step},           // the later of two equals
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"megatron.optimizer": "adam", "optimizer": "adam", "megatron.optimizer_step": run.PhaseOptimizer,
		"my.first.run": "mine", "my.second_time.run": "mine", "my.third.run": "",
		"megatron.layer.mlp": "mlp", "megatron.layer.attention": run.PhaseLayer,
		"x.grad_sync.start": run.PhaseGradSync, "x.grad_norm": "never",
		"aba": "aba again", "axxbyya": "aba again", "ab": "", "a": "", "ba": "",
	}
	for name, want := range tests {
		if got := p.Of(name).Name; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestNewPhasesErrors(t *testing.T) {
	good := run.PhaseRow{Glob: "good", Phase: "good"}
	tests := []struct {
		row  run.PhaseRow
		says string
	}{
		{run.PhaseRow{Glob: "x", Class: run.Step}, `phase row 2: glob "x" has no phase`},
		{run.PhaseRow{Glob: "x", Phase: "p", Class: run.ClassCount}, "class 5"},
		{run.PhaseRow{Glob: "", Phase: "p"}, "matches every name"},
		{run.PhaseRow{Glob: "**", Phase: "p"}, "matches every name"},
		{run.PhaseRow{Glob: "{a,}*", Phase: "p"}, "matches every name"},
		{run.PhaseRow{Glob: "a{b", Phase: "p"}, "a { without its }"},
		{run.PhaseRow{Glob: "a}b", Phase: "p"}, "a } without its {"},
		{run.PhaseRow{Glob: "a{b,{c,d}}", Phase: "p"}, "braces within braces"},
		{run.PhaseRow{Glob: strings.Repeat("{a,b,c,d}", 20), Phase: "p"}, "more than 256 alternatives"},
	}
	for _, tt := range tests {
		_, err := run.NewPhases([]run.PhaseRow{good, tt.row})
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.HasPrefix(err.Error(), "phase row 2: ") {
			t.Errorf("%q: error %v, want one that says %q", tt.row.Glob, err, tt.says)
		}
	}
}

// FuzzPhases looks for globs that crash, and holds "*" against its meaning:
// what replaces it does not matter.
func FuzzPhases(f *testing.F) {
	f.Add("*.a.*", "x.a.y")
	f.Add("a{b,c}*d", "acd")
	f.Add("*.*", ".")
	f.Add(".*", "")
	f.Fuzz(func(t *testing.T, glob, name string) {
		p, err := run.NewPhases([]run.PhaseRow{{Glob: glob, Phase: "fuzz"}})
		if err != nil {
			return
		}
		p.Of(name)
		if strings.ContainsAny(glob, "{}") {
			return
		}
		long := strings.ReplaceAll(glob, "*", "\x00"+strings.Repeat(name, 2))
		if got := p.Of(long).Name; got == "" {
			t.Errorf("%q does not match %q", glob, long)
		}
	})
}
