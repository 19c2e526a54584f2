package store

import (
	"fmt"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

func logBatch(t testing.TB, from, n int) *otlp.Batch {
	t.Helper()
	var recs []*logspb.LogRecord
	for i := range n {
		recs = append(recs, &logspb.LogRecord{TimeUnixNano: uint64(from + i), SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_INFO,
			SeverityText: "INFO", EventName: "step", Attributes: pairs("k", "v"),
			Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: fmt.Sprint("line ", from+i)}}})
	}
	body, err := proto.Marshal(&logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: recs}}}}})
	if err != nil {
		t.Fatal(err)
	}
	b := new(otlp.Batch)
	if err := b.Decode(run.Logs, body); err != nil {
		t.Fatal(err)
	}
	return b
}

func feedLogs(s *logSet, b *otlp.Batch) (evicted uint64) {
	for i := range b.Logs {
		evicted += s.add(b, &b.Logs[i], 3)
	}
	return evicted
}

func TestLogRecordIsWhole(t *testing.T) {
	s := newLogSet(1 << 20)
	feedLogs(s, logBatch(t, 7, 1))
	r := s.snapshot()[0].Records[0]
	if r.Time != 7 || r.Severity != 9 || r.SeverityText != "INFO" || r.EventName != "step" || r.Body.Str() != "line 7" ||
		len(r.Attrs) != 1 || r.Attrs[0].Key != "k" || r.Process != 3 {
		t.Errorf("record = %+v", r)
	}
}

func TestLogsStayInTheirShare(t *testing.T) {
	const share, n = 1 << 20, 20_000
	s := newLogSet(share)
	evicted := feedLogs(s, logBatch(t, 0, n))
	held := 0
	for _, c := range s.snapshot() {
		held += len(c.Records)
	}
	if evicted == 0 || uint64(held) != s.kept || s.kept+evicted != n {
		t.Errorf("kept %d, held %d, evicted %d of %d", s.kept, held, evicted, n)
	}
	if s.bytes > share {
		t.Errorf("bytes = %d, over the share of %d", s.bytes, share)
	}
	chunks := s.snapshot()
	if last := chunks[len(chunks)-1].Records; last[len(last)-1].Body.Str() != "line 19999" {
		t.Errorf("the newest record is gone")
	}
}

func TestLogSnapshotNeverChanges(t *testing.T) {
	s := newLogSet(1 << 20)
	feedLogs(s, logBatch(t, 0, 10))
	old := s.snapshot()
	feedLogs(s, logBatch(t, 10, 2000))
	if len(old) != 1 || len(old[0].Records) != 10 {
		t.Errorf("an old snapshot changed: %d chunks, %d records", len(old), len(old[0].Records))
	}
}

// Severities are counted over the whole run, by number or else by text, and outlive
// the records.
func TestLogLevelsOutliveTheRecords(t *testing.T) {
	b := otlp.NewBuilder(run.Logs)
	b.Resource(nil, 0, "")
	want := [run.SeverityCount]uint64{}
	for i := range 20_000 {
		l := run.Log{Time: uint64(i), Body: run.StringValue("line")}
		switch {
		case i%100 == 0:
			l.Severity = 17
			want[run.SeverityError]++
		case i%10 == 1:
			l.SeverityText = "WARNING"
			want[run.SeverityWarn]++
		case i%10 == 2:
			want[run.NoSeverity]++
		default:
			l.Severity = 9
			want[run.SeverityInfo]++
		}
		b.Log(&l)
	}
	var batch otlp.Batch
	if err := batch.Decode(run.Logs, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	s := newLogSet(1 << 20)
	if feedLogs(s, &batch) == 0 {
		t.Fatal("nothing was evicted")
	}
	if s.levels != want {
		t.Errorf("levels %v, want %v", s.levels, want)
	}
}
