package run_test

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestWords pins the words that reach the report and the screen: scripts rely
// on them.
func TestWords(t *testing.T) {
	tests := []struct {
		what string
		got  []string
		want string
	}{
		{"classes", words(run.Other, run.ClassCount), "other step compute wait io other"},
		{"levels", words(run.Info, run.Critical), "info warning critical"},
		{"signals", words(run.Traces, run.SignalCount), "traces metrics logs unknown"},
		{"types", words(run.Empty, run.Bytes+1), "empty string bool int double array kvlist bytes unknown"},
		{"dimensions", words(run.DimTP, run.DimCount), "tp cp ep dp pp unknown"},
		{"items", []string{run.Traces.Item(), run.Metrics.Item(), run.Logs.Item(), run.SignalCount.Item()}, "spans points logs items"},
		{"run rules", []string{run.ByRunID, run.ByJobUUID, run.ByRunUUID, run.ByHostAndPID}, "nemo.run.id nv.dl.job.uuid nv.dl.run.uuid service+host+pid"},
		{"truncation", []string{run.TruncatedKey}, "nemo.span.truncated"},
	}
	for _, tt := range tests {
		if got := strings.Join(tt.got, " "); got != tt.want {
			t.Errorf("%s are %q, want %q", tt.what, got, tt.want)
		}
	}
}

func words[T interface {
	~uint8
	String() string
}](first, last T) []string {
	var all []string
	for v := first; v <= last; v++ {
		all = append(all, v.String())
	}
	return all
}

func TestIDs(t *testing.T) {
	trace := run.TraceID{0x5b, 0x8e, 15: 0x0c}
	span := run.SpanID{0xee, 7: 0x74}
	if got := trace.String(); got != "5b8e000000000000000000000000000c" {
		t.Errorf("trace id %s", got)
	}
	if got := span.String(); got != "ee00000000000074" {
		t.Errorf("span id %s", got)
	}
	if trace.IsZero() || span.IsZero() || !(run.TraceID{}).IsZero() || !(run.SpanID{}).IsZero() {
		t.Error("the zero id is not told from others")
	}
}

func TestMarks(t *testing.T) {
	for _, m := range []run.Mark{run.Truncated, run.Open, run.EndsBefore, run.ZeroStart, run.BadTime} {
		if !m.Has(run.NoDuration) {
			t.Errorf("mark %b enters duration statistics", m)
		}
	}
	for _, m := range []run.Mark{run.OddTruncate, run.Versions, run.Failed, run.Orphan} {
		if m.Has(run.NoDuration) {
			t.Errorf("mark %b keeps a good duration out", m)
		}
	}
	if run.Truncated.Has(run.InvalidTime) || run.Open.Has(run.InvalidTime) || !run.BadTime.Has(run.InvalidTime) {
		t.Error("invalid times are not told from truncated and open spans")
	}
}

func TestAccountBalances(t *testing.T) {
	a := run.Account{Received: 21, Kept: 1, Evicted: 2, Rejected: 3, Duplicates: 4, Replaced: 5, InFlight: 6}
	if !a.Balanced() {
		t.Error("1 + 2 + 3 + 4 + 5 + 6 is not 21")
	}
	for i, p := range []*uint64{&a.Received, &a.Kept, &a.Evicted, &a.Rejected, &a.Duplicates, &a.Replaced, &a.InFlight} {
		*p++
		if a.Balanced() {
			t.Errorf("one too many in field %d goes unseen", i)
		}
		*p--
	}
}

func TestValueParts(t *testing.T) {
	list := []run.Value{run.IntValue(1), run.StringValue("a")}
	pairs := []run.Attr{{Key: "k", Value: run.BoolValue(true)}}
	if got := run.ArrayValue(list).List(); len(got) != 2 || got[1].Str() != "a" || got[0].Int() != 1 {
		t.Errorf("list %v", got)
	}
	if got := run.KVListValue(pairs).Attrs(); len(got) != 1 || !got[0].Value.Bool() {
		t.Errorf("pairs %v", got)
	}
	if run.IntValue(1).Bool() || run.BoolValue(false).Bool() {
		t.Error("something else than the bool true is true")
	}
}

// TestRaw says that a value taken apart into its column form comes back.
func TestRaw(t *testing.T) {
	tests := []struct{ got, want run.Value }{
		{run.Raw(run.Int, ^uint64(6), ""), run.IntValue(-7)},
		{run.Raw(run.Bool, 1, ""), run.BoolValue(true)},
		{run.Raw(run.Double, 0x4004000000000000, ""), run.DoubleValue(2.5)},
		{run.Raw(run.String, 0, "s"), run.StringValue("s")},
		{run.Raw(run.Bytes, 0, "\x00"), run.BytesValue([]byte{0})},
		{run.Raw(run.Empty, 0, ""), run.Value{}},
	}
	for _, tt := range tests {
		if !tt.got.Equal(tt.want) {
			t.Errorf("%v %q, want %v %q", tt.got.Type, tt.got, tt.want.Type, tt.want)
		}
	}
}
