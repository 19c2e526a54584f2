package store

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// resources finds a process by the bytes of its resource, without looking at its
// attributes.
type resources struct {
	seed  maphash.Seed
	known map[uint64]*resource
	count int
	bytes int
}

// resource is the wire bytes of one resource and the process that sent it.
type resource struct {
	raw  []byte
	proc *procWriter
	next *resource // another one of the same hash
}

func newResources() resources {
	return resources{seed: maphash.MakeSeed(), known: map[uint64]*resource{}}
}

func (t *resources) find(raw []byte) (*procWriter, uint64) {
	h := maphash.Bytes(t.seed, raw)
	for r := t.known[h]; r != nil; r = r.next {
		if bytes.Equal(r.raw, raw) {
			return r.proc, h
		}
	}
	return nil, h
}

// add remembers a resource. Beyond either limit all are forgotten: they are found
// again by their attributes.
func (t *resources) add(h uint64, raw []byte, p *procWriter, most, bytesMost int) {
	if t.count >= most || t.bytes+len(raw) > bytesMost {
		t.known, t.count, t.bytes = map[uint64]*resource{}, 0, 0
	}
	if len(raw) > bytesMost {
		return
	}
	t.bytes += len(raw)
	t.known[h] = &resource{raw: bytes.Clone(raw), proc: p, next: t.known[h]}
	t.count++
}

// process is who sent a resource, made on first sight. at is the receive time.
func (s *Store) process(b *otlp.Batch, r *otlp.Resource, at int64) (*procWriter, error) {
	raw := b.Bytes(r.Raw)
	p, h := s.resources.find(raw)
	if p != nil {
		return p, nil
	}
	attrs := b.AttrList(r.Attrs)
	p, err := s.identify(run.Identify(attrs), attrs, at)
	if err != nil {
		return nil, err
	}
	s.resources.add(h, raw, p, 2*s.limits.processes, int(s.budget/resourcePart))
	return p, nil
}

// identify is the process of an identity. A process may send several resources;
// the one that says most is shown.
func (s *Store) identify(id run.Identity, attrs []run.Attr, at int64) (*procWriter, error) {
	id = bounded(id)
	if p := s.processOf(id); p != nil {
		if len(attrs) > p.sent {
			p.sent = len(attrs)
			p.setResource(attrs)
		}
		return p, nil
	}
	if err := s.room(id); err != nil {
		return nil, err
	}
	s.processes++
	return s.runOf(id, at).addProcess(id, attrs, at), nil
}

// room makes room for a new process, and for its run if that is new, too.
func (s *Store) room(id run.Identity) error {
	newRun := s.byID[id.Run] == nil
	full := func() bool { return s.processes >= s.limits.processes || newRun && len(s.runs) >= s.limits.runs }
	if full() {
		s.forget()
	}
	switch {
	case !full():
		return nil
	case s.processes >= s.limits.processes:
		return fmt.Errorf("more than %d processes: raise --memory", s.limits.processes)
	}
	return fmt.Errorf("more than %d runs: set NEMO_LENS_RUN_ID, which makes one of the processes of a job, or raise --memory", s.limits.runs)
}

// processOf is the process of an identity, nil when it is new.
func (s *Store) processOf(id run.Identity) *procWriter {
	if w := s.byID[id.Run]; w != nil {
		return w.byKey[keyOf(id)]
	}
	return nil
}

// procKey tells processes of a run apart. The instance id may be the same after
// a restart, hence the rest.
type procKey struct {
	service, role, instance, host, attempt string
	rank, pid, restart                     int
}

func keyOf(id run.Identity) procKey {
	return procKey{
		service: id.Service, role: id.Role, instance: id.Instance, host: id.Host, attempt: id.Attempt,
		rank: id.Rank, pid: id.PID, restart: id.Restart,
	}
}

func (w *runWriter) addProcess(id run.Identity, attrs []run.Attr, at int64) *procWriter {
	pub := &Process{
		Index: len(w.procs), ID: id, First: at, Last: at, LastName: -1,
		Attempt: w.attemptOf(id, at),
	}
	p := &procWriter{w: w, pub: pub, gen: w.s.gen, key: keyOf(id), sent: len(attrs)}
	p.setResource(attrs)
	w.procs = append(w.procs, p)
	w.byKey[p.key] = p
	w.describe(id)
	w.place(p)
	w.join(p)
	w.changed()
	return p
}

// describe takes what a process says about its run into the run.
func (w *runWriter) describe(id run.Identity) {
	pub := &w.pub
	ranked := id.Rank != run.Unknown && !id.Gym && id.Service != run.UnknownService
	if pub.Service == "" || pub.Service == run.UnknownService || ranked && !w.serviceRanked {
		pub.Service, w.serviceRanked = id.Service, ranked // a gateway beside the trainers may come first
	}
	if pub.User == "" {
		pub.User = id.User
	}
	if pub.Job == "" {
		pub.Job = id.Job
	}
	if !id.Gym {
		pub.WorldSize = max(pub.WorldSize, id.WorldSize)
	}
	w.noteSizes(id)
}
