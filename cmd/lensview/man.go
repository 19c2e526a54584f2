package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "man [DIR]",
		Short: "Write manual pages: of lensview to standard output, of every command into a directory",
		Example: `  lensview man | man -l -
  lensview man ~/.local/share/man/man1`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Errorf("%s takes one directory at most", cmd.CommandPath())}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return man(cmd.Root(), e, args) },
	}
}

func man(root *cobra.Command, e env, args []string) error {
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Title: "LENSVIEW", Section: "1", Source: "lensview " + version, Manual: "lensview"}
	if len(args) == 0 {
		if err := doc.GenMan(root, header, e.stdout); err != nil {
			return fmt.Errorf("man: %w", err)
		}
		return nil
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	header.Title = "" // each page has its command's
	if err := doc.GenManTree(root, header, args[0]); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	return nil
}
