package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	if len(args) == 0 {
		if _, err := io.WriteString(e.stdout, manPage(root)); err != nil {
			return fmt.Errorf("man: %w", err)
		}
		return nil
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	return manPages(root, args[0])
}

// manPages writes the page of a command and of those below it.
func manPages(c *cobra.Command, dir string) error {
	path := filepath.Join(dir, manName(c)+".1")
	if err := os.WriteFile(path, []byte(manPage(c)), 0o644); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := manPages(sub, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is a page in the man macros (man(7)), which the command library's own
// writer would make by way of Markdown and half a megabyte more.
func manPage(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s\n", roffQuote(strings.ToUpper(manName(c))), roffQuote("lensview "+version))
	section(&b, "NAME", manName(c)+" - "+c.Short)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	long := c.Long
	if long == "" {
		long = c.Short
	}
	section(&b, "DESCRIPTION", long)
	manOptions(&b, c)
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(manName(sub)), roff(sub.Short))
			}
		}
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	return b.String()
}

func section(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, ".SH %s\n%s\n", title, strings.ReplaceAll(roff(text), "\n\n", "\n.PP\n"))
}

func manOptions(b *strings.Builder, c *cobra.Command) {
	first := true
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			b.WriteString(".SH OPTIONS\n")
			first = false
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(b, ".TP\n.BI %s %s\n%s\n", roffQuote(roff(name)), roffQuote(" "+roff(value)), roff(usage))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			fmt.Fprintf(b, "Default: %s.\n", roff(f.DefValue))
		}
	})
}

// roff escapes what troff would take for its own: backslashes, hyphens that must
// stay hyphens, and dots and quotes at the beginning of a line.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

func roffQuote(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
