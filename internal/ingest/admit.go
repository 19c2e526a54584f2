package ingest

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"
)

// tokenHeader carries the token; a bearer authorization does as well.
const tokenHeader = "x-lensview-token"

// admission decides who may send.
type admission struct {
	exists bool // there is a token
	want   [sha256.Size]byte
}

func newAdmission(token Secret) admission {
	return admission{exists: token != "", want: sha256.Sum256([]byte(token))}
}

// admit lets a request in that came over a trusted connection or brings the
// token; get returns the values of a header.
func (a admission) admit(c *conn, get func(header string) []string) *fault {
	if c.trusted() || a.holds(get) {
		c.prove()
		return nil
	}
	return c.stranger(carries(get))
}

// holds reports whether a request brings the token. Digests are compared, so
// neither content nor length shows in the time taken.
func (a admission) holds(get func(header string) []string) bool {
	if !a.exists {
		return false
	}
	for _, v := range get(tokenHeader) {
		if a.is(v) {
			return true
		}
	}
	for _, v := range get("authorization") {
		if scheme, token, ok := strings.Cut(v, " "); ok && strings.EqualFold(scheme, "bearer") && a.is(strings.TrimSpace(token)) {
			return true
		}
	}
	return false
}

func (a admission) is(token string) bool {
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], a.want[:]) == 1
}

// carries reports whether a request brings any token.
func carries(get func(header string) []string) bool {
	return len(get(tokenHeader))+len(get("authorization")) > 0
}
