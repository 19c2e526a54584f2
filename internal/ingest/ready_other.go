//go:build !unix

package ingest

import (
	"net"

	"google.golang.org/grpc/mem"
)

// socketReader is for systems on which a socket says when it is ready.
type socketReader struct{}

func socketOf(net.Conn) *socketReader { return nil }

func (*socketReader) ready(int, mem.BufferPool) (*[]byte, int, error) { panic("not on this system") }
