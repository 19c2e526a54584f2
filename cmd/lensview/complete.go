package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/config"
	"github.com/beamline-hpc/lensview/internal/ingest"
)

// completions tells shells the words that flags take, for every command that has
// the flag.
func completions(cmd *cobra.Command) {
	for flag, words := range map[string][]string{
		"theme": config.Themes(), "decoder": {string(ingest.Fast), string(ingest.Generated)},
	} {
		if cmd.Flags().Lookup(flag) != nil {
			_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // fails only when done twice
		}
	}
	for _, sub := range cmd.Commands() {
		completions(sub)
	}
}

// completionCommand makes the command that the library adds say what is wrong, as
// the others do.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Example = "  source <(lensview completion bash)\n  lensview completion fish > ~/.config/fish/completions/lensview.fish"
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(*cobra.Command, []string) error {
			return usageError{errors.New("completion needs a shell: bash, zsh, fish or powershell")}
		}
	}
}
