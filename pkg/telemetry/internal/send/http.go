package send

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

const (
	userAgent   = "lensview-telemetry-go"
	answerLimit = 4 << 20 // bytes of an answer that are read
	textLimit   = 300     // bytes of an error page that are shown
)

// http returns a sender over a pool of connections that is shared where it can be.
func (d *Dialer) http(to target.Target) Sender {
	k := key(to, to.Place())
	pool := d.pools[k]
	if pool == nil {
		pool = transport(to)
		if d.pools == nil {
			d.pools = map[string]*http.Transport{}
		}
		d.pools[k] = pool
	}
	return &httpSender{to, &http.Client{Transport: pool, CheckRedirect: noRedirect}}
}

// transport is like net/http's default one, which the program may have replaced.
func transport(to target.Target) *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialPatient,
		TLSClientConfig:     to.TLS,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        8,
		IdleConnTimeout:     90 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second,
	}
}

// noRedirect keeps headers, which may hold a secret, from going elsewhere.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

type httpSender struct {
	to     target.Target
	client *http.Client
}

// Send implements Sender.
func (s *httpSender) Send(ctx context.Context, request proto.Message) (int64, error) {
	body, kind, err := s.encode(request)
	if err != nil {
		return 0, &Error{s.to, err}
	}
	return repeat(ctx, s.to, func(ctx context.Context) attempt { return s.once(ctx, body, kind) })
}

func (s *httpSender) encode(request proto.Message) (body []byte, kind string, err error) {
	kind = "application/x-protobuf"
	if s.to.Protocol == target.HTTPJSON {
		body, kind = encode.AppendJSON(nil, request), "application/json"
	} else if body, err = proto.Marshal(request); err != nil {
		return nil, "", err
	}
	if !s.to.Gzip {
		return body, kind, nil
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(body)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), kind, err
}

func (s *httpSender) once(ctx context.Context, body []byte, kind string) attempt {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.to.URL, bytes.NewReader(body))
	if err != nil {
		return attempt{err: err}
	}
	for k, v := range s.to.Headers {
		r.Header.Set(k, v)
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("User-Agent", userAgent)
	if s.to.Gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return attempt{err: withoutURL(err), again: true}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, answerLimit))
	if err != nil {
		return attempt{err: err, again: true}
	}
	return s.judge(answer, text)
}

// judge reads an answer as the OTLP specification says ("Failures" of OTLP/HTTP).
func (s *httpSender) judge(answer *http.Response, text []byte) attempt {
	if answer.StatusCode/100 == 2 {
		return attempt{refused: refusedIn(s.to.Signal, answer.Header.Get("Content-Type"), text)}
	}
	a := attempt{err: fmt.Errorf("the server answered %s%s", answer.Status, said(text))}
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		a.again, a.after = true, retryAfter(answer.Header.Get("Retry-After"))
	}
	return a
}

// said quotes the beginning of an error page.
func said(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return ""
	}
	return fmt.Sprintf(": %q", text[:min(len(text), textLimit)])
}

func refusedIn(s target.Signal, kind string, text []byte) int64 {
	_, answer := call(s)
	if kind == "application/json" {
		return refusedInJSON(text)
	}
	if proto.Unmarshal(text, answer) != nil {
		return 0
	}
	return refusedBy(answer)
}

// retryAfter reads seconds or a date.
func retryAfter(text string) time.Duration {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && n > 0 {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// withoutURL takes off what net/http puts around an error: the URL may hold a
// secret, and the place is named already.
func withoutURL(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}
