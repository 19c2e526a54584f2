package main

import (
	"os"
	"testing"
)

// asCommand makes the test binary behave as lensview itself, for tests that
// need a process of its own.
const asCommand = "LENSVIEW_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}
