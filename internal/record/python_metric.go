package record

import (
	"bytes"
	"math/big"

	"github.com/go-json-experiment/json/jsontext"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"
)

// pyMetrics is a collection as MetricsData.to_json prints it: the shape of OTLP
// with other names for the data.
type pyMetrics struct {
	Resources []struct {
		Resource pySource `json:"resource"`
		Scopes   []struct {
			Scope   pyScope    `json:"scope"`
			Metrics []pyMetric `json:"metrics"`
			Schema  string     `json:"schema_url"`
		} `json:"scope_metrics"`
		Schema string `json:"schema_url"`
	} `json:"resource_metrics"`
}

type pyScope struct {
	Name       string  `json:"name"`
	Version    string  `json:"version"`
	Attributes pyAttrs `json:"attributes"`
}

type pyMetric struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Unit        string `json:"unit"`
	Data        pyData `json:"data"`
}

// pyData is any of the five kinds of data; they are told apart by their fields.
type pyData struct {
	Points      []pyPoint `json:"data_points"`
	Temporality int32     `json:"aggregation_temporality"`
	Monotonic   *bool     `json:"is_monotonic"`
}

type pyPoint struct {
	Attributes pyAttrs      `json:"attributes"`
	Start      uint64       `json:"start_time_unix_nano"`
	Time       uint64       `json:"time_unix_nano"`
	Value      pyNum        `json:"value"`
	Exemplars  []pyExemplar `json:"exemplars"`

	Count     uint64    `json:"count"`
	Sum       pyNum     `json:"sum"`
	Min       pyNum     `json:"min"`
	Max       pyNum     `json:"max"`
	Buckets   []uint64  `json:"bucket_counts"`
	Bounds    []pyNum   `json:"explicit_bounds"`
	Scale     *int32    `json:"scale"`
	ZeroCount uint64    `json:"zero_count"`
	Positive  pyBuckets `json:"positive"`
	Negative  pyBuckets `json:"negative"`
	Flags     uint32    `json:"flags"`
}

type pyBuckets struct {
	Offset int32    `json:"offset"`
	Counts []uint64 `json:"bucket_counts"`
}

type pyExemplar struct {
	Attributes pyAttrs `json:"filtered_attributes"`
	Value      pyNum   `json:"value"`
	Time       uint64  `json:"time_unix_nano"`
	Span       pyBigID `json:"span_id"`
	Trace      pyBigID `json:"trace_id"`
}

// pyNum is an int, a double, or nothing.
type pyNum struct {
	int    *int64
	double *float64
}

// UnmarshalJSONFrom reads a number or null.
func (n *pyNum) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if v, ok := pyInt(raw); ok {
		n.int = &v
	} else if v, ok := pyDouble(raw); ok {
		n.double = &v
	}
	return err
}

// float is the number as a double, nil when there is none.
func (n pyNum) float() *float64 {
	if n.int == nil {
		return n.double
	}
	v := float64(*n.int)
	return &v
}

// pyBigID is an id that is printed as one large integer.
type pyBigID []byte

// UnmarshalJSONFrom reads an integer or null. Leading zero bytes are put back
// where the size is known.
func (id *pyBigID) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if n, ok := new(big.Int).SetString(string(raw), 10); ok && n.Sign() > 0 && n.BitLen() <= 128 {
		*id = n.Bytes()
	}
	return err
}

// sized is the id with size bytes, nil when there is none.
func (id pyBigID) sized(size int) []byte {
	if len(id) == 0 || len(id) > size {
		return nil
	}
	return append(bytes.Repeat([]byte{0}, size-len(id)), id...)
}

func (m *pyMetrics) message() proto.Message {
	out := &metricspb.MetricsData{}
	for _, r := range m.Resources {
		resource := &metricspb.ResourceMetrics{Resource: r.Resource.message(), SchemaUrl: r.Schema}
		for _, s := range r.Scopes {
			scope := &metricspb.ScopeMetrics{SchemaUrl: s.Schema, Scope: &commonpb.InstrumentationScope{
				Name: s.Scope.Name, Version: s.Scope.Version, Attributes: s.Scope.Attributes,
			}}
			for i := range s.Metrics {
				scope.Metrics = append(scope.Metrics, s.Metrics[i].message())
			}
			resource.ScopeMetrics = append(resource.ScopeMetrics, scope)
		}
		out.ResourceMetrics = append(out.ResourceMetrics, resource)
	}
	return out
}
