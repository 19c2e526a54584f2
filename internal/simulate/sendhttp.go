package simulate

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
)

type httpTransport struct {
	client  *http.Client
	base    string
	headers http.Header
	gzip    bool
	now     func() time.Time // for Retry-After given as a date
}

func dialHTTP(t *Target, a address, clock Clock) *httpTransport {
	n := t.Conns * t.InFlight
	h := &httpTransport{base: a.base, gzip: t.Gzip, headers: http.Header{}, now: clock.Now}
	h.client = &http.Client{
		Transport: &http.Transport{TLSClientConfig: t.TLS, MaxConnsPerHost: n, MaxIdleConnsPerHost: n, ForceAttemptHTTP2: false},
		// A redirect would carry the headers elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for k, v := range t.Headers {
		h.headers.Set(k, v)
	}
	h.headers.Set("Content-Type", "application/x-protobuf")
	h.headers.Set("User-Agent", "lensview-simulate")
	return h
}

func (h *httpTransport) close() { h.client.CloseIdleConnections() }

func (h *httpTransport) export(ctx context.Context, _ int, r *Request) (answer, error) {
	body := r.Body
	if h.gzip {
		body = zip(body)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.base+"/v1/"+r.Signal.String(), bytes.NewReader(body))
	if err != nil {
		return answer{}, &refusal{text: err.Error()}
	}
	req.Header = h.headers.Clone()
	if h.gzip {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return answer{}, &refusal{text: err.Error(), retry: true}
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return answer{}, &refusal{text: "reading the answer: " + err.Error(), retry: true}
	}
	if resp.StatusCode != http.StatusOK {
		return answer{}, h.refusal(resp, reply)
	}
	return readAnswer(reply)
}

func zip(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(body) // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes()
}

// refusal sorts an HTTP answer by the OTLP specification: 429, 502, 503 and 504
// may be sent again.
func (h *httpTransport) refusal(resp *http.Response, body []byte) *refusal {
	r := &refusal{text: fmt.Sprintf("HTTP %s%s", resp.Status, statusMessage(resp.Header.Get("Content-Type"), body))}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		r.retry, r.after = true, h.retryAfter(resp.Header.Get("Retry-After"))
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed:
		r.fatal = true
	}
	return r
}

// retryAfter reads seconds or a date.
func (h *httpTransport) retryAfter(s string) time.Duration {
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(s); err == nil {
		return max(at.Sub(h.now()), 0)
	}
	return 0
}

// statusMessage is the message of a google.rpc.Status body, or nothing.
func statusMessage(contentType string, body []byte) string {
	var s status.Status
	if contentType != "application/x-protobuf" || proto.Unmarshal(body, &s) != nil || s.GetMessage() == "" {
		return ""
	}
	return ": " + s.GetMessage()
}
