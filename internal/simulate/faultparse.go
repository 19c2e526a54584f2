package simulate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FaultKind is a kind of fault as it is written: "kind" or
// "kind:name=value,name=value".
type FaultKind struct {
	Kind    string
	About   string
	Params  []FaultParam
	Example string
}

// FaultParam is one parameter of a kind.
type FaultParam struct {
	Name    string
	Default string // "" must be given
	About   string
}

// faultForm is a kind with how its parameters become a fault.
type faultForm struct {
	FaultKind
	make func(*faultArgs) Fault
}

// FaultKinds are all kinds of fault, in the order of the documentation.
func FaultKinds() []FaultKind {
	forms := faultForms()
	out := make([]FaultKind, len(forms))
	for i, f := range forms {
		out[i] = f.FaultKind
	}
	return out
}

// ParseFault reads a fault as ParseFault("straggler:rank=5,factor=1.5"). It does
// not check that the fault fits a run: New does. Its errors name the legal words.
func ParseFault(text string) (Fault, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	forms := faultForms()
	at := slices.IndexFunc(forms, func(f faultForm) bool { return f.Kind == kind })
	if at < 0 {
		return nil, fmt.Errorf("simulate: fault %q: choose one of %s", kind, strings.Join(kindWords(forms), ", "))
	}
	args, err := forms[at].read(rest)
	if err != nil {
		return nil, fmt.Errorf("simulate: fault %s: %w", kind, err)
	}
	fault := forms[at].make(args)
	if args.err != nil {
		return nil, fmt.Errorf("simulate: fault %s: %w", kind, args.err)
	}
	return fault, nil
}

func kindWords(forms []faultForm) (words []string) {
	for _, f := range forms {
		words = append(words, f.Kind)
	}
	return words
}

// faultArgs are the parameters of one fault, by name; err is the first that
// cannot be read.
type faultArgs struct {
	values map[string]string
	err    error
}

// read splits the parameters and fills in the defaults.
func (f faultForm) read(text string) (*faultArgs, error) {
	a := &faultArgs{values: map[string]string{}}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		switch known := slices.ContainsFunc(f.Params, func(p FaultParam) bool { return p.Name == name }); {
		case !known && len(f.Params) == 0:
			return nil, fmt.Errorf("%q: it takes no parameters", part)
		case !known:
			return nil, fmt.Errorf("%q: choose from %s", part, strings.Join(f.names(), ", "))
		case !ok || value == "":
			return nil, fmt.Errorf("%q is not name=value", part)
		}
		if _, twice := a.values[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		a.values[name] = value
	}
	return a, f.fill(a)
}

func (f faultForm) names() (names []string) {
	for _, p := range f.Params {
		names = append(names, p.Name)
	}
	return names
}

func (f faultForm) fill(a *faultArgs) error {
	for _, p := range f.Params {
		if _, given := a.values[p.Name]; given {
			continue
		}
		if p.Default == "" {
			return fmt.Errorf("give %s, %s: %s", p.Name, p.About, f.Example)
		}
		a.values[p.Name] = p.Default
	}
	return nil
}

func (a *faultArgs) wrong(name, want string) {
	if a.err == nil {
		a.err = fmt.Errorf("%s=%q: want %s", name, a.values[name], want)
	}
}

func (a *faultArgs) int(name string) int {
	n, err := strconv.Atoi(a.values[name])
	if err != nil {
		a.wrong(name, "a whole number")
	}
	return n
}

func (a *faultArgs) float(name string) float64 {
	f, err := strconv.ParseFloat(a.values[name], 64)
	if err != nil {
		a.wrong(name, "a number")
	}
	return f
}

func (a *faultArgs) time(name string) time.Duration {
	d, err := time.ParseDuration(a.values[name])
	if err != nil {
		a.wrong(name, "a time such as 20ms or 5m")
	}
	return d
}

func (a *faultArgs) bool(name string) bool {
	b, err := strconv.ParseBool(a.values[name])
	if err != nil {
		a.wrong(name, "true or false")
	}
	return b
}

// String is the kind with its parameters: "hang:rank=,at=20,…".
func (k FaultKind) String() string {
	parts := make([]string, len(k.Params))
	for i, p := range k.Params {
		parts[i] = p.Name + "=" + p.Default
		if p.Default == "" {
			parts[i] = p.Name + "=N"
		}
	}
	if len(parts) == 0 {
		return k.Kind
	}
	return k.Kind + ":" + strings.Join(parts, ",")
}

// ParseFaults reads several faults; all that cannot be read are told.
func ParseFaults(texts []string) ([]Fault, error) {
	var out []Fault
	var errs []error
	for _, t := range texts {
		f, err := ParseFault(t)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, f)
	}
	return out, errors.Join(errs...)
}
