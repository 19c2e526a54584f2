package main

import (
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// proxy says when exporters would go through one. Libraries read the variables in
// both spellings; gRPC has its own besides, and outside Go it takes any of them
// whatever the scheme.
func (d *diagnosis) proxy(getenv func(string) string, t target) {
	if t.network == "unix" {
		return
	}
	names, exceptions := []string{"http_proxy", "all_proxy"}, "no_proxy"
	if t.tls {
		names[0] = "https_proxy"
	}
	if t.protocol == "grpc" {
		names = []string{"grpc_proxy", "https_proxy", "http_proxy"}
		if getenv(grpcExceptions) != "" {
			exceptions = grpcExceptions
		}
	}
	for _, name := range names {
		if either(getenv, name) != "" && !excepted(either(getenv, exceptions), t) {
			d.cause("proxy in the way: exporters go to %s through the proxy of %s: add %s to %s, as 'lensview env' does", t.addr, name, t.host, exceptions)
			return
		}
	}
}

// excepted reports whether a list like no_proxy has the target. Go never goes to
// loopback through a proxy; others do unless the list says so.
func excepted(list string, t target) bool {
	if inList(list, t.host) || inList(list, t.addr) {
		return true
	}
	c := httpproxy.Config{HTTPProxy: "http://proxy.invalid", NoProxy: list}
	via, err := c.ProxyFunc()(&url.URL{Scheme: "http", Host: t.addr})
	return err == nil && via == nil && !isLoopback(t.host)
}

func either(getenv func(string) string, lower string) string {
	if v := getenv(lower); v != "" {
		return v
	}
	return getenv(strings.ToUpper(lower))
}

// direct is a transport that never goes through a proxy: what is in the way is
// told, and the receiver behind it is looked at all the same.
func direct() *http.Transport { return &http.Transport{Proxy: nil, DisableKeepAlives: true} }
