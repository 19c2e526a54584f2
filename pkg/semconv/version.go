package semconv

// Version is the release of the upstream semantic conventions that gen_ai.*,
// host.*, k8s.*, service.* and process.* follow exactly.
const Version = "1.29.0"

// Stability says what may happen to a name from release to release.
type Stability uint8

// The stabilities.
const (
	Unspecified  Stability = iota // a name outside the namespaces of this package
	Stable                        // does not change in a minor release
	Experimental                  // upstream may still change it
)

// String is the word used in the documentation.
func (s Stability) String() string {
	switch s {
	case Stable:
		return "stable"
	case Experimental:
		return "experimental"
	}
	return "unspecified"
}

// Namespace is a prefix of names with one owner and one stability.
type Namespace struct {
	Prefix    string // with its final dot, as "nv.dl."
	Upstream  bool   // defined by OpenTelemetry at Version, else ours
	Stability Stability
	Doc       string
}

// Namespaces lists all prefixes, upstream's first. No prefix begins another.
func Namespaces() []Namespace {
	return []Namespace{
		{"gen_ai.", true, Experimental, "generative AI"},
		{"host.", true, Stable, "the host"},
		{"k8s.", true, Stable, "the Kubernetes pod"},
		{"process.", true, Stable, "the operating system's process"},
		{"service.", true, Stable, "the program and its process"},
		{"nv.dl.", false, Stable, "distributed learning, facts of a process"},
		{"nv.gpu.", false, Stable, "the GPU of a process"},
		{"dl.", false, Stable, "distributed learning, shared by all frameworks"},
		{"rl.", false, Stable, "reinforcement learning"},
		{"gym.", false, Stable, "environment servers"},
		{"slurm.", false, Stable, "the Slurm job"},
		{"nemo.", false, Stable, "identification of a run"},
		{"wandb.", false, Stable, "Weights & Biases"},
	}
}

// NamespaceOf returns the namespace of a key. For a key of nobody's namespace,
// as "iteration" or "megatron.iteration", ok is false.
func NamespaceOf(key string) (ns Namespace, ok bool) {
	for _, n := range Namespaces() {
		if len(key) > len(n.Prefix) && key[:len(n.Prefix)] == n.Prefix {
			return n, true
		}
	}
	return Namespace{}, false
}
