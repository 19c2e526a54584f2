package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/beamline-hpc/lensview/internal/ingest/private"
)

// envOptions are the flags of 'lensview env'.
type envOptions struct {
	instance, protocol, format, runID string
	advertise                         string
	unix                              bool
	wait                              time.Duration
}

func newEnvCommand(e env) *cobra.Command {
	var o envOptions
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Print what a job's environment needs to send to a running lensview",
		Long: `env prints lines for a shell that make any OpenTelemetry exporter send to the
lensview that you run: endpoint, protocol, token, certificate, the switches of
nemo-lens, and inside a Slurm job what is known of it. NEMO_LENS_* variables that
are set already stay. The token itself is not printed: the shell reads it from its
file.`,
		Example: `  eval "$(lensview env)"                  # in a job script, sh
  eval ` + "`lensview env --format csh`" + `        # csh, tcsh
  lensview env --format fish | source
  lensview env --format plain > job.env   # NAME=value with the token, mode 0600 is up to you
  eval "$(lensview env --wait 1m)"        # behind a recorder that the same script starts
  eval "$(lensview env --advertise ib0 --protocol http/protobuf)"`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return printEnv(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.instance, "instance", "", "which lensview, when several run: its `id`, process or host")
	f.DurationVar(&o.wait, "wait", 0, "how long to wait for a lensview that is just being started")
	f.StringVar(&o.protocol, "protocol", "", "grpc or http/protobuf (default grpc where it is received)")
	f.StringVar(&o.format, "format", "sh", "sh, csh, fish, or plain for NAME=value")
	f.StringVar(&o.advertise, "advertise", "", "`name`, address or interface by which the job reaches the receiver")
	f.StringVar(&o.runID, "run-id", "auto", "NEMO_LENS_RUN_ID: an `id`, none, or auto for one where there is no Slurm to tell runs apart")
	f.BoolVar(&o.unix, "unix", false, "over the Unix socket, for jobs on this host")
	return cmd
}

func printEnv(ctx context.Context, e env, o envOptions) error {
	sh, ok := shells()[o.format]
	if !ok && o.format != "plain" {
		return usageError{fmt.Errorf("--format %q: use sh, csh, fish or plain", o.format)}
	}
	i, err := awaitInstance(ctx, e, o)
	if err != nil {
		return fmt.Errorf("env: %w", err)
	}
	j := jobEnv{env: e, instance: i, options: o}
	all, err := j.settings(ctx)
	if err != nil {
		return fmt.Errorf("env: %w", err)
	}
	for _, hint := range j.hints {
		fmt.Fprintln(e.stderr, "lensview: "+oneLine(hint))
	}
	if o.format == "plain" {
		return writePlain(e.stdout, all)
	}
	return sh.write(e.stdout, all)
}

// lookEvery is how often to look for an instance that is being started.
const lookEvery = 200 * time.Millisecond

// awaitInstance is theInstance, as soon as there is one, within the time to wait.
func awaitInstance(ctx context.Context, e env, o envOptions) (instance, error) {
	until := time.NewTimer(o.wait)
	defer until.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		i, err := theInstance(e, o.instance)
		if err == nil || o.wait <= 0 {
			return i, err
		}
		select {
		case <-look.C:
		case <-until.C:
			return i, fmt.Errorf("after %v: %w", o.wait, err)
		case <-ctx.Done():
			return i, ctx.Err()
		}
	}
}

// theInstance is the one that runs, or the one that is wanted.
func theInstance(e env, want string) (instance, error) {
	state, err := stateDir(e)
	if err != nil {
		return instance{}, err
	}
	host, err := os.Hostname()
	if err != nil {
		return instance{}, fmt.Errorf("name of this host: %w", err)
	}
	all, err := instances(state, host)
	if err != nil {
		return instance{}, err
	}
	i, err := pick(all, want)
	if err == nil && want == "" && len(all) > 1 {
		fmt.Fprintf(e.stderr, "lensview: using %s; also running: %s (choose with --instance)\n", i.id(), strings.Join(ids(all[1:]), ", "))
	}
	return i, err
}

// writePlain writes NAME=value for tools that read such files. It holds the
// token.
func writePlain(w io.Writer, all []setting) error {
	for _, s := range all {
		if s.unset {
			continue
		}
		if s.secret != "" {
			b, err := private.Read(s.secret)
			if err != nil {
				return fmt.Errorf("env: %w", err)
			}
			s.value += strings.TrimSpace(string(b))
		}
		if strings.ContainsAny(s.value, "\n\r") {
			return fmt.Errorf("env: %s has a line break, which this format cannot hold", s.name)
		}
		if _, err := fmt.Fprintf(w, "%s=%s\n", s.name, s.value); err != nil {
			return err
		}
	}
	return nil
}

// errLoopbackOnly is a receiver that nothing here can reach.
func errLoopbackOnly(i instance, protocol string) error {
	return fmt.Errorf("lensview %s takes %s of its own host %s only: start it with %s", i.id(), protocol, i.Host, opens(protocol))
}

// opens is the flag that lets other hosts send by a protocol.
func opens(protocol string) string {
	if protocol == "grpc" {
		return "--listen 0.0.0.0:4317"
	}
	return "--http-listen 0.0.0.0:4318"
}

// endpoint is the URL and the protocol to give to a job.
func (j *jobEnv) endpoint() (url, protocol string, err error) {
	i, o := j.instance, j.options
	if o.unix || o.protocol == "" && i.GRPC == "" && i.HTTP == "" && i.Unix != "" {
		return j.socket()
	}
	addr, protocol := i.GRPC, "grpc"
	switch {
	case o.protocol == "http/protobuf" || o.protocol == "" && addr == "":
		addr, protocol = i.HTTP, "http/protobuf"
	case o.protocol != "grpc" && o.protocol != "":
		return "", "", usageError{fmt.Errorf("--protocol %q: use grpc or http/protobuf", o.protocol)}
	}
	if addr == "" {
		return "", "", fmt.Errorf("lensview %s does not receive %s: start it with %s", i.id(), protocol, opens(protocol))
	}
	if o.advertise != "" {
		name, err := advertisedName(o.advertise)
		if err != nil {
			return "", "", usageError{err}
		}
		if i.TLS && !slices.Contains(i.Names, name) {
			j.hint("the certificate of %s is not for %s: start it with --advertise %s", i.id(), name, name)
		}
		i.Names = []string{name}
	}
	return j.url(i, addr), protocol, j.reachable(addr, protocol)
}

func (j *jobEnv) socket() (url, protocol string, err error) {
	if j.instance.Unix == "" {
		return "", "", errors.New("it has no Unix socket: start it with --unix auto")
	}
	if j.instance.Host != j.host() {
		return "", "", fmt.Errorf("its Unix socket is on %s", j.instance.Host)
	}
	return "unix://" + j.instance.Unix, "grpc", nil
}
