package run

// Unknown stands for a rank, size or coordinate that was not sent.
const Unknown = -1

// Identity is what a process says about itself, with the three spellings in
// the field folded into one. It is read from the resource attributes alone.
type Identity struct {
	Run                        string // the run's id by the rule of RunBy; never empty
	RunBy                      string // which rule gave it: one of the By constants
	Attempt                    string // nv.dl.run.uuid of this attempt, "" when not sent
	Restart                    int    // slurm.restart_count, Unknown when not sent
	Service                    string // service.name, UnknownService when not sent
	Role                       string // nv.dl.role or rl.worker_group, "" when not sent
	Instance                   string // service.instance.id
	Host                       string
	PID                        int    // 0 when not sent
	User, Job                  string // nemo.user.id or the Slurm user; the job as users write it
	Rank, WorldSize, LocalRank int
	Sizes                      Sizes // as sent; Unknown where not sent
	Coord                      Coord // as sent; Unknown where not sent
	Gym                        bool  // a NeMo-Gym server: says rank 0 of 1 and never stands on a rank grid
}

// Sizes are the sizes of the parallel dimensions.
type Sizes struct{ TP, CP, EP, DP, PP int }

// Coord is a rank's place in the parallel dimensions. Derived says that it was
// computed from the rank and the sizes, not sent.
type Coord struct {
	TP, CP, EP, DP, PP int
	Derived            bool
}
