package store

import "testing"

func TestWithoutSpansKeepsAllElse(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0), stepSpan(1))
	whole := f.Snapshot()
	light := whole.WithoutSpans()
	r, l := whole.Runs[0], light.Runs[0]
	if l.Chunks != nil || l.Logs != nil || len(r.Chunks) == 0 {
		t.Errorf("chunks %d of %d", len(l.Chunks), len(r.Chunks))
	}
	if l.ID != r.ID || len(l.Processes) != len(r.Processes) || len(l.Columns) != len(r.Columns) || l.Accounts != r.Accounts || light.Version != whole.Version {
		t.Errorf("the light snapshot lacks more than spans: %+v", l)
	}
}
