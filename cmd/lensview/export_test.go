package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode"
)

const hostileLine = "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"00000000000000000000000000000001\",\"spanId\":\"0000000000000001\",\"name\":\"\u202e\u009b2Jé\",\"startTimeUnixNano\":\"1\",\"endTimeUnixNano\":\"2\"}]}]}]}\n"

// An export that somebody looks at drives no terminal and is the same data; one into
// a pipe is as it always was.
func TestExportToATerminal(t *testing.T) {
	exported := func(terminal bool, in string) string {
		t.Helper()
		var out, errs bytes.Buffer
		e := env{stdin: strings.NewReader(in), stdout: &out, stderr: &errs, stdoutTerminal: terminal, getenv: getenv()}
		sources, err := sourcesFor(e, []string{"-"}, 0)
		if err == nil {
			err = exportOut(context.Background(), e, sources)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		return out.String()
	}
	in := strings.Repeat(hostileLine, 2000) // more than one buffer
	piped, shown := exported(false, in), exported(true, in)
	if !strings.Contains(piped, "\u202e") {
		t.Error("what is piped was changed")
	}
	for _, r := range shown {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("%q reaches the terminal", r)
		}
	}
	if exported(false, shown) != piped {
		t.Error("what is shown is other data")
	}
}

func TestHarmlessWithoutEndOfLine(t *testing.T) {
	var out bytes.Buffer
	h := &harmless{to: &out}
	for _, p := range []string{"\"\xe2", "\x80\xae\"", "\n\"b\"", ""} { // a character in two writes
		if n, err := h.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := h.end(); err != nil || out.String() != "\"\\u202e\"\n\"b\"" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
