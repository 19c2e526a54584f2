package otlp

import (
	"fmt"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// DecodeJSON resets the batch and reads body, an OTLP JSON request of the
// signal, into rows. It is Transcode followed by Decode: the rows point into the
// batch's own copy, not into body. What was tolerated is in Notices, repaired
// strings are in Repaired. On an error, which names the place, the batch is
// empty.
func (b *Batch) DecodeJSON(signal run.Signal, body []byte, opt JSONOptions) error {
	if b.json == nil {
		b.json = NewTranscoder(opt)
	}
	b.json.opt = opt
	wire, err := b.json.Transcode(body, signal)
	if err != nil {
		b.Reset()
		return fmt.Errorf("decode %s request: %w", signal, err)
	}
	if err := b.Decode(signal, wire[signal]); err != nil {
		return err
	}
	b.Repaired += b.json.Repaired()
	b.Notices = b.json.Notices()
	if names := b.json.Unknown(); len(names) > 0 && b.Items() == 0 {
		b.Notices = append(b.Notices, NotUnderstood(signal, names))
	}
	return nil
}

// NotUnderstood is the notice for a request without a single item in which
// there were names that mean nothing here: the items may have been under them.
func NotUnderstood(signal run.Signal, names []string) run.Notice {
	text := fmt.Sprintf("0 %s; not understood: %q", signal.Item(), names)
	return run.Notice{Code: "json-not-understood", Level: run.Warning, Text: strings.NewReplacer(`["`, "", `"]`, "", `" "`, ", ").Replace(text), Count: 1}
}
