package resources

import (
	"io/fs"
	"os"
	"strings"
)

// Option replaces something that detectors read, or tells them something they
// cannot see.
type Option func(*settings)

// settings is what detectors read.
type settings struct {
	lookup    func(string) (string, bool)
	root      fs.FS
	run       Runner
	hostname  func() (string, error)
	pid       int
	runID     string
	localRank *int
	newest    bool // leave the older spellings out
}

// WithLookup replaces the environment: lookup has the shape of os.LookupEnv.
func WithLookup(lookup func(name string) (value string, set bool)) Option {
	return func(s *settings) { s.lookup = lookup }
}

// WithRoot replaces the root of the file system.
func WithRoot(root fs.FS) Option { return func(s *settings) { s.root = root } }

// WithRunner replaces the way commands are run.
func WithRunner(run Runner) Option { return func(s *settings) { s.run = run } }

// WithHostname replaces os.Hostname.
func WithHostname(name func() (string, error)) Option {
	return func(s *settings) { s.hostname = name }
}

// WithPID replaces os.Getpid.
func WithPID(pid int) Option { return func(s *settings) { s.pid = pid } }

// WithRunID gives the run id that the program or its configuration has set. It
// goes before everything found in the environment. An empty one counts as none.
func WithRunID(id string) Option { return func(s *settings) { s.runID = valid(strings.TrimSpace(id)) } }

// WithLocalRank gives DetectGPU the rank on the node, before all variables.
func WithLocalRank(rank int) Option { return func(s *settings) { s.localRank = &rank } }

// WithoutOlderNames leaves out the older spellings (dl.rank, dl.world_size and
// dl.local_rank) that are otherwise written beside the newest ones.
func WithoutOlderNames() Option { return func(s *settings) { s.newest = true } }

func newSettings(opts []Option) *settings {
	s := &settings{lookup: os.LookupEnv, root: os.DirFS("/"), hostname: os.Hostname, pid: os.Getpid()}
	for _, opt := range opts {
		opt(s)
	}
	if s.run == nil {
		s.run = runnerIn(s.lookup)
	}
	return s
}

// env returns the first of the variables that is there, without blanks around it
// and as valid UTF-8, and "" when there is none. An empty one counts as unset.
func (s *settings) env(names ...string) string {
	for _, name := range names {
		value, _ := s.lookup(name)
		if value = valid(strings.TrimSpace(value)); value != "" {
			return value
		}
	}
	return ""
}
