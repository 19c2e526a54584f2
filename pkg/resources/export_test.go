package resources

// SlurmVariables is the table of the Slurm detector, for the documentation: of each
// attribute the variables, the first set one first, and what stands in for them.
func SlurmVariables() (rows [][3]string) {
	for _, v := range slurmVariables() {
		names := ""
		for i, name := range v.names {
			if i > 0 {
				names += ", else "
			}
			names += "`" + name + "`"
		}
		rows = append(rows, [3]string{v.key, names, v.otherwise})
	}
	return rows
}

// Settle is settle, to be tried with a command that nothing ends.
var Settle = settle
