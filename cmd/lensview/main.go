// Command lensview is a terminal run inspector and trace explorer for
// distributed training. It receives OTLP from a run, keeps what an engineer
// needs in bounded memory, and answers which rank is slow or hung and where a
// step's time goes.
package main

import (
	"os"

	// Initialised before the terminal library, so that it does not query the
	// terminal at start-up; see its documentation.
	"github.com/beamline-hpc/lensview/internal/earlyterm"
)

// version is set by the build.
var version = "dev"

func main() {
	earlyterm.Restore()
	os.Exit(execute(os.Args[1:], processEnv()))
}
