package ingest

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"
)

// tokenHeader carries the token; a bearer authorization does as well.
const tokenHeader = "x-lensview-token"

// admission decides who may send. The zero value lets everybody.
type admission struct {
	needed bool
	want   [sha256.Size]byte
}

func newAdmission(token string) admission {
	return admission{needed: token != "", want: sha256.Sum256([]byte(token))}
}

// admit checks the token of a request; get returns the values of a header.
// Digests are compared, so neither content nor length shows in the time taken.
func (a admission) admit(get func(header string) []string) *fault {
	if !a.needed {
		return nil
	}
	for _, v := range get(tokenHeader) {
		if a.is(v) {
			return nil
		}
	}
	for _, v := range get("authorization") {
		if scheme, token, ok := strings.Cut(v, " "); ok && strings.EqualFold(scheme, "bearer") && a.is(strings.TrimSpace(token)) {
			return nil
		}
	}
	return unauthenticated()
}

func (a admission) is(token string) bool {
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], a.want[:]) == 1
}
