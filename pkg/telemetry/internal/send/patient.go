package send

import (
	"context"
	"net"
	"sync"
)

// patient is a connection that hears nothing before it has spoken. A gRPC server
// speaks first, and net/http writes what it hears unasked to the standard logger;
// heard later it is an answer that makes no sense, which is an error with a hint.
type patient struct {
	net.Conn
	spoken chan struct{}
	once   sync.Once
}

func dialPatient(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &patient{Conn: conn, spoken: make(chan struct{})}, nil
}

func (p *patient) speak() { p.once.Do(func() { close(p.spoken) }) }

// Read implements net.Conn.
func (p *patient) Read(b []byte) (int, error) {
	<-p.spoken
	return p.Conn.Read(b)
}

// Write implements net.Conn.
func (p *patient) Write(b []byte) (int, error) {
	defer p.speak()
	return p.Conn.Write(b)
}

// Close implements net.Conn.
func (p *patient) Close() error {
	defer p.speak()
	return p.Conn.Close()
}
