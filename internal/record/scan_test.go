package record

import "testing"

// scanned is the verdict on text and where it was given, -1 for none.
func scanned(text string, column int, label bool) (verdict, int) {
	table := classes()
	s := scan{classes: &table}
	s.reset(column, label)
	for at := 0; ; at++ {
		i, v := s.run([]byte(text), at)
		if v == goOn {
			return goOn, -1
		}
		if v != restart {
			return v, i
		}
		s.mayBegin(i, 1+s.lines)
		at = i
	}
}

func TestScan(t *testing.T) {
	for _, c := range []struct {
		text    string
		verdict verdict
		at      int
	}{
		{`{}`, complete, 1},
		{`{"a":"}"}`, complete, 8},
		{`{"a":"\"}"}`, complete, 10},
		{`{"a":"\\"}`, complete, 9},
		{`{"a":[{},{"b":1.5e-3}],"c":null}`, complete, 31},
		{`{"a":NaN,"b":-Infinity}`, complete, 22},
		{"{\n\"a\" :\r\n\t{\n}\n}", complete, 14},
		{"{\"a\":[\n{},\n{}]}", complete, 14},
		{"{\"a\":\n{}}", complete, 8},
		{`{"a`, goOn, -1}, {`{"a":[1,2`, goOn, -1}, {`{"a\`, goOn, -1},
		{`{"a":]`, damaged, 5}, {`{"a":[}`, damaged, 6}, {`{a`, goOn, -1}, {`{b`, damaged, 1}, {`{'a'`, damaged, 1},
		{"{\"a\n\"", damaged, 3}, {"{\"a\\\n", damaged, 4}, {"{\"\x00", damaged, 2}, {"{\x00", damaged, 1},
		{"{\"a\":1\n{", damaged, 7},       // a brace where none may follow
		{"{\"a\":1,\n{", damaged, 8},      // a brace where a name must follow
		{"{\"a\":[{}\n{", damaged, 9},     // a brace after a value
		{"{\"a\":[{},\n{", goOn, -1},      // a brace where a value may follow
		{"{\"a\":1\n  {}}", complete, 11}, // not where records begin: left to the JSON reader
	} {
		if v, at := scanned(c.text, 0, false); v != c.verdict || at != c.at {
			t.Errorf("%q: verdict %d at %d, want %d at %d", c.text, v, at, c.verdict, c.at)
		}
	}
}

// Where the record's first line is indented, so are the next ones.
func TestScanColumn(t *testing.T) {
	text := "{\"a\":1\n  {}"
	if v, at := scanned(text, 2, false); v != damaged || at != 9 {
		t.Errorf("verdict %d at %d", v, at)
	}
	if v, _ := scanned(text, 4, false); v != goOn {
		t.Errorf("verdict %d", v)
	}
}

// A record behind a label ends with its line.
func TestScanLabel(t *testing.T) {
	if v, at := scanned("{\"a\":\n1}", 0, true); v != damaged || at != 5 {
		t.Errorf("verdict %d at %d", v, at)
	}
}

func TestScanPlaces(t *testing.T) {
	table := classes()
	s := scan{classes: &table}
	s.reset(0, false)
	text := []byte("{\"a\":[\n{\"b\":[\n{},\n{\"c\":")
	for at := 0; at < len(text); at++ {
		i, v := s.run(text, at)
		if v == restart {
			s.mayBegin(i, 1+s.lines)
		}
		at = i
	}
	if len(s.open) != 1 || s.open[0].line != 2 || s.closed.line != 3 {
		t.Errorf("open %+v, closed %+v", s.open, s.closed)
	}
}
