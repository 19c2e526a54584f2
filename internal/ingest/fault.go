package ingest

import (
	"fmt"
	"net/http"

	"google.golang.org/grpc/codes"
)

// fault is a request that was not accepted: what both protocols answer and
// under which word it is counted.
type fault struct {
	word  string // run.Refusal.Code
	grpc  codes.Code
	http  int
	text  string // one sentence for the sender and the screen, with the figure and what to do
	retry bool   // tell the sender to send it again in a second or two
}

// public is the text for the sender, who can do nothing about our own failures
// and need not know their insides; the screen has them.
func (f *fault) public() string {
	if f.grpc == codes.Internal {
		return "the receiver failed; its screen says why"
	}
	return utf8Text(f.text)
}

func undecodable(err error) *fault {
	return &fault{word: "undecodable", grpc: codes.InvalidArgument, http: http.StatusBadRequest, text: err.Error()}
}

func badGzip(err error) *fault {
	return &fault{word: "bad-gzip", grpc: codes.InvalidArgument, http: http.StatusBadRequest,
		text: fmt.Sprintf("the body is not a complete gzip stream: %v", err)}
}

// tooLarge refuses a request whose size is known, or known only to be more
// than the limit (size <= limit).
func tooLarge(size int64, limit int, what string) *fault {
	said := "more than the limit"
	switch most := int64(limit); {
	case size > most && megabytes(size) == megabytes(most): // rounded it would seem to fit
		said = fmt.Sprintf("%d bytes > limit", size)
	case size > most:
		said = megabytes(size) + " > limit"
	}
	return &fault{word: "too-large", grpc: codes.ResourceExhausted, http: http.StatusRequestEntityTooLarge,
		text: fmt.Sprintf("request %s: %s of %s; send smaller batches or raise --max-request", what, said, megabytes(int64(limit)))}
}

func megabytes(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
}

func busy(why string) *fault {
	return &fault{word: "busy", grpc: codes.Unavailable, http: http.StatusServiceUnavailable, text: why, retry: true}
}

// internal is the receiver's own failure.
func internal(word, text string) *fault {
	return &fault{word: word, grpc: codes.Internal, http: http.StatusInternalServerError, text: text}
}
