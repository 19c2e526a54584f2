package ui

import (
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// suspend stops the program until the shell's fg. Where no shell could bring it
// back (started straight by ssh, srun or a multiplexer) the kernel does not stop
// it, and Bubble Tea would wait for ever for the continuation: so it is refused.
func suspend() tea.Cmd {
	if session, err := unix.Getsid(0); err != nil || session == syscall.Getpgrp() {
		return screen.Say("no shell here that could bring it back with fg")
	}
	return tea.Suspend
}
