package simulate

import (
	"testing"
	"time"
)

// worker is the spans of one worker in an iteration of a run.
func worker(t *testing.T, c Config, iteration, pp, dp int) (*model, *slot, []event) {
	t.Helper()
	m, err := newModel(c)
	if err != nil {
		t.Fatal(err)
	}
	s := slots(t, m, iteration+1)[iteration]
	return m, s, newCache(m).events(s, pp, dp)
}

func only(events []event, k kind) (list []event) {
	for _, e := range events {
		if e.kind == k {
			list = append(list, e)
		}
	}
	return list
}

// Within a lane nothing is computed before the data are there.
func TestReceivesFollowSends(t *testing.T) {
	const stages, micros = 4, 6
	m, err := newModel(Config{PP: stages, DP: 2, Microbatches: micros})
	if err != nil {
		t.Fatal(err)
	}
	s, c := slots(t, m, 2)[1], newCache(m)
	for p := range stages - 1 {
		up, down := c.events(s, p, 1), c.events(s, p+1, 1)
		sent, got := only(up, kSendForward), only(down, kRecvForward)
		back, gotBack := only(down, kSendBackward), only(up, kRecvBackward)
		if len(sent) != micros || len(got) != micros || len(back) != micros || len(gotBack) != micros {
			t.Fatalf("stage %d: %d sends, %d receives, %d and %d back", p, len(sent), len(got), len(back), len(gotBack))
		}
		for i := range micros {
			if got[i].end < sent[i].end || gotBack[i].end < back[i].end {
				t.Errorf("stage %d, microbatch %d: received before it was sent", p, i)
			}
		}
	}
	first, last := c.events(s, 0, 1), c.events(s, stages-1, 1)
	if len(only(first, kRecvForward))+len(only(first, kSendBackward))+len(only(last, kSendForward))+len(only(last, kRecvBackward)) != 0 {
		t.Error("the ends of the pipeline exchange data with nobody")
	}
}

// A stage does one thing at a time.
func TestWorkersSpansDoNotOverlap(t *testing.T) {
	_, _, events := worker(t, Config{PP: 4, DP: 2, GCEvery: 2, CheckpointEvery: 2, EvalEvery: 2}, 1, 3, 1)
	var last event
	leaves := 0
	for _, e := range events {
		if !e.leaf() {
			continue
		}
		if leaves++; e.start < last.end {
			t.Errorf("%+v begins before the end of %+v", e, last)
		}
		last = e
	}
	if leaves < 30 {
		t.Errorf("only %d spans without children", leaves)
	}
}

func TestDarkTimeIsThereAndSmall(t *testing.T) {
	for pp := range 4 {
		_, s, events := worker(t, Config{PP: 4, DP: 2}, 3, pp, 0)
		covered := int64(0)
		for _, e := range events {
			if e.parent == idStep {
				covered += e.end - e.start
			}
		}
		step := s.stepEnd - s.start
		if dark := float64(step-covered) / float64(step); dark < 0.01 || dark > 0.06 {
			t.Errorf("stage %d: %.4f of the step is dark", pp, dark)
		}
	}
}

func TestCheckpointFollowsItsStep(t *testing.T) {
	c := Config{DP: 4, CheckpointEvery: 2, EvalEvery: 2}
	m, s, events := worker(t, c, 1, 0, 2)
	save, write, eval := only(events, kCheckpoint), only(events, kCheckpointWrite), only(events, kEvaluate)
	if len(save) != 1 || len(write) != 1 || len(eval) != 1 || len(only(events, kEvaluateForward)) != evaluateSteps {
		t.Fatalf("%d saves, %d writes, %d evaluations", len(save), len(write), len(eval))
	}
	if save[0].start <= s.stepEnd || write[0].end >= save[0].end || eval[0].start <= save[0].end || s.end <= eval[0].end {
		t.Errorf("step to %d, save %+v, write %+v, evaluation %+v, next step %d", s.stepEnd, save[0], write[0], eval[0], s.end)
	}
	if d := time.Duration(save[0].end - save[0].start); d < m.Step || d > 2*m.Step {
		t.Errorf("a checkpoint takes %s", d)
	}
	if save[0].root != idCheckpoint || write[0].root != idCheckpoint || eval[0].root != idEvaluate {
		t.Error("checkpoint and evaluation are traces of their own")
	}
	other := only(newCache(m).events(s, 0, 3), kCheckpointWrite)[0]
	if other.end == write[0].end {
		t.Error("two workers write equally long")
	}
	if _, _, events := worker(t, c, 0, 0, 0); len(only(events, kCheckpoint)) != 0 {
		t.Error("a checkpoint after the first iteration of two")
	}
}

func TestGarbageCollectionIsShort(t *testing.T) {
	_, s, events := worker(t, Config{GCEvery: 3}, 2, 0, 0)
	gc := only(events, kGC)
	if len(gc) != 1 || float64(gc[0].end-gc[0].start) > 0.05*float64(s.stepEnd-s.start) {
		t.Errorf("garbage collections %+v in a step of %d", gc, s.stepEnd-s.start)
	}
	if _, _, events := worker(t, Config{GCEvery: 3}, 1, 0, 0); len(only(events, kGC)) != 0 {
		t.Error("a collection out of turn")
	}
}

// First and last stage share the embedding and wait for each other; the stages
// between them have none.
func TestEmbeddingCouplesTheEnds(t *testing.T) {
	m, err := newModel(Config{PP: 4, DP: 2})
	if err != nil {
		t.Fatal(err)
	}
	s, c := slots(t, m, 1)[0], newCache(m)
	var ends []int64
	for p := range 4 {
		for _, e := range only(c.events(s, p, 0), kEmbedding) {
			ends = append(ends, e.end)
		}
	}
	if len(ends) != 2 || ends[0] != ends[1] {
		t.Errorf("embedding reductions end at %v, want two at once", ends)
	}
	if _, _, events := worker(t, Config{DP: 2}, 0, 0, 0); len(only(events, kEmbedding)) != 0 {
		t.Error("one stage alone reduces its embedding with nobody")
	}
}

// The same run twice as slow takes twice as long in every part.
func TestScalingTheStepScalesEverything(t *testing.T) {
	c := Config{PP: 2, DP: 2, GCEvery: 2, CheckpointEvery: 2, Startup: time.Second}
	_, s1, once := worker(t, c, 1, 1, 1)
	c.Step = 2 * time.Second
	_, s2, twice := worker(t, c, 1, 1, 1)
	if len(once) != len(twice) {
		t.Fatalf("%d and %d spans", len(once), len(twice))
	}
	for i := range once {
		a, b := once[i].end-once[i].start, twice[i].end-twice[i].start
		if diff := b - 2*a; max(diff, -diff) > 1000 { // each part rounds to nanoseconds
			t.Errorf("%+v takes %d, twice as slow %d", once[i], a, b)
		}
	}
	if r := float64(s2.stepEnd-s2.start) / float64(s1.stepEnd-s1.start); r < 1.9999 || r > 2.0001 {
		t.Errorf("the step takes %.5f times as long", r)
	}
}
