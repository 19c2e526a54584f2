package overviewscreen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// jump is a place that tells more: the key of its screen without a configuration,
// and what is to be seen there.
type jump struct {
	key, text string
	hint      func(screen.Keys) string // what follows the text: which key tells more there; nil for nothing
	to        screen.OpenMsg
}

// mostJumps is how many places are offered: one that is read beats five that are
// not.
const mostJumps = 3

// nextOf is what to look at next, by what the verdict is.
func nextOf(r *store.Run, d *analysis.Diagnosis) []jump {
	n := next{run: r, diagnosis: d}
	switch d.Verdict.State {
	case analysis.VerdictEnded:
		if len(d.Stall.Suspects) == 0 && (len(d.Stragglers.Found) > 0 || d.WhatIf.Cause == analysis.CauseStage) {
			n.slow() // it ended as it should, and was slow
		} else {
			n.stopped()
		}
	case analysis.VerdictStalled:
		n.stopped()
	case analysis.VerdictSlow:
		n.slow()
	case analysis.VerdictPartial:
		n.away()
	case analysis.VerdictStarting, analysis.VerdictUnknown:
		n.add("i", "Ingest: what has arrived, from whom, and what was refused", screen.Ingest, screen.Target{}, "")
		n.add("0", "Logs: what the ranks said so far", screen.Logs, screen.Target{}, "")
	default:
		n.add("6", "Spans: which operations the time goes to", screen.Spans, screen.Target{}, "")
	}
	return n.out[:min(len(n.out), mostJumps)]
}

type next struct {
	run       *store.Run
	diagnosis *analysis.Diagnosis
	out       []jump
}

func (n *next) add(key, text string, name screen.Name, t screen.Target, narrow string) {
	t.Run = n.run.ID
	n.out = append(n.out, jump{key: key, text: text, to: screen.OpenMsg{Screen: name, Target: t, Narrow: narrow}})
}

// trace offers the trace of a process.
func (n *next) trace(process int, iteration int64, has bool, what string) {
	n.add("7", "Trace: "+what, screen.Trace, screen.Target{Process: process, HasProcess: process >= 0, Iteration: iteration, HasIteration: has}, "")
}

// slow leads to the one that was named, else to when it is slow.
func (n *next) slow() {
	for _, s := range n.diagnosis.Stragglers.Found[:min(len(n.diagnosis.Stragglers.Found), 2)] {
		if len(s.Processes) == 0 {
			continue
		}
		p, who := s.Processes[0], "rank "+strconv.Itoa(s.Ranks[0])
		it, has := longest(n.run, p)
		if has {
			n.trace(p, it, true, fmt.Sprintf("%s, iteration %d, its longest compute of late", who, it))
		} else {
			n.trace(p, 0, false, who+", its last iteration")
		}
		n.add("4", "Topology, by compute: where "+who+" sits", screen.Topology,
			screen.Target{Process: p, HasProcess: true, Measure: analysis.ComputeTime.String()}, "")
	}
	if len(n.diagnosis.Stragglers.Found) == 0 && n.diagnosis.WhatIf.Cause == analysis.CauseStage {
		n.add("4", "Topology, by compute: the stages' medians", screen.Topology, screen.Target{Measure: analysis.ComputeTime.String()}, "")
	}
	n.add("5", "Steps: in which iterations, on which ranks", screen.Steps, screen.Target{}, "")
}

// longest is the iteration in which a process computed longest, of its last ones.
func longest(r *store.Run, process int) (iteration int64, ok bool) {
	most := float32(0)
	for i, left := len(r.Columns)-1, analysis.DefaultSteps; i >= 0 && left > 0; i-- {
		cell, there := r.Columns[i].Cell(process)
		if !there || cell.Flags&^store.ComputeIsUmbrella != 0 {
			continue
		}
		left--
		if cell.Compute > most {
			most, iteration, ok = cell.Compute, r.Columns[i].Iteration, true
		}
	}
	return iteration, ok
}

// stopped leads to the suspects of a stall, or of an end after one.
func (n *next) stopped() {
	st := &n.diagnosis.Stall
	for _, s := range st.Suspects[:min(len(st.Suspects), 2)] {
		for _, at := range st.Processes {
			if at.Process < 0 || at.Rank != s.Ranks[0] {
				continue
			}
			n.trace(at.Process, at.Iteration, at.HasIteration, fmt.Sprintf("rank %d, its last iteration", at.Rank))
			n.out[len(n.out)-1].hint = whatCameAfter
			n.add("3", "Ranks: "+listRanks(s.Ranks), screen.Ranks, screen.Target{}, rankFilter(s.Ranks))
			break
		}
	}
	if len(st.Suspects) == 0 {
		n.add("3", "Ranks: where each of them stands", screen.Ranks, screen.Target{}, "")
	}
	n.add("0", "Logs: what was said last", screen.Logs, screen.Target{}, "")
}

func whatCameAfter(k screen.Keys) string {
	return "; " + k.On(screen.Trace, "]") + " for what came after"
}

// away leads to the ranks that are missing or silent.
func (n *next) away() {
	var ranks []int
	for _, s := range n.diagnosis.Stall.Processes {
		if s.Process >= 0 && (s.State == analysis.ProcessSilent || s.State == analysis.ProcessBehind || s.State == analysis.ProcessAliveStuck) {
			ranks = append(ranks, s.Rank)
		}
	}
	if len(ranks) > 0 {
		n.add("3", "Ranks: "+listRanks(ranks), screen.Ranks, screen.Target{}, rankFilter(ranks))
	}
	n.add("i", "Ingest: who sends, and what was refused", screen.Ingest, screen.Target{}, "")
	if len(n.diagnosis.Coverage.NeverSeen) > 0 {
		n.add("4", "Topology: the places that were never seen", screen.Topology, screen.Target{}, "")
	}
}

// mostNamed is how many ranks a line names.
const mostNamed = 8

// listRanks is "rank 5" or "ranks 0–3, 7"; ranks rise.
func listRanks(ranks []int) string {
	parts := spans(ranks, "–")
	if len(parts) > mostNamed {
		parts = append(parts[:mostNamed], "…")
	}
	word := "ranks "
	if len(ranks) == 1 {
		word = "rank "
	}
	return word + strings.Join(parts, ", ")
}

// rankFilter is a filter that lets some ranks through.
func rankFilter(ranks []int) string {
	var terms []string
	for _, part := range spans(ranks, "..") {
		terms = append(terms, "rank="+part)
	}
	return strings.Join(terms, " or ")
}

// spans writes rising numbers as single ones and ranges.
func spans(n []int, between string) (out []string) {
	for i := 0; i < len(n); {
		j := i
		for j+1 < len(n) && n[j+1] == n[j]+1 {
			j++
		}
		text := strconv.Itoa(n[i])
		if j > i {
			text += between + strconv.Itoa(n[j])
		}
		if n[i] != run.Unknown {
			out = append(out, text)
		}
		i = j + 1
	}
	return out
}
