package record_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
)

const file = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"severityText":"INFO"}]}]}]}
{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"5B8EFFF798038103D269B633813FC60C","span_id":"EEE19B7EC3C1B174","name":"step"}]}]}]}
{"resourceSpans":[{"sco`

func ExampleImport() {
	src := record.Source{Path: "run.jsonl", Input: strings.NewReader(file)}
	s, err := record.Import(context.Background(), src, func(b *otlp.Batch, _ run.Receipt) error {
		fmt.Println(b.Items(), b.Signal)
		return nil
	})
	fmt.Println(s.Format, s.Spans, "spans", s.Logs, "logs", s.BadRecords, "bad records, incomplete tail:", s.IncompleteTail, err)
	for _, m := range s.Messages {
		fmt.Println(m)
	}
	// Output:
	// 1 logs
	// 1 traces
	// otlp-json 1 spans 1 logs 0 bad records, incomplete tail: true <nil>
	// run.jsonl:3: incomplete last line (still being written?)
	// run.jsonl:2: resource_spans: snake_case field names were read; OTLP JSON is lowerCamelCase (4 times)
}

func ExampleExport() {
	src := record.Source{Path: "run.jsonl", Input: strings.NewReader(file)}
	if _, err := record.Export(context.Background(), os.Stdout, src); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"severityText":"INFO"}]}]}]}
	// {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"step"}]}]}]}
}
