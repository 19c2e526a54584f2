package ingest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc/codes"
)

// Bounds of an HTTP request to the gRPC port whose head is read to know in what
// form to answer.
const (
	headBytes = 16 << 10
	headTime  = 2 * time.Second
)

// answerHTTP1 tells an HTTP client where it is: in the reason of the status
// line and in a body of the form that it sent, since of the exporters some print
// the one and some the other. The connection ends so that the answer arrives
// although the request's body was not read.
func answerHTTP1(c net.Conn, p ports) {
	defer c.Close()
	if c.SetReadDeadline(time.Now().Add(headTime)) != nil {
		return
	}
	f := formOther
	rest := bufio.NewReader(io.LimitReader(c, headBytes))
	if r, err := http.ReadRequest(rest); err == nil {
		f = formOf(r.Header)
	}
	text := fmt.Sprintf("this is lensview's gRPC port, %s; OTLP over HTTP is on port %s", p.grpc, p.overHTTP())
	kind, body := "text/plain; charset=utf-8", []byte(text+"\n")
	switch f {
	case formProto:
		kind, body = typeProto, statusProto(codes.InvalidArgument, text)
	case formJSON:
		kind, body = typeJSON, statusJSON(codes.InvalidArgument, text)
	}
	_, err := fmt.Fprintf(c, "HTTP/1.1 400 Bad Request (OTLP over HTTP is on port %s)\r\nContent-Type: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		portOf(p.http), kind, len(body), body)
	if err != nil {
		return
	}
	linger(c, c)
}
