package main

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/beamline-hpc/lensview/internal/config"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// session is a store with screens over it, and what feeds it: receivers, a
// simulated run, or files.
type session struct {
	env    env
	show   showOptions
	config *config.Config
	theme  theme.Theme
	guard  *ui.Guard
	store  *noted
	tee    *record.Tee // between receivers and store
	load   *loading    // nil when no files are read
	server atomic.Pointer[receivers]
	clock  *steady
	host   string // this host's name, "" when unknown
	sole   bool   // what is received here is kept nowhere else
	still  bool   // files that do not grow

	recording  recordOptions // the flags, for a recording that begins later, too
	sinceStart atomic.Bool   // all that was received is recorded
	recordedTo atomic.Uint64 // how many items had come, all of them recorded, when a recording was stopped
}

// newSession makes a store that is shown. files says that the data come from
// files, whose clock is then the clock.
func newSession(ctx context.Context, e env, o showOptions, files bool) (*session, error) {
	if err := needTerminal(e); err != nil {
		return nil, err
	}
	if err := checkMemory(o.memory); err != nil {
		return nil, err
	}
	c, err := configuration(e, o.config)
	if err != nil {
		return nil, err
	}
	o.looks = o.looks.with(c)
	to, err := themeOptions(e.getenv, o.looks)
	if err != nil {
		return nil, err
	}
	kept, err := storeConfig(c, o.place, o.memory)
	if err != nil {
		return nil, err
	}
	s := &session{env: e, show: o, config: c, theme: theme.New(to), guard: ui.NewGuard(ctx), host: hostName(), still: files, clock: newSteady()}
	kept.Files, kept.Receiver, kept.Clock = files, s.receiver, s.clock.unix
	s.store = newNoted(kept)
	s.tee = record.NewTee(s.store.Store)
	s.store.also = append(s.store.also, recording{s.tee}, s.clock)
	limitMemory(uint64(o.memory))
	return s, nil
}

// hostName is what jobs on other hosts call this one, as far as it knows itself.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || strings.HasPrefix(name, "localhost") {
		return ""
	}
	return name
}

func (s *session) receiver() run.Receiver {
	if srv := s.server.Load(); srv != nil {
		r := srv.Stats()
		for i := range r.Listeners {
			if r.Listeners[i].Host == "" {
				r.Listeners[i].Host = s.host
			}
		}
		return r
	}
	return run.Receiver{}
}

// listen starts the receivers.
func (s *session) listen(ctx context.Context, o liveOptions) error {
	o.now = s.clock.Now
	srv, err := receive(ctx, s.env, o, s.tee)
	if err != nil {
		return err
	}
	for _, n := range srv.notices {
		s.store.note(n)
	}
	s.server.Store(srv)
	s.guard.Go(s.tick)
	return nil
}

// tick tells the store the time once a second, so that silence moves the screen.
func (s *session) tick() {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	limit := memoryLimit{budget: uint64(s.show.memory)}
	for {
		select {
		case <-t.C:
			s.store.Tick(s.clock.unix())
			limit.follow(s.receiver().Held)
		case <-s.guard.Context().Done():
			return
		}
	}
}

// stopTimeout is how long requests in flight may take to finish at the end.
const stopTimeout = 3 * time.Second

// flushTimeout is how long a recording may take to be put on the disk at the end.
const flushTimeout = 10 * time.Second

// run shows the screens until they are left, and stops what was started.
func (s *session) run() error {
	term := terminal(s.env, s.show.looks)
	app, err := ui.New(ui.Options{
		Theme: s.theme, Source: s.store, Screens: screens(s.theme), Restyle: screens,
		Copy: term.Out.Copy, CopyNote: copyNote(multiplexer(s.env.getenv)), Filter: s.show.filter,
		Save: saveView, Loss: s.loss, Keys: ownKeys(s.config),
		Still: s.still, Record: s.recorder(), StopLoading: s.load.stopper(),
	})
	if err != nil {
		_ = s.stop() // there is something worse to say
		return refused(s.config, err)
	}
	defer quiet(s.store.once)()
	err = ui.Run(app, s.guard, term)
	stopped := s.stop()
	if end := endOf(err); end != nil {
		return end
	}
	return stopped
}

// stop ends the receivers, then the recording of what they received.
func (s *session) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if srv := s.server.Load(); srv != nil {
		_ = srv.Stop(ctx) // what is left after the time is cut, as at any exit
	}
	ctx, cancel = context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	return s.tee.Stop(ctx)
}
