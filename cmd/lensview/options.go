package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/store"
)

// liveOptions are the flags of the commands that receive and show.
type liveOptions struct {
	grpc, http, unix, decoder     string
	advertise                     []string
	maxRequest                    byteSize
	otherUsers, noAuth, plaintext bool
	now                           func() time.Time // nil is the system's
	known                         bool             // 'lensview env' is to find it, so it has the user's token
	record                        recordOptions
	show                          showOptions
}

// showOptions are the flags of every command that shows screens.
type showOptions struct {
	memory byteSize
	filter string
	config string
	looks  looks
	place  placement
}

func (o *liveOptions) bind(f *pflag.FlagSet) {
	o.bindListen(f)
	f.StringVar(&o.record.dir, "record", "", "`directory` to record to what is received")
	o.record.bind(f)
	o.show.bind(f)
}

// bindListen is the flags of a command that receives, with screens or without.
func (o *liveOptions) bindListen(f *pflag.FlagSet) {
	o.known = true
	f.StringVar(&o.grpc, "listen", ingest.DefaultGRPC, "`address` for OTLP over gRPC; port 0 picks a free one, 'off' for none")
	f.StringVar(&o.http, "http-listen", ingest.DefaultHTTP, "`address` for OTLP over HTTP; port 0 picks a free one, 'off' for none")
	f.StringVar(&o.decoder, "decoder", string(ingest.Fast), "protobuf decoder: fast, or generated to settle a doubt about it")
	o.maxRequest = ingest.DefaultMaxRequest
	f.Var(&o.maxRequest, "max-request", "largest request, before and after decompression; a larger one is refused")
	f.StringVar(&o.unix, "unix", "", "`path` of a Unix socket for both protocols, or 'auto'")
	f.StringSliceVar(&o.advertise, "advertise", nil, "`names`, addresses or interfaces by which jobs on other hosts reach this one, best first")
	f.BoolVar(&o.otherUsers, "allow-other-users", false, "let every user of this host send over loopback without the token")
	f.BoolVar(&o.noAuth, "no-auth", false, "let every host that reaches --listen send without the token")
	f.BoolVar(&o.plaintext, "plaintext", false, "do without TLS on addresses that other hosts reach")
}

func (o *showOptions) bind(f *pflag.FlagSet) {
	o.memory = store.DefaultBudget
	f.Var(&o.memory, "memory", "resident growth that data may cause")
	f.StringVar(&o.filter, "filter", "", "filter at the start, as after '/'")
	f.StringVar(&o.looks.theme, "theme", "auto", "auto, dark, light or mono")
	bindConfig(f, &o.config)
	o.place.bind(f)
	f.BoolVar(&o.looks.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}
