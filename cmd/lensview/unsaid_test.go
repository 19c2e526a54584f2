package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A reason is printed once: with the error that ends the command, or before it.
func TestReasonsAreSaidOnce(t *testing.T) {
	all := func() []string { return []string{"connection refused", "wrong token"} }
	for _, c := range []struct {
		err  error
		want []string
	}{
		{nil, all()},
		{errors.New("enough"), all()},
		{fmt.Errorf("sending: %w", errors.New("nobody is there: connection refused")), []string{"wrong token"}},
	} {
		if d := cmp.Diff(c.want, unsaid(all(), c.err)); d != "" {
			t.Errorf("%v (-want +got)\n%s", c.err, d)
		}
	}
}
