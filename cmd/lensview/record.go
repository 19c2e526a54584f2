package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// recordOptions are the flags of the commands that record.
type recordOptions struct {
	dir, sync string
	group     bool
	rotate    byteSize
	keep      byteSize // 0 keeps all
}

// leastKept is the smallest --keep: a recording of less holds next to nothing, and
// one request may be as large.
const leastKept byteSize = 64 << 20

func (o *recordOptions) bind(f *pflag.FlagSet) {
	o.rotate = record.DefaultRotate
	f.StringVar(&o.sync, "sync", "", "'ack': acknowledge a request only when it is on the disk; with a full disk senders are told to retry")
	f.BoolVar(&o.group, "group", false, "let the user's group read the recording (0640 in 0750 instead of 0600 in 0700)")
	f.Var(&o.rotate, "rotate", "size at which the next file of the recording is begun")
	f.Var(&o.keep, "keep", "size of the recording beyond which its oldest files are deleted; without it all is kept")
}

func (o *recordOptions) options() (record.Options, error) {
	if o.sync != "" && o.sync != "ack" {
		return record.Options{}, usageError{fmt.Errorf("--sync %q: there is ack, or nothing", o.sync)}
	}
	if o.keep != 0 && o.keep < leastKept {
		return record.Options{}, usageError{fmt.Errorf("--keep %s: at least %s; a number without a unit is bytes", o.keep, leastKept)}
	}
	return record.Options{Dir: o.dir, Keep: int64(o.keep), Rotate: int64(o.rotate), Sync: o.sync == "ack", Group: o.group}, nil
}

func newRecord(e env) *cobra.Command {
	var o liveOptions
	var verbose bool
	cmd := &cobra.Command{
		Use:   "record DIR",
		Short: "Receive without a terminal and record to a directory",
		Long: `record receives OTLP and appends it to a recording in DIR, which is made when it is
not there; a recording that is there is continued. Nothing is lost when a connection
or a terminal goes away, and 'lensview open --follow DIR' shows it live, on any node
that has the directory. SIGTERM and SIGINT end it cleanly; kill -9 loses nothing that
was written.`,
		Example: `  lensview record /scratch/me/run7
  lensview record --listen 0.0.0.0 --sync ack run7
  lensview open --follow /scratch/me/run7`,
		Args: oneDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.record.dir = args[0]
			return recordTo(cmd.Context(), e, o, verbose)
		},
	}
	o.bindListen(cmd.Flags())
	o.record.bind(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "a line of state every ten seconds, also without a terminal")
	return cmd
}

// oneDir wants exactly one argument.
func oneDir(_ *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usageError{errors.New("record needs one DIR to record to; see 'lensview record --help'")}
	}
	return nil
}

// passing is the store of a receiver that only records: it keeps nothing.
type passing struct{}

// Put takes all but what the decoder has refused.
func (passing) Put(ctx context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return run.Outcome{}, fmt.Errorf("%w (%w)", run.ErrBusy, err)
	}
	var out run.Outcome
	for _, r := range b.Rejected {
		out.Rejected += uint64(r.Count)
		out.Reason = r.Reason
	}
	out.Kept = uint64(b.Items()) - out.Rejected
	return out, nil
}

// recordTo receives and records until it is told to end.
func recordTo(ctx context.Context, e env, o liveOptions, verbose bool) error {
	ro, err := o.record.options()
	if err != nil {
		return err
	}
	tee := record.NewTee(passing{})
	if err := tee.Start(ro); err != nil {
		return err
	}
	o.now = newSteady().Now
	srv, err := receive(ctx, e, o, tee)
	if err != nil {
		return errors.Join(err, stopRecording(tee))
	}
	signal.Ignore(syscall.SIGHUP) // a connection that drops ends nothing
	h := headless{e: e, tee: tee, srv: srv}
	fmt.Fprintf(e.stdout, "recording to %s\n", absolute(o.record.dir))
	for _, l := range srv.Addrs() {
		fmt.Fprintf(e.stdout, "%s on %s\n", l.Protocol, l.Addr)
	}
	h.watch(ctx, verbose || e.stdoutTerminal)
	return h.stop()
}

// headless is a receiver without screens.
type headless struct {
	e    env
	tee  *record.Tee
	srv  *receivers
	said map[string]uint64 // how often each notice was given when it was told
	last run.Recording     // as last shown
}

const stateEvery = 10 * time.Second

// watch tells what there is to say until ctx ends: what went wrong at once, the
// state now and then.
func (h *headless) watch(ctx context.Context, state bool) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for i := 0; ; i++ {
		h.tell()
		if state && i > 0 && i%int(stateEvery/time.Second) == 0 {
			h.state(h.e.stdout)
		}
		select {
		case <-second.C:
		case <-ctx.Done():
			return
		}
	}
}

// tell writes notices that are new, and those that count on once they are ten
// times what they were.
func (h *headless) tell() {
	if h.said == nil {
		h.said = map[string]uint64{}
	}
	r := h.srv.Stats()
	now := map[string]bool{}
	for _, all := range [][]run.Notice{h.srv.notices, h.tee.Notices(), refusals(r.Refused), r.Notices} {
		for _, n := range all {
			now[n.Code] = true
			if before, told := h.said[n.Code]; told && n.Count < 10*max(1, before) {
				continue
			}
			h.said[n.Code] = n.Count
			fmt.Fprintln(h.e.stderr, "lensview: "+oneLine(n.Text))
		}
	}
	for code := range h.said {
		if !now[code] { // it is over; if it comes back, it is told again
			delete(h.said, code)
			if code == "recording-stopped" {
				fmt.Fprintln(h.e.stderr, "lensview: recording goes on")
			}
		}
	}
}

// state writes what was recorded when that has changed.
func (h *headless) state(w io.Writer) {
	s, _ := h.tee.Status()
	if s.Requests == h.last.Requests && s.Lost == h.last.Lost {
		return
	}
	h.last = s
	fmt.Fprintln(w, recorded(s))
}

// recorded is a recording in one line.
func recorded(s run.Recording) string {
	text := fmt.Sprintf("recorded %s spans, %s points, %s logs in %s requests, %s", run.Count(s.Items[run.Traces]), run.Count(s.Items[run.Metrics]), run.Count(s.Items[run.Logs]), run.Count(s.Requests), byteCount(int64(s.Bytes)))
	if s.Lost.Requests > 0 {
		text += fmt.Sprintf("; %s items of %s requests could not be recorded", run.Count(s.Lost.Total()), run.Count(s.Lost.Requests))
	}
	return text
}

// stop ends the receivers, then the recording. A signal is how this is ended: it is
// no failure.
func (h *headless) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	_ = h.srv.Stop(ctx) // what is left after the time is cut, as at any exit
	h.tell()            // of the last second
	err := stopRecording(h.tee)
	s, _ := h.tee.Status()
	fmt.Fprintln(h.e.stdout, recorded(s))
	return err
}

func stopRecording(tee *record.Tee) error {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	return tee.Stop(ctx)
}

// recording is the recording of a session, as its screens see it.
type recording struct{ *record.Tee }

func (r recording) add(s *store.Snapshot) {
	if state, on := r.Status(); on {
		s.Recording = &state
	}
	s.Notices = append(r.Notices(), s.Notices...)
}

// record begins to record what the session receives, if the flags say so.
func (s *session) record(o recordOptions) error {
	s.recording = o
	ro, err := o.options()
	if err != nil || o.dir == "" {
		return err
	}
	s.sinceStart.Store(true)
	return s.tee.Start(ro)
}

// recorded reports whether all that was received is recorded.
func (s *session) recorded(snap *store.Snapshot) bool {
	state, on := s.tee.Status()
	if !on {
		return s.recordedTo.Load() > 0 && s.recordedTo.Load() == received(snap)
	}
	return s.sinceStart.Load() && state.Lost.Requests == 0 && state.Failing == ""
}

// recorder is what the screens call to start and to stop a recording.
func (s *session) recorder() func(dir string) (string, error) {
	if s.server.Load() == nil {
		return nil
	}
	return func(dir string) (string, error) {
		if _, on := s.tee.Status(); on {
			return s.stopRecording()
		}
		if dir == "" {
			dir = time.Now().Format("lensview-20060102-150405")
		}
		return s.recordFrom(dir)
	}
}

// stopRecording ends the recording and says what is in it.
func (s *session) stopRecording() (string, error) {
	if snap := s.store.Store.Snapshot(); s.recorded(snap) {
		s.recordedTo.Store(received(snap)) // what comes before the end is recorded, too: then more is asked than need be
	}
	if err := stopRecording(s.tee); err != nil {
		return "", err
	}
	state, _ := s.tee.Status()
	return "recording stopped: " + absolute(state.Dir) + ": " + recorded(state), nil
}

// recordFrom begins to record in the middle. Requests are not kept as they came:
// what was received before cannot be recorded any more, and who asks for a
// recording now has to hear it now.
func (s *session) recordFrom(dir string) (string, error) {
	s.recording.dir = dir
	ro, err := s.recording.options()
	if err == nil {
		err = s.tee.Start(ro)
	}
	if err != nil {
		return "", err
	}
	text := "recording to " + absolute(dir) + " from now on"
	before := received(s.store.Store.Snapshot())
	s.sinceStart.Store(before == s.recordedTo.Load())
	if before > 0 {
		text += fmt.Sprintf(": what was received before is not in it, %s ('lensview --record DIR' has all)", plural(before, "item"))
	}
	return text, nil
}

// received is how many items came.
func received(s *store.Snapshot) (n uint64) {
	for _, a := range s.Accounts {
		n += a.Received
	}
	return n
}
