package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/clean"
)

// DiffSchema names the version of the JSON contract of a comparison.
const DiffSchema = "lensview.diff/v1"

// Diff is a comparison of two runs or windows. Times are seconds, changes and
// shares fractions; what cannot be told is null.
type Diff struct {
	Schema     string          `json:"schema"`
	A          DiffSide        `json:"a"`
	B          DiffSide        `json:"b"`
	Comparable bool            `json:"comparable"`
	Differ     []string        `json:"differ"` // why times are not like with like; none is judged then
	CannotTell []string        `json:"cannot_tell"`
	Step       DiffRow         `json:"step"`
	Phases     []DiffRow       `json:"phases"` // largest change in seconds first
	Shares     []DiffShare     `json:"shares"` // exclusive, of a step: medians, which need not add up to 1
	Rate       *DiffRow        `json:"tokens_per_sec_per_gpu"`
	Resources  []DiffAttribute `json:"resources"`
	OnlyA      []string        `json:"only_a"` // span names
	OnlyB      []string        `json:"only_b"`
	// Thresholds are those that the configuration sets to something else than their
	// default, by name.
	Thresholds map[string]float64 `json:"thresholds,omitempty"`

	judgedBy string   // the same in words, "" when all are the default
	slow     []string // who is slow in the sides, in words
}

// DiffSide is one of the two sides.
type DiffSide struct {
	Name  string `json:"name"`
	Run   string `json:"run"`
	World *int   `json:"world_size"`
	Ranks int    `json:"ranks"` // that were compared
	Steps int    `json:"steps"` // clean iterations that were compared
	First *int64 `json:"first"`
	Last  *int64 `json:"last"`
	Batch *int   `json:"global_batch_size"`
	Seq   *int   `json:"sequence_length"`
	// Stragglers are over the compared iterations: null for "cannot tell", [] for
	// "looked and found none".
	Stragglers []Straggler `json:"stragglers"`
}

// DiffRow is a figure of both sides; Change is B/A − 1.
type DiffRow struct {
	Name   string   `json:"name"`
	Class  string   `json:"class"`
	A      *float64 `json:"a"`
	B      *float64 `json:"b"`
	Change *float64 `json:"change"`
	Low    *float64 `json:"low"` // of the 95 % interval of Change
	High   *float64 `json:"high"`
	Level  string   `json:"level"` // none, moderate or material
	// Follows is the compute phase with which a wait changed: it is not flagged then.
	Follows *string `json:"follows,omitempty"`
}

// DiffShare is a share of both sides; Change is their difference.
type DiffShare struct {
	Class  string   `json:"class"`
	A      *float64 `json:"a"`
	B      *float64 `json:"b"`
	Change *float64 `json:"change"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	Level  string   `json:"level"`
}

// DiffAttribute is a resource attribute that differs; null where a side has none.
type DiffAttribute struct {
	Key string  `json:"key"`
	A   *string `json:"a"`
	B   *string `json:"b"`
}

// NewDiff is a comparison as a report writes it.
func NewDiff(c analysis.Comparison) Diff {
	d := Diff{
		Schema: DiffSchema, A: side(c.A), B: side(c.B), Comparable: c.Comparable(), Differ: list(c.Differ), CannotTell: list(c.CannotTell),
		Step: row(c.Step), Phases: []DiffRow{}, Shares: []DiffShare{}, Resources: []DiffAttribute{}, OnlyA: list(c.OnlyA), OnlyB: list(c.OnlyB),
		Thresholds: thresholds(c.Thresholds), judgedBy: c.Thresholds.String(), slow: c.WhoIsSlow(),
	}
	for _, p := range c.Phases {
		d.Phases = append(d.Phases, row(p))
	}
	for _, s := range c.Shares {
		d.Shares = append(d.Shares, DiffShare{
			Class: s.Class, A: number(s.A), B: number(s.B), Change: number(s.Change), Low: number(s.Low), High: number(s.High), Level: string(s.Level),
		})
	}
	for _, a := range c.Resources {
		d.Resources = append(d.Resources, DiffAttribute{Key: a.Key, A: text(a.A), B: text(a.B)})
	}
	if c.Rate != nil {
		r := row(*c.Rate)
		d.Rate = &r
	}
	return d
}

func side(f analysis.SideFacts) DiffSide {
	s := DiffSide{Name: f.Name, Run: f.Run, World: known(f.World), Ranks: f.Ranks, Steps: f.Steps, Batch: known(f.GlobalBatch), Seq: known(f.Sequence), Stragglers: stragglers(f.Slow)}
	if f.Steps > 0 {
		s.First, s.Last = &f.First, &f.Last
	}
	return s
}

func row(d analysis.Difference) DiffRow {
	return DiffRow{
		Name: d.Name, Class: d.Class, A: number(d.A), B: number(d.B), Change: number(d.Change),
		Low: number(d.Low), High: number(d.High), Level: string(d.Level), Follows: text(d.Follows),
	}
}

// Flagged is the figures that changed enough to matter, the step first.
func (d *Diff) Flagged() []DiffRow {
	var out []DiffRow
	rows := append([]DiffRow{d.Step}, d.Phases...)
	if d.Rate != nil {
		rows = append(rows, *d.Rate)
	}
	for _, r := range rows {
		if r.Level == string(analysis.Moderate) || r.Level == string(analysis.Material) {
			out = append(out, r)
		}
	}
	return out
}

// Verdict is the answer in one line.
func (d *Diff) Verdict() string {
	switch {
	case len(d.CannotTell) > 0:
		return "cannot tell: " + d.CannotTell[0]
	case !d.Comparable && d.Rate != nil && d.Rate.Change != nil:
		return fmt.Sprintf("not like with like; tokens/s per GPU %s (%s)", change(d.Rate.Change), d.Rate.Level)
	case !d.Comparable:
		return "not like with like: times are shown and not judged"
	}
	all := d.Flagged()
	if len(all) == 0 {
		return "no change that matters"
	}
	text := fmt.Sprintf("%s: %s takes %s %s", all[0].Level, all[0].Name, change(all[0].Change), intervalOf(all[0].Low, all[0].High))
	if d.Step.Level == string(analysis.Same) && all[0].Class != "" {
		text += fmt.Sprintf("; the step as a whole %s", change(d.Step.Change))
	}
	return text
}

func change(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%+.1f %%", 100**f)
}

func intervalOf(low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return fmt.Sprintf("(%+.1f … %+.1f %%)", 100**low, 100**high)
}

// WriteDiffJSON writes the contract.
func WriteDiffJSON(w io.Writer, d Diff) error {
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return fmt.Errorf("encode comparison: %w", err)
	}
	_, err = w.Write(append(clean.JSON(b), '\n'))
	return err
}

// seen is the iterations of a side in words.
func (s *DiffSide) seen() string {
	if s.First == nil {
		return "no clean step"
	}
	return fmt.Sprintf("%s of iterations %d to %d, %s", plural(s.Steps, "clean step"), *s.First, *s.Last, plural(s.Ranks, "rank"))
}
