package simulate

import (
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// refusal is why a request was not taken.
type refusal struct {
	text  string
	retry bool          // it may be sent again
	after time.Duration // as the receiver asks, 0 when it does not say
	fatal bool          // no request of this sender will be taken
}

func (r *refusal) Error() string { return r.text }

// asRefusal finds a refusal in an error; anything else is one without retry.
func asRefusal(err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	return &refusal{text: err.Error()}
}

// answer is what a receiver said of a request that it took.
type answer struct {
	rejected uint64
	message  string
}

// readAnswer reads an Export…ServiceResponse. The three signals share its form:
// partial_success = 1 {rejected = 1, error_message = 2}.
func readAnswer(body []byte) (answer, error) {
	var a answer
	err := eachField(body, func(f wireField) error {
		if f.num != 1 || f.typ != protowire.BytesType {
			return nil
		}
		return eachField(f.bytes, func(f wireField) error {
			switch {
			case f.num == 1 && f.typ == protowire.VarintType:
				a.rejected = f.number
			case f.num == 2 && f.typ == protowire.BytesType:
				a.message = string(f.bytes)
			}
			return nil
		})
	})
	return a, err
}

// wireField is one field of a message, with its value if that is a varint or
// bytes.
type wireField struct {
	num    protowire.Number
	typ    protowire.Type
	number uint64
	bytes  []byte
}

// eachField calls do for each field of a message.
func eachField(p []byte, do func(wireField) error) error {
	for len(p) > 0 {
		var f wireField
		var n int
		if f.num, f.typ, n = protowire.ConsumeTag(p); n < 0 {
			return fmt.Errorf("reading the answer: %w", protowire.ParseError(n))
		}
		p = p[n:]
		switch f.typ {
		case protowire.VarintType:
			f.number, n = protowire.ConsumeVarint(p)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(p)
		default:
			n = protowire.ConsumeFieldValue(f.num, f.typ, p)
		}
		if n < 0 {
			return fmt.Errorf("reading field %d of the answer: %w", f.num, protowire.ParseError(n))
		}
		p = p[n:]
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}
