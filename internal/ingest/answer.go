package ingest

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"
)

// empty reports whether all was well: then partial_success is left unset.
func (p partial) empty() bool { return p.rejected == 0 && p.message == "" }

// proto is an Export…ServiceResponse. The three signals share one shape:
// partial_success = 1 {rejected_… = 1, error_message = 2}.
func (p partial) proto() []byte {
	if p.empty() {
		return nil
	}
	var in []byte
	if p.rejected > 0 {
		in = protowire.AppendVarint(protowire.AppendTag(in, 1, protowire.VarintType), p.rejected)
	}
	if p.message != "" {
		in = protowire.AppendString(protowire.AppendTag(in, 2, protowire.BytesType), utf8Text(p.message))
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), in)
}

var rejectedField = [run.SignalCount]string{"rejectedSpans", "rejectedDataPoints", "rejectedLogRecords"}

// json is the same in OTLP's JSON, where a 64-bit number is a string.
func (p partial) json(s run.Signal) []byte {
	if p.empty() {
		return []byte("{}")
	}
	in := map[string]string{}
	if p.rejected > 0 {
		in[rejectedField[s]] = strconv.FormatUint(p.rejected, 10)
	}
	if p.message != "" {
		in["errorMessage"] = utf8Text(p.message)
	}
	return mustJSON(map[string]any{"partialSuccess": in})
}

// statusProto is a google.rpc.Status: code = 1, message = 2.
func statusProto(code codes.Code, text string) []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(code))
	return protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), utf8Text(text))
}

func statusJSON(code codes.Code, text string) []byte {
	return mustJSON(struct {
		Code    uint32 `json:"code"`
		Message string `json:"message"`
	}{uint32(code), utf8Text(text)})
}

// mustJSON marshals values that cannot fail: strings, numbers and maps of them.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func utf8Text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// retryDelay spreads senders that were refused together over one to two
// seconds: short enough for a deadline of ten, long enough to matter.
func retryDelay() time.Duration {
	return time.Second + time.Duration(rand.Int64N(int64(time.Second)+1))
}
