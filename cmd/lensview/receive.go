package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/ingest/cert"
	"github.com/beamline-hpc/lensview/internal/ingest/private"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// receivers are the running doors of a command, which 'lensview env' finds while
// they run.
type receivers struct {
	*ingest.Server
	notices []run.Notice // what could not be had and is not needed
	forget  func()
	socket  string // directory that was made for the Unix socket, "" for none
}

// Stop ends them and the file that names them.
func (r *receivers) Stop(ctx context.Context) error {
	r.forget()
	err := r.Server.Stop(ctx)
	if r.socket != "" {
		_ = os.Remove(r.socket) // it is empty now, unless somebody put something there
	}
	return err
}

// receive starts the receivers that the flags ask for: with the user's token
// and, where other hosts reach them, a certificate. The caller stops them.
func receive(ctx context.Context, e env, o liveOptions, sink ingest.Sink) (*receivers, error) {
	c, err := o.config()
	if err != nil {
		return nil, err
	}
	r := &receivers{forget: func() {}}
	if c.Unix, r.socket, err = socketPath(e, o.unix); err != nil {
		return nil, fmt.Errorf("--unix auto: %w", err)
	}
	var about instance
	var state string
	if o.known {
		if about, state, err = o.secure(ctx, e, &c, r); err != nil {
			return nil, err
		}
	}
	if r.Server, err = ingest.Start(ctx, c, sink); err != nil {
		if r.socket != "" {
			_ = os.Remove(r.socket)
		}
		return nil, err
	}
	if state != "" {
		r.publish(about, state)
	}
	return r, nil
}

// flightPart is the part of --memory that requests in flight may take: what the store
// leaves free. A command without a store has the receiver's own default.
const flightPart = 4

// config is what the flags alone say.
func (o liveOptions) config() (ingest.Config, error) {
	decoder := ingest.Decoder(o.decoder)
	if decoder != ingest.Fast && decoder != ingest.Generated {
		return ingest.Config{}, usageError{fmt.Errorf("--decoder %q: use fast or generated", o.decoder)}
	}
	if o.maxRequest > otlp.MaxBody {
		return ingest.Config{}, usageError{fmt.Errorf("--max-request %s: at most %s can be read", o.maxRequest, byteSize(otlp.MaxBody))}
	}
	return ingest.Config{
		GRPC: o.grpc, HTTP: o.http, Decoder: decoder, MaxRequest: int(o.maxRequest), MaxBytes: int(o.show.memory / flightPart),
		AllowOtherUsers: o.otherUsers, NoAuth: o.noAuth, Plaintext: o.plaintext, PlainLoopback: true, Now: o.now,
	}, nil
}

// secure adds token, names and certificate. On loopback alone none is needed: a
// home that cannot be written is then worth a notice only.
func (o liveOptions) secure(ctx context.Context, e env, c *ingest.Config, r *receivers) (instance, string, error) {
	outside := ingest.Outside(c.GRPC) || ingest.Outside(c.HTTP)
	state, err := stateDir(e)
	var token string
	if err == nil {
		token, err = private.Token(state)
	}
	if err != nil {
		if outside && !(o.noAuth && o.plaintext) {
			return instance{}, "", fmt.Errorf("receive from other hosts: %w", err)
		}
		r.notices = append(r.notices, run.Notice{Code: "no-state", Level: run.Info, Text: "'lensview env' does not find this receiver and nobody else can send: " + err.Error()})
		return instance{}, "", nil
	}
	c.Token = ingest.Secret(token)
	about := instance{Token: filepath.Join(state, private.TokenFile), PID: os.Getpid(), Started: time.Now().Unix(), Names: []string{"localhost"}}
	if o.noAuth {
		about.Token = "" // what nobody asks for need not travel
	}
	if about.Host, err = os.Hostname(); err != nil {
		about.Host = "localhost"
	}
	if !outside && len(o.advertise) == 0 {
		return about, state, nil
	}
	if about.Names, err = hostNames(ctx, o.advertise, about.Host, ingest.Host(c.GRPC), ingest.Host(c.HTTP)); err != nil {
		return instance{}, "", usageError{err}
	}
	c.Hosts = about.Names
	if !outside || o.plaintext {
		return about, state, nil
	}
	about.TLS, about.Certificate = true, filepath.Join(state, cert.File)
	authority, err := cert.Open(state, time.Now())
	if err == nil {
		c.TLS, err = authority.Config(about.Names, time.Now)
	}
	if err != nil {
		return instance{}, "", fmt.Errorf("certificate of the receiver: %w; --plaintext does without", err)
	}
	return about, state, nil
}

// publish lets 'lensview env' find the receivers.
func (r *receivers) publish(about instance, state string) {
	for _, l := range r.Addrs() {
		to := map[string]*string{"gRPC": &about.GRPC, "HTTP": &about.HTTP, "Unix socket": &about.Unix}[l.Protocol]
		if to != nil && *to == "" { // the first of two for localhost
			*to = l.Addr
		}
	}
	forget, err := about.write(state)
	if err != nil {
		r.notices = append(r.notices, run.Notice{Code: "no-instance", Level: run.Info, Text: "'lensview env' does not find this receiver: " + err.Error()})
		return
	}
	r.forget = forget
}
