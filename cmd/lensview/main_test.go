package main

import (
	"fmt"
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
	if os.Getenv(asExporter) != "" {
		if err := exportAsJob(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
