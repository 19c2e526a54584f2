package report

// Schema names the version of the JSON contract.
const Schema = "lensview.report/v1"

// Report is the whole answer.
type Report struct {
	Schema  string   `json:"schema"`
	Filter  *string  `json:"filter"` // what the report was narrowed by; null for nothing
	OnlyRun *string  `json:"only_run"`
	Sources []Source `json:"sources"`
	Traces  Traces   `json:"traces"`
	Runs    []Run    `json:"runs"`    // by last activity, latest first
	Notices []Notice `json:"notices"` // that concern no run, or several
	// Thresholds are those that the configuration sets to something else than their
	// default, by name: times in seconds.
	Thresholds map[string]float64 `json:"thresholds,omitempty"`

	judgedBy string // the same in words, "" when all are the default
}

// Source is what one file or stream held.
type Source struct {
	Path           string   `json:"path"`
	Format         string   `json:"format"` // otlp-json, otlp-proto, python-console, recording
	Spans          int      `json:"spans"`
	Metrics        int      `json:"metrics"` // metric messages
	Points         int      `json:"points"`
	Logs           int      `json:"logs"`
	BadRecords     int      `json:"bad_records"`
	Rejected       int      `json:"rejected"` // items refused one by one, for their ids or a value that does not fit
	IncompleteTail bool     `json:"incomplete_tail"`
	Missing        int      `json:"missing"`       // items that were received and are not in the recording: not recorded, or deleted since
	MissingFiles   int      `json:"missing_files"` // files of the recording that are not there, whose items are not known
	Messages       []string `json:"messages"`      // "file:line: reason"
}

// Traces is the assembly of all retained spans.
type Traces struct {
	Count              int `json:"count"`
	OrphanSpans        int `json:"orphan_spans"`
	StartsBeforeParent int `json:"starts_before_parent"`
	ParentCycles       int `json:"parent_cycles"`
	DuplicatesDropped  int `json:"duplicates_dropped"`
}

// Run is one run. An answer that the data cannot give is null; Verdict.CannotTell
// says why.
type Run struct {
	ID           string         `json:"id"`
	Service      string         `json:"service"`
	User         *string        `json:"user"`
	Job          *string        `json:"job"`
	Attempts     int            `json:"attempts"`
	WorldSize    *int           `json:"world_size"`
	RanksSeen    int            `json:"ranks_seen"`
	NeverSeen    []int          `json:"never_seen"`
	Topology     *Topology      `json:"topology"`
	Verdict      *Verdict       `json:"verdict"`
	Iterations   *Iterations    `json:"iterations"`
	Resource     map[string]any `json:"resource"` // shared by all its processes
	Spans        Spans          `json:"spans"`
	SpanStats    []SpanStat     `json:"span_stats"` // by total, largest first
	Stall        *Stall         `json:"stall"`
	Stragglers   []Straggler    `json:"stragglers"` // null for "cannot tell", [] for "looked and found none"
	WhatIf       *WhatIf        `json:"what_if"`
	Bubble       *Bubble        `json:"bubble"`
	Breakdown    []Part         `json:"breakdown"` // null without a clean step
	Steps        *Steps         `json:"steps"`
	Goodput      *Goodput       `json:"goodput"`
	WorstRanks   []Rank         `json:"worst_ranks"`
	Quantities   []Quantity     `json:"quantities"`
	Metrics      []Metric       `json:"metrics"`
	Cardinality  []Cardinality  `json:"cardinality"`
	Conventions  []Convention   `json:"conventions"`
	Logs         Logs           `json:"logs"`
	Notices      []Notice       `json:"notices"`
	ProcessCount int            `json:"process_count"`
	Processes    []Process      `json:"processes,omitempty"` // with --processes

	noise float64 // z-score up to which a difference is noise, for the legend
}

// Topology is the shape of the run's parallelism. A size that nobody sent is null.
type Topology struct {
	TP       *int     `json:"tp"`
	CP       *int     `json:"cp"`
	PP       *int     `json:"pp"`
	DP       *int     `json:"dp"`
	Order    string   `json:"order"`
	Derived  bool     `json:"derived"` // coordinates were computed from ranks and sizes
	Problems []string `json:"problems"`
}

// Verdict is the answer to "how is this run".
type Verdict struct {
	State      string   `json:"state"`
	Scope      string   `json:"scope"`
	Summary    string   `json:"summary"`
	Evidence   []string `json:"evidence"`
	CannotTell []string `json:"cannot_tell"`
}

// Iterations counts the iterations seen: complete + Σ excluded = seen.
type Iterations struct {
	First    int64          `json:"first"`
	Last     int64          `json:"last"`
	Seen     int            `json:"seen"`
	Complete int            `json:"complete"`
	Excluded map[string]int `json:"excluded"`
}

// Spans is the exact accounting of the run's spans, and what is wrong with some.
type Spans struct {
	Received    uint64 `json:"received"`
	Kept        uint64 `json:"kept"`
	Evicted     uint64 `json:"evicted"`
	Rejected    uint64 `json:"rejected"`
	Duplicates  uint64 `json:"duplicates"`
	Replaced    uint64 `json:"replaced"`
	InFlight    uint64 `json:"in_flight"`
	Truncated   uint64 `json:"truncated"`
	InvalidTime uint64 `json:"invalid_time"`
	Errors      uint64 `json:"errors"`
}

// SpanStat is the duration statistics of one span name, in seconds. Truncated
// and invalid spans stand beside the count and enter no statistic.
type SpanStat struct {
	Name      string   `json:"name"`
	Phase     string   `json:"phase"`
	Class     string   `json:"class"`
	Count     uint64   `json:"count"`
	Truncated uint64   `json:"truncated"`
	Invalid   uint64   `json:"invalid"`
	Mean      *float64 `json:"mean"`
	P50       *float64 `json:"p50"`
	P95       *float64 `json:"p95"`
	P99       *float64 `json:"p99"`
	Max       *float64 `json:"max"`
	Total     float64  `json:"total"`
	Few       bool     `json:"few"` // too few spans for p95 (n < 20) or p99 (n < 100)
}

// Logs counts the log records of the whole run; those that are kept are still held.
type Logs struct {
	Received   uint64            `json:"received"`
	Kept       uint64            `json:"kept"`
	Evicted    uint64            `json:"evicted"`
	Duplicates uint64            `json:"duplicates"`
	Rejected   uint64            `json:"rejected"`
	BySeverity map[string]uint64 `json:"by_severity"` // kept and evicted: trace, debug, info, warn, error, fatal, unset
}

// Metric is the roll-up of one metric over all its series and the whole run: of
// the points of gauges and sums, of the values behind those of histograms and
// summaries. What the points do not tell is null, as the mean of running totals
// or the minimum of a histogram that sends none.
type Metric struct {
	Name        string   `json:"name"`
	Unit        string   `json:"unit"`
	Kind        string   `json:"kind"`
	Temporality *string  `json:"temporality"` // delta, cumulative or unspecified; null for kinds that have none
	Series      int      `json:"series"`
	Points      uint64   `json:"points"`
	NotFinite   uint64   `json:"not_finite"`
	Min         *float64 `json:"min"`
	Max         *float64 `json:"max"`
	Mean        *float64 `json:"mean"`
	Last        *float64 `json:"last"` // of a histogram or summary: the mean of its last point
	P50         *float64 `json:"p50"`  // of the values behind histograms, from their buckets
	P95         *float64 `json:"p95"`
	P99         *float64 `json:"p99"`
}

// Cardinality is one metric attribute that grows too large.
type Cardinality struct {
	Metric   string   `json:"metric"`
	Key      string   `json:"key"`
	Distinct int      `json:"distinct"`
	Series   int      `json:"series"`
	Level    string   `json:"level"` // notice, warning, critical
	Reason   string   `json:"reason"`
	Examples []string `json:"examples"`
	Growing  bool     `json:"growing"` // it got new values lately
	Advice   string   `json:"advice"`
}

// Notice is something a person should know.
type Notice struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	Text  string `json:"text"`
}

// Process is one sending process with every resource attribute and its type.
type Process struct {
	Rank     *int             `json:"rank"`
	Role     *string          `json:"role"`
	Host     *string          `json:"host"`
	PID      *int             `json:"pid"`
	Attempt  int              `json:"attempt"`
	Sibling  bool             `json:"sibling"`
	Coord    *Coord           `json:"coord"`
	First    *float64         `json:"first"` // unix seconds, sender clock
	Last     *float64         `json:"last"`
	Spans    uint64           `json:"spans"`
	Resource map[string]Typed `json:"resource"`
}

// Coord is a rank's place; a coordinate that is not known is null.
type Coord struct {
	TP      *int `json:"tp"`
	CP      *int `json:"cp"`
	PP      *int `json:"pp"`
	DP      *int `json:"dp"`
	Derived bool `json:"derived"`
}

// Typed is a value with the type it was sent as.
type Typed struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}
