package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// env is what a command may know of the process it runs in. Tests give their
// own.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	stdoutTerminal bool // stdin and stdout are terminals: screens may be shown
}

func processEnv() env {
	return env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv,
		stdoutTerminal: term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())),
	}
}
