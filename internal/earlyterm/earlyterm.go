// Package earlyterm keeps a question off the terminal that nobody asked for.
//
// Bubble Tea v1 asks the terminal for its background colour in an init function:
// before main, in every subcommand. A terminal that does not answer costs five
// seconds and keeps the question as litter. The library below it does not ask
// when the variable CI is set; packages are initialised in the order of their
// import paths as soon as their imports are, and this one has no imports but the
// standard library's and sorts before github.com/charmbracelet. So it sets CI for
// as long as packages are being initialised.
//
// Import it from main and call Restore first thing. This is the one place under
// internal/ that touches the environment: nothing else runs early enough.
package earlyterm

import "os"

// variable is what termenv looks at.
const variable = "CI"

// before is CI as it was: written once, by init, read by Restore.
var before, was = os.LookupEnv(variable)

func init() {
	if before == "" {
		// An error means an invalid name, which this is not; and there is no
		// terminal yet on which it could be said.
		_ = os.Setenv(variable, "1")
	}
}

// Restore puts CI back as it was, absent included. Call it first in main.
func Restore() {
	if !was {
		_ = os.Unsetenv(variable)
		return
	}
	_ = os.Setenv(variable, before)
}
