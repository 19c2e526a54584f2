package target

import (
	"strconv"
	"strings"
	"time"
)

// protocol is gRPC unless said otherwise, as in the Python library.
func (v *reading) protocol() {
	text, name, _ := v.value("PROTOCOL")
	if v.Settings.Protocol != "" {
		text, name = string(v.Settings.Protocol), "the protocol set by the program"
	}
	v.to.Protocol = Protocol(strings.ToLower(text))
	switch v.to.Protocol {
	case GRPC, HTTPProtobuf, HTTPJSON:
	case "":
		v.to.Protocol = GRPC
	default:
		v.to.Protocol = GRPC
		v.warn(name, strconv.Quote(text)+" is none of grpc, http/protobuf and http/json: grpc is used")
	}
}

// timeout is in milliseconds, as the specification says.
func (v *reading) timeout() {
	text, name, _ := v.value("TIMEOUT")
	v.to.Timeout = defaultTimeout
	if text == "" {
		return
	}
	ms, err := strconv.ParseInt(text, 10, 32)
	if err != nil || ms <= 0 {
		v.warn(name, strconv.Quote(text)+" is no whole number of milliseconds above 0: 10000 is used")
		return
	}
	v.to.Timeout = time.Duration(ms) * time.Millisecond
}

func (v *reading) compression() {
	text, name, _ := v.value("COMPRESSION")
	switch strings.ToLower(text) {
	case "gzip":
		v.to.Gzip = true
	case "", "none":
	default:
		v.warn(name, strconv.Quote(text)+" is neither gzip nor none: none is used")
	}
}

// insecure is the specification's bool: "true" in any case, everything else false.
func (v *reading) insecure() bool {
	text, name, _ := v.value("INSECURE")
	switch strings.ToLower(text) {
	case "true":
		return true
	case "", "false":
	default:
		v.warn(name, strconv.Quote(text)+" is neither true nor false: false is used")
	}
	return false
}
