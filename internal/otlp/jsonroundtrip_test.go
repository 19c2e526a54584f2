package otlp

import (
	"bytes"
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// roundTrip takes JSON to protobuf, back to JSON and to protobuf again, and
// holds each step to the generated code.
func roundTrip(t testing.TB, body []byte) {
	t.Helper()
	tr := NewTranscoder(JSONOptions{})
	first, err := tr.Transcode(body)
	if err != nil {
		t.Fatalf("Transcode(%.200s): %v", body, err)
	}
	for s, wire := range first {
		if wire == nil {
			continue
		}
		wire = bytes.Clone(wire)
		line, err := AppendJSON(nil, run.Signal(s), wire)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(line, "\r\n") || !json.Valid(line) {
			t.Fatalf("not one line of JSON: %.200q", line)
		}
		again, err := NewTranscoder(JSONOptions{}).Transcode(line)
		if err != nil {
			t.Fatalf("our own JSON is refused: %v", err)
		}
		if !bytes.Equal(wire, again[s]) {
			t.Fatalf("protobuf differs after a second round:\n%.300s\n%.300s", body, line)
		}
		want := stockJSON(t, run.Signal(s), wire)
		sameMessage(t, "stock protobuf JSON", want, fromJSON(t, JSONOptions{}, run.Signal(s), line))
	}
}

// stockJSON sends the message through protobuf's own JSON mapping, which writes
// ids in base64, and reads it as a file.
func stockJSON(t testing.TB, s run.Signal, wire []byte) proto.Message {
	t.Helper()
	want, err := oracle(s, wire)
	if err != nil {
		t.Fatalf("generated code refuses the transcoded bytes: %v", err)
	}
	for _, stock := range []protojson.MarshalOptions{{}, {UseProtoNames: true, UseEnumNumbers: true, Indent: " "}} {
		body, err := stock.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		sameMessage(t, "message read from stock protobuf JSON", want, fromJSON(t, JSONOptions{File: true}, s, body))
	}
	return want
}

func TestJSONRoundTripOfRecordings(t *testing.T) {
	for _, name := range []string{"collector-mixed.otlp.jsonl.gz", "stage-imbalance.otlp.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			for i, line := range dataLines(t, name) {
				if testing.Short() && i%8 > 0 {
					continue
				}
				roundTrip(t, line)
			}
		})
	}
}

func TestJSONRoundTripOfExamples(t *testing.T) {
	for name, body := range dataExamples(t) {
		t.Run(name, func(t *testing.T) { roundTrip(t, body) })
	}
}
