package semconv

// Type is the type of an attribute's or metric's value.
type Type uint8

// The types. Int is 64-bit signed, Float is float64.
const (
	StringType Type = iota
	IntType
	FloatType
	BoolType
)

// String is the word used in the documentation.
func (t Type) String() string {
	return [...]string{"string", "int", "float", "bool"}[t&3]
}

// Where is the set of places a name goes to.
type Where uint8

// The places.
const (
	OnResource Where = 1 << iota // attribute of the resource: fixed for the process
	OnSpan                       // attribute of a span
	OnPoint                      // attribute of a metric point: few distinct values
	AsMetric                     // the name of a metric
)

// Has reports whether the name goes to p.
func (w Where) Has(p Where) bool { return w&p != 0 }

// String is the phrase used in the documentation.
func (w Where) String() string {
	switch w {
	case OnResource:
		return "resource attribute"
	case OnSpan:
		return "span attribute"
	case OnPoint:
		return "metric point attribute"
	case AsMetric:
		return "metric"
	case OnSpan | OnPoint:
		return "span and metric point attribute"
	case OnResource | OnSpan:
		return "resource and span attribute"
	}
	return "nowhere"
}

// Presence says whether a reader may rely on a name.
type Presence uint8

// The presences.
const (
	Optional Presence = iota // readers must do without
	Always                   // every exporting process sends it
	ReadOnly                 // read from others, never written
)

// String is the phrase used in the documentation.
func (p Presence) String() string {
	switch p {
	case Always:
		return "always there"
	case ReadOnly:
		return "read only"
	}
	return "optional"
}

// Field is one row of the table: everything there is to know about one name.
type Field struct {
	Name     string // of the Go constant
	Key      string // the name itself
	Type     Type
	Unit     string // UCUM, "1" for a ratio, "" where it makes no sense
	Where    Where
	Presence Presence
	Fact     string // short name of the fact; spellings of one fact share it
	Doc      string // completes "Name is …"
}

// Stability is that of the field's namespace.
func (f Field) Stability() Stability {
	ns, _ := NamespaceOf(f.Key)
	return ns.Stability
}

// Comment is the documentation of the constant, one sentence on what it is and
// one on its shape.
func (f Field) Comment() string {
	unit := ""
	if f.Unit != "" && f.Unit != "1" {
		unit = " in " + f.Unit
	}
	return f.Name + " is " + f.Doc + ". Type " + f.Type.String() + unit +
		", " + f.Where.String() + ", " + f.Presence.String() + "."
}

// Fields is the one table of names, by namespace and within it by meaning. It
// is a fresh copy. Of two spellings of one Fact the newest comes first.
func Fields() []Field {
	var all []Field
	for _, part := range [][]Field{
		genAIFields(), standardFields(), nvDLFields(), nvGPUFields(), dlFields(),
		rlFields(), gymFields(), slurmFields(), nemoFields(), wandbFields(), readOnlyFields(),
	} {
		all = append(all, part...)
	}
	return all
}

// Lookup returns the row of a key.
func Lookup(key string) (Field, bool) {
	for _, f := range Fields() {
		if f.Key == key {
			return f, true
		}
	}
	return Field{}, false
}
