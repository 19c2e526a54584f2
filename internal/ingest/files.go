package ingest

import (
	"fmt"
	"syscall"
)

// filesForOthers is how many open files are left to the rest of the process.
const filesForOthers = 64

// fileLimit is how many files the process may have open; Go has raised it to
// what the system allows at the start. 0 means that it is not known.
func fileLimit() uint64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil {
		return 0
	}
	return unsigned(r.Cur)
}

// unsigned is a limit, whose type is not the same on every system.
func unsigned[T int64 | uint64](limit T) uint64 { return uint64(limit) }

// connLimit is how many connections are let in, and what to do to have more.
// Beyond the limit of open files a sender would hang unanswered; one that is
// turned away tries again, and the screen says why.
func connLimit(wanted int, files uint64) (int, string) {
	if files == 0 || files >= uint64(wanted)+filesForOthers {
		return wanted, "close some, or send through one exporter a node"
	}
	n := max(1, int(files)-filesForOthers)
	return n, fmt.Sprintf("the limit of open files is %d: raise it with ulimit -n", files)
}
