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
	err := eachField(body, func(num protowire.Number, v uint64, b []byte) error {
		if num != 1 {
			return nil
		}
		return eachField(b, func(num protowire.Number, v uint64, b []byte) error {
			switch num {
			case 1:
				a.rejected = v
			case 2:
				a.message = string(b)
			}
			return nil
		})
	})
	return a, err
}

// eachField calls f for each field of a message: v for varints, b for bytes.
func eachField(p []byte, f func(num protowire.Number, v uint64, b []byte) error) error {
	for len(p) > 0 {
		num, typ, n := protowire.ConsumeTag(p)
		if n < 0 {
			return fmt.Errorf("reading the answer: %w", protowire.ParseError(n))
		}
		p = p[n:]
		var v uint64
		var b []byte
		switch typ {
		case protowire.VarintType:
			v, n = protowire.ConsumeVarint(p)
		case protowire.BytesType:
			b, n = protowire.ConsumeBytes(p)
		default:
			n = protowire.ConsumeFieldValue(num, typ, p)
		}
		if n < 0 {
			return fmt.Errorf("reading field %d of the answer: %w", num, protowire.ParseError(n))
		}
		p = p[n:]
		if err := f(num, v, b); err != nil {
			return err
		}
	}
	return nil
}
