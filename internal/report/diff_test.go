package report

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
)

func diffOf(t *testing.T, a, b func(*simulate.Config)) Diff {
	t.Helper()
	side := func(name string, change func(*simulate.Config)) analysis.Side {
		return analysis.Side{Name: name, Scope: analysis.Scope{Run: simulated(t, change).Runs[0]}}
	}
	c, err := analysis.Compare(context.Background(), side("a.jsonl", a), side("b.jsonl", b))
	if err != nil {
		t.Fatal(err)
	}
	return NewDiff(c)
}

// longer is a run of one stage whose compute takes 15 % longer on every worker.
func longer(factor float64, seed uint64) func(*simulate.Config) {
	return func(c *simulate.Config) {
		c.Seed, c.RunID, c.TP, c.PP, c.DP, c.Iterations, c.CheckpointEvery, c.NaNEvery = seed, "job", 1, 1, 4, 30, 0, 0
		c.Detail = simulate.ForwardBackward
		if factor > 1 {
			for rank := range 4 {
				c.Faults = append(c.Faults, simulate.Straggler{Rank: rank, Factor: factor})
			}
		}
	}
}

func TestDiffTexts(t *testing.T) {
	d := diffOf(t, longer(1, 1), longer(1.15, 2))
	d.OnlyB = append(d.OnlyB, "new|span")
	d.Resources = append(d.Resources, DiffAttribute{Key: "nv.dl.software.torch", A: text("2.8"), B: nil})
	var plain, md bytes.Buffer
	if err := WriteDiffText(&plain, d); err != nil {
		t.Fatal(err)
	}
	if err := WriteDiffMarkdown(&md, d); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.txt.golden", plain.String())
	golden(t, "diff.md.golden", md.String())
}

func TestDiffJSON(t *testing.T) {
	var buf bytes.Buffer
	if err := WriteDiffJSON(&buf, diffOf(t, longer(1, 1), longer(1.15, 2))); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(buf.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	has(t, got, "schema", "a", "b", "comparable", "differ", "cannot_tell", "step", "phases", "shares", "tokens_per_sec_per_gpu", "resources", "only_a", "only_b")
	has(t, got["b"], "name", "run", "world_size", "ranks", "steps", "first", "last", "global_batch_size", "sequence_length", "stragglers")
	has(t, first(got["phases"]), "name", "class", "a", "b", "change", "low", "high", "level")
	for _, list := range []string{"differ", "cannot_tell", "resources", "only_a", "only_b"} {
		if got[list] == nil {
			t.Errorf("%s is null, not []", list)
		}
	}
}

func TestDiffVerdicts(t *testing.T) {
	wider := func(c *simulate.Config) { longer(1, 2)(c); c.DP = 8 }
	short := func(c *simulate.Config) { longer(1, 2)(c); c.Iterations = 3 }
	for _, tt := range []struct {
		name string
		b    func(*simulate.Config)
		want string
	}{
		{"slower", longer(1.15, 2), "material: iteration takes +"},
		{"the same", longer(1, 2), "no change that matters"},
		{"another world", wider, "not like with like: "},
		{"too short", short, "cannot tell: b.jsonl has 2 clean steps"},
	} {
		d := diffOf(t, longer(1, 1), tt.b)
		if got := d.Verdict(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q…", tt.name, got, tt.want)
		}
	}
}

// Where waits grew every form says who is slow, and JSON has it as in a report.
func TestDiffSaysWhoIsSlow(t *testing.T) {
	slow := func(c *simulate.Config) {
		longer(1, 1)(c)
		c.Faults = []simulate.Fault{simulate.Straggler{Rank: 2, Factor: 1.4}}
	}
	d := diffOf(t, longer(1, 1), slow)
	const want = "slow in B: rank 2 on gpu-0000: 1.4"
	for name, write := range map[string]func(io.Writer, Diff) error{"text": WriteDiffText, "markdown": WriteDiffMarkdown} {
		var buf bytes.Buffer
		if err := write(&buf, d); err != nil || !strings.Contains(buf.String(), want) || strings.Contains(buf.String(), "slow in A") {
			t.Errorf("%s, %v:\n%s", name, err, buf.String())
		}
	}
	if len(d.B.Stragglers) != 1 || d.B.Stragglers[0].Ranks[0] != 2 || d.A.Stragglers == nil || len(d.A.Stragglers) != 0 {
		t.Errorf("A %+v, B %+v", d.A.Stragglers, d.B.Stragglers)
	}
}

// Thresholds that are not the default are in every form.
func TestDiffTellsItsThresholds(t *testing.T) {
	c := analysis.Comparison{Thresholds: run.Thresholds{ChangeModerate: 0.05}}
	d := NewDiff(c)
	for name, write := range map[string]func(io.Writer, Diff) error{"text": WriteDiffText, "markdown": WriteDiffMarkdown} {
		var buf bytes.Buffer
		if err := write(&buf, d); err != nil || !strings.Contains(buf.String(), "judged by own thresholds: change-moderate 0.05 (default 0.03)") {
			t.Errorf("%s, %v:\n%s", name, err, buf.String())
		}
	}
	if d.Thresholds["change-moderate"] != 0.05 || len(d.Thresholds) != 1 {
		t.Errorf("%v", d.Thresholds)
	}
	if d := NewDiff(analysis.Comparison{}); d.Thresholds != nil || d.judgedBy != "" {
		t.Errorf("the defaults: %v %q", d.Thresholds, d.judgedBy)
	}
}
