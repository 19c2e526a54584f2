package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func newVersion(e env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the Go release and the semantic conventions it follows",
		Example: `  lensview version`,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(e.stdout, "lensview %s (%s, %s/%s, semantic conventions %s)\n",
				version, runtime.Version(), runtime.GOOS, runtime.GOARCH, semconv.Version)
			return err
		},
	}
}
