package semconv

import "strings"

// Types says which type the value of a key must have. A key that is not in it
// may have any value, which stays as it is: nothing is inferred from how a value
// looks.
type Types map[string]Type

// ResourceTypes is the integer fields among the resource attributes: those of
// distributed learning, of the GPU and of Slurm. It is a fresh map, to which a
// caller may add its own keys.
func ResourceTypes() Types { return integersOf(ResourceFields()) }

// DLTypes is the part of ResourceTypes on distributed learning (nv.dl.*).
func DLTypes() Types { return integersOf(DLFields()) }

// GPUTypes is the part of ResourceTypes on the GPU (nv.gpu.*).
func GPUTypes() Types { return integersOf(GPUFields()) }

// SlurmTypes is the part of ResourceTypes on the Slurm job (slurm.*).
func SlurmTypes() Types { return integersOf(SlurmFields()) }

// ResourceFields is the rows of DLFields, GPUFields and SlurmFields.
func ResourceFields() []Field {
	return append(append(DLFields(), GPUFields()...), SlurmFields()...)
}

// DLFields is the resource attributes of nv.dl.*, without the read-only ones.
func DLFields() []Field { return resourceFields("nv.dl.") }

// GPUFields is the resource attributes of nv.gpu.*.
func GPUFields() []Field { return resourceFields("nv.gpu.") }

// SlurmFields is the resource attributes of slurm.*, without the read-only ones.
func SlurmFields() []Field { return resourceFields(slurmPrefix) }

const slurmPrefix = "slurm."

func resourceFields(prefix string) []Field {
	var some []Field
	for _, f := range Fields() {
		if f.Where.Has(OnResource) && f.Presence != ReadOnly && strings.HasPrefix(f.Key, prefix) {
			some = append(some, f)
		}
	}
	return some
}

func integersOf(fields []Field) Types {
	types := Types{}
	for _, f := range fields {
		if f.Type == IntType {
			types[f.Key] = IntType
		}
	}
	return types
}
