package tracescreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// paced sends five steps; the first and the one with a checkpoint take longest,
// and are in no statistic.
func paced(t testing.TB) *feed {
	f := newFeed(t)
	at := uint64(0)
	for i, took := range []uint64{9 * sec, sec, 3 * sec, sec, 7 * sec, 2 * sec} {
		step := f.mk("train_step", at, at+took, uitest.Int("megatron.iteration", i+1))
		f.send(trainer(0), step)
		if took == 7*sec {
			f.send(trainer(0), under(step, f.mk("save_checkpoint", at+sec, at+6*sec)))
		}
		at += took
	}
	return f
}

func TestSlowestCleanIteration(t *testing.T) {
	m := open(t, paced(t).Store, "")
	if uitest.Press(m, "L"); m.content.at != (spot{atStep, m.content.at.attempt, 3}) {
		t.Fatalf("L leads to %+v, want iteration 3", m.content.at)
	}
	if uitest.Press(m, "L"); !strings.Contains(m.note, "slowest of 4 clean iterations retained") {
		t.Errorf("there again: %q", m.note)
	}
}

func TestSlowestIterationOfNone(t *testing.T) {
	m := open(t, deepless(t), "")
	if uitest.Press(m, "L"); m.note != "no step is finished yet" {
		t.Errorf("without steps: %q", m.note)
	}
	f := newFeed(t)
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	m = open(t, f.Store, "")
	if uitest.Press(m, "L"); m.note != "no clean iteration of this rank is retained" {
		t.Errorf("with the first step only: %q", m.note)
	}
}

// TestJobCutAtShutdown: a span around the iteration that the shutdown cut marks
// neither it nor its rank; a cut step is marked.
func TestJobCutAtShutdown(t *testing.T) {
	f := newFeed(t)
	cut := run.Attr{Key: run.TruncatedKey, Value: run.BoolValue(true)}
	job := f.mk("nv.dl.job", 0, 6*sec, cut)
	f.send(trainer(0), job, under(job, f.mk("train_step", sec, 2*sec, uitest.Int("megatron.iteration", 1))),
		under(job, f.mk("train_step", 2*sec, 3*sec, uitest.Int("megatron.iteration", 2))),
		under(job, f.mk("train_step", 3*sec, 6*sec, uitest.Int("megatron.iteration", 3), cut)))
	m := open(t, f.Store, "")
	if got := m.content.counts()[truncatedMark]; m.content.at.iteration != 2 || got != 0 {
		t.Errorf("%d truncated in iteration %d", got, m.content.at.iteration)
	}
	if _, i, ok := m.focus(); !ok || !m.content.node(0, i).SpanMarks.Has(run.Truncated) {
		t.Error("the job is not in the first row, or not truncated")
	}
	if uitest.Press(m, "]"); m.content.counts()[truncatedMark] != 1 {
		t.Errorf("%d truncated after the last finished step, want the step", m.content.counts()[truncatedMark])
	}
}
