package analysis

import (
	"strconv"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// label is the value of a dimension for a group.
type label struct {
	text   string
	number int64
	isNum  bool
	known  bool
}

// dimension is something by which spans are grouped. Exactly one of the
// functions is set; attr is also set when spans may override what the resource
// says.
type dimension struct {
	name      string
	process   func(*store.Run, *store.Process) label
	ofName    func(store.Name) label
	spellings []string // an attribute
	labels    []label  // by value id
	ids       map[label]int32
}

// Dimensions lists the groupings that have a name of their own. Any other word
// is an attribute: of the span, else of the process.
func Dimensions() []string {
	return []string{"run", "role", "rank", "tp", "pp", "dp", "cp", "ep", "host", "name", "phase", "class", "local_rank", "service", "user", "job", "attempt"}
}

// newDimension reads the name of a dimension.
func newDimension(name string) *dimension {
	d := &dimension{name: name, ids: map[label]int32{}}
	switch name {
	case "name":
		d.ofName = func(n store.Name) label { return textLabel(n.Text) }
	case "phase":
		d.ofName = func(n store.Name) label { return textLabel(n.Phase.Name) }
	case "class":
		d.ofName = func(n store.Name) label { return textLabel(n.Phase.Class.String()) }
	case "run":
		d.process = func(r *store.Run, _ *store.Process) label { return textLabel(r.ID) }
	default:
		if d.process = processLabel(name); d.process == nil {
			d.spellings = run.Aliases(name).Keys
		}
	}
	return d
}

// processLabel is the function for a fact of the process, nil for an attribute.
func processLabel(name string) func(*store.Run, *store.Process) label {
	text := func(f func(*store.Process) string) func(*store.Run, *store.Process) label {
		return func(_ *store.Run, p *store.Process) label { return textLabel(f(p)) }
	}
	number := func(f func(*store.Process) int) func(*store.Run, *store.Process) label {
		return func(_ *store.Run, p *store.Process) label { return numberLabel(f(p)) }
	}
	switch name {
	case "role":
		return text(func(p *store.Process) string { return p.ID.Role })
	case "host":
		return text(func(p *store.Process) string { return p.ID.Host })
	case "service":
		return text(func(p *store.Process) string { return p.ID.Service })
	case "user":
		return text(func(p *store.Process) string { return p.ID.User })
	case "job":
		return text(func(p *store.Process) string { return p.ID.Job })
	case "rank":
		return number(func(p *store.Process) int { return p.ID.Rank })
	case "local_rank":
		return number(func(p *store.Process) int { return p.ID.LocalRank })
	case "attempt":
		return number(func(p *store.Process) int { return p.Attempt })
	}
	for d := range run.DimCount {
		if d.String() == name {
			return number(func(p *store.Process) int { return p.Coord.Of(d) })
		}
	}
	return nil
}

func textLabel(s string) label { return label{text: s, known: s != ""} }

func numberLabel(n int) label {
	if n == run.Unknown {
		return label{}
	}
	return label{text: strconv.Itoa(n), number: int64(n), isNum: true, known: true}
}

// valueLabel is an attribute's label: whole numbers are one group however they
// were sent.
func valueLabel(v run.Value) label {
	if n, ok := v.IntLike(); ok {
		return label{text: strconv.FormatInt(n, 10), number: n, isNum: true, known: true}
	}
	return label{text: v.String(), known: v.Type != run.Empty}
}

// maxValues bounds the groups that one attribute makes; the rest share one.
const maxValues = 2000

// OtherValues is the group of the values of an attribute that has too many.
const OtherValues = "(other values)"

// id numbers the labels of a dimension.
func (d *dimension) id(l label) int32 {
	if id, ok := d.ids[l]; ok {
		return id
	}
	if d.spellings != nil && len(d.labels) >= maxValues {
		l = label{text: OtherValues, known: true}
		if id, ok := d.ids[l]; ok {
			return id
		}
	}
	id := int32(len(d.labels))
	d.labels = append(d.labels, l)
	d.ids[l] = id
	return id
}

// resource is the attribute as the process's resource has it.
func (d *dimension) resource(p *store.Process) label {
	for _, key := range d.spellings {
		for i := len(p.Resource) - 1; i >= 0; i-- {
			if a := p.Resource[i]; a.Key == key && a.Value.Type != run.Empty {
				return valueLabel(a.Value)
			}
		}
	}
	return label{}
}

// less orders labels: those that are not known last, numbers before text.
func (l label) less(o label) bool {
	switch {
	case l.known != o.known:
		return l.known
	case l.isNum != o.isNum:
		return l.isNum
	case l.isNum:
		return l.number < o.number
	}
	return l.text < o.text
}
