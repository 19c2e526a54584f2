package store

import (
	"bytes"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Distribution is the newest point of a series of a histogram or summary in
// full; ok is false when its bytes were not kept. The error says how the point
// contradicts itself: its buckets are then of no use.
func (m *Metric) Distribution(s *Series) (d otlp.DataPoint, ok bool, err error) {
	return m.distribution(s.LastRaw)
}

// Before is the point before the newest one, of a cumulative series.
func (m *Metric) Before(s *Series) (d otlp.DataPoint, ok bool, err error) {
	return m.distribution(s.PrevRaw)
}

func (m *Metric) distribution(raw []byte) (d otlp.DataPoint, ok bool, err error) {
	if len(raw) == 0 {
		return d, false, nil
	}
	d, err = otlp.ReadPoint(m.Kind, raw)
	return d, true, err
}

// EachEvent calls f for every event of that name on the chunk's spans, in order
// of arrival. Spans that a later row replaced are left out.
func (c *Chunk) EachEvent(name string, f func(row int, e run.Event)) {
	word := []byte(name)
	cols := c.rows()
	for k, row := range cols.extraRow {
		i := int(row)
		if c.Dead(i) || !bytes.Contains(cols.extraBytes(k), word) {
			continue
		}
		_, fields := splitExtra(cols.extraBytes(k))
		extra, _ := otlp.DecodeExtra(fields) // a batch's bytes are well-formed
		for _, e := range extra.Events {
			if e.Name == name {
				f(i, e)
			}
		}
	}
}

// extraBytes is what the n-th row of those that have something extra has.
func (k *columns) extraBytes(n int) []byte {
	end := uint32(len(k.extra))
	if n+1 < len(k.extraAt) {
		end = k.extraAt[n+1]
	}
	return k.extra[k.extraAt[n]:end]
}

// Merge adds the roll-up of another series.
func (r *Roll) Merge(o Roll) {
	if o.Finite > 0 {
		if r.Finite == 0 || o.Min < r.Min {
			r.Min = o.Min
		}
		if r.Finite == 0 || o.Max > r.Max {
			r.Max = o.Max
		}
	}
	if o.LastTime > r.LastTime {
		r.Last, r.LastTime = o.Last, o.LastTime
	}
	r.Points, r.NotFinite, r.Gaps, r.Finite = r.Points+o.Points, r.NotFinite+o.NotFinite, r.Gaps+o.Gaps, r.Finite+o.Finite
	r.Sum += o.Sum
	r.MeansMin, r.MeansMax = r.MeansMin || o.MeansMin, r.MeansMax || o.MeansMax
}
