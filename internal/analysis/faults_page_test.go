package analysis

import (
	"fmt"
	"os"
	"strings"
)

// faultTable is what became of all runs, a scenario a line.
func faultTable(all []scenario, sizes []size, scores []score) string {
	var b strings.Builder
	var at []string
	for _, z := range sizes {
		at = append(at, fmt.Sprintf("%d × %d ranks", z.seeds, z.ranks))
	}
	fmt.Fprintf(&b, "Runs of each line: %s.\n\n", strings.Join(at, ", "))
	b.WriteString("| fault | runs | named, of what can be told | recall, 95 % | names | right | precision, 95 % | silent with a reason | told otherwise |\n")
	b.WriteString("| --- | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |\n")
	var faulty, healthy score
	for i, sc := range all {
		line(&b, sc.name, scores[i])
		if strings.HasPrefix(sc.name, "healthy") {
			healthy.add(scores[i])
		} else {
			faulty.add(scores[i])
		}
	}
	line(&b, "**all faults**", faulty)
	line(&b, "**all healthy**", healthy)
	return b.String()
}

func line(b *strings.Builder, name string, s score) {
	fmt.Fprintf(b, "| %s | %d | %s | %s | %d | %d | %s | %s | %s |\n", name, s.runs, of(s.found, s.identifiable), interval(s.found, s.identifiable),
		s.names, s.right, interval(s.right, s.names), of(s.reasons, s.abstain), of(s.told, s.tells))
}

func of(k, n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", k, n)
}

func interval(k, n int) string {
	if n == 0 {
		return "–"
	}
	lo, hi := wilson(k, n)
	return fmt.Sprintf("%.3f (%.3f–%.3f)", float64(k)/float64(n), lo, hi)
}

const faultsIntro = `# What the diagnosis finds in simulated faults

` + "`make faults`" + ` simulates every run below, feeds it to the store, diagnoses it and
writes this page; ` + "`go test ./internal/analysis -run TestFaults`" + ` does the same with few
seeds. Nothing here is typed by hand.

Before a run is analysed its truth is computed from its configuration alone
(` + "`internal/simulate/identify.go`" + `, the file that ` + "`lensview simulate --truth`" + ` writes): who was
made slow or stopped, and what of it the spans that are sent can show at all.

- Tensor- and context-parallel ranks wait for each other inside of every layer: their
  worker can be told, not the rank.
- With ` + "`forward_backward`" + ` alone all stages of a lane move together: the lane can be told.
- With steps alone nobody can: they are equally long on all ranks.
- A worker can be told when one of its ranks sends, and three of its stage do (two, when
  another stage shows that the two lanes are usually alike); half of a stage cannot.
- A host can be told when it holds several workers and enough of their like run elsewhere.
- Stages differ by design. Only the last one, of the loss layer, is asked about.
- Sizes that place no rank leave nothing to compare stages by; then a slow rank can be
  told only where all ranks do the same.
- What shows as less than 1.15 times the usual is faint: to name it is right, not to is no
  miss. Bubbles of the pipeline hide much of a slow rank inside of ` + "`forward_backward`" + `.
- Processes that all die at once lose what each had not sent yet: nobody can be told.
- A slow link and uneven data make nobody slow: nobody may be named.
- A frozen process is told by its silence. A rank that hangs while its exporters go on is
  told by the spans that it does not end, if any are sent inside of the step.

*Named* counts the faults whose culprit can be told and was named in full. *Names* are all
that the diagnosis gave (stragglers, suspects, and the culprit of the what-if), *right* those
that are the culprit: the exact ranks of a rank or worker, nobody outside of a lane, host or
stage. *Silent with a reason*: nobody can be told, and the diagnosis says why not. *Told
otherwise*: what is no culprit and must be said, such as a second attempt, ranks that are
never seen, clocks that are off. Intervals are Wilson's.

`

func writeFaults(table string) error {
	return os.WriteFile(faultsPage, []byte(faultsIntro+table), 0o644)
}
