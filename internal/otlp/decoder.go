package otlp

import (
	"fmt"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Decoder reads a protobuf request into a batch as Batch.Decode does.
type Decoder func(signal run.Signal, body []byte, b *Batch) error

// DecoderNames are the names DecoderNamed knows, the default first.
func DecoderNames() []string { return []string{"fast", "generated"} }

// DecoderNamed is the decoder of that name: "fast" is Batch.Decode, "generated"
// is DecodeGenerated. "" is the default.
func DecoderNamed(name string) (Decoder, error) {
	switch name {
	case "", "fast":
		return func(signal run.Signal, body []byte, b *Batch) error { return b.Decode(signal, body) }, nil
	case "generated":
		return DecodeGenerated, nil
	}
	return nil, fmt.Errorf("unknown decoder %q: use one of %s", name, strings.Join(DecoderNames(), ", "))
}
