package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// python reads what the console exporters of the Python SDK print: the SDK's own
// JSON of a span, a log record or a collection of metrics, one object after the
// other, in which ids are "0x…", times ISO 8601 and attributes a map.
type python struct{ wire []byte }

// read turns a record into a request when it has the shape of one of the three.
// names are the record's names that OTLP does not have; failed is why it is not
// OTLP, nil when it might be an empty request.
func (p *python) read(record []byte, names []string, failed *otlp.JSONError) (pyRequest, bool) {
	switch {
	case failed != nil && failed.Syntax:
	case failed != nil && strings.HasSuffix(failed.Path, "resource.attributes"):
		r := p.marshal(run.Metrics, record, &pyMetrics{})
		return r, r.problem == "" // else the record is OTLP with an error
	case hasAll(names, "context", "start_time", "end_time"):
		return p.marshal(run.Traces, record, &pySpan{}), true
	case hasAll(names, "body", "severity_number"):
		return p.marshal(run.Logs, record, &pyLog{}), true
	}
	return pyRequest{}, false
}

// pyRequest is a record as a request in protobuf.
type pyRequest struct {
	signal  run.Signal
	wire    []byte
	problem string // why it is none, "" when it is
}

func hasAll(names []string, wanted ...string) bool {
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return false
		}
	}
	return true
}

// pyRecord is one of the SDK's objects.
type pyRecord interface{ message() proto.Message }

func (p *python) marshal(s run.Signal, record []byte, into pyRecord) pyRequest {
	err := json.Unmarshal(record, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return pyRequest{problem: fmt.Sprintf("printed %s of the Python SDK: %v", s, err)}
	}
	if p.wire, err = (proto.MarshalOptions{}).MarshalAppend(p.wire[:0], into.message()); err != nil {
		return pyRequest{problem: err.Error()}
	}
	return pyRequest{signal: s, wire: p.wire}
}
