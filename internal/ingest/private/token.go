package private

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// TokenFile is the name of the token in its directory.
const TokenFile = "token"

// tokenBytes is 256 bits.
const tokenBytes = 32

// NewToken is 256 random bits in hexadecimal: it fits a header, a variable of
// the environment and a URL without any encoding.
func NewToken() string {
	b := make([]byte, tokenBytes)
	rand.Read(b) // never fails: it ends the process first
	return hex.EncodeToString(b)
}

// Token is the token in a directory, made on first use. The directory is made
// private.
func Token(dir string) (string, error) {
	if err := Dir(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, TokenFile)
	b, err := Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		// Another of our programs may make it at the same moment: the first wins. No
		// line ends it: configurations of other programs take the file as it is.
		if err := Create(path, []byte(NewToken())); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		b, err = Read(path)
	}
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if raw, err := hex.DecodeString(token); err != nil || len(raw) < tokenBytes {
		return "", fmt.Errorf("%s holds no token of %d hexadecimal digits: remove it, so that a new one is made", path, 2*tokenBytes)
	}
	return token, nil
}
