package run

// Coord is the place of a rank; ok is false for a rank outside the world.
func (l Layout) Coord(rank int) (c Coord, ok bool) {
	if rank < 0 || rank >= l.World {
		return UnknownCoord(), false
	}
	c = Coord{
		TP: l.along(rank, DimTP), CP: l.along(rank, DimCP),
		DP: l.along(rank, DimDP), PP: l.along(rank, DimPP),
		Derived: true,
	}
	c.EP = l.expertIndex(c) % l.Sizes.EP
	return c, true
}

// along is the coordinate along a dimension that numbers ranks. One that the
// order does not name has size 1.
func (l Layout) along(rank int, d Dim) int {
	if l.stride[d] == 0 {
		return 0
	}
	return rank / l.stride[d] % l.Sizes.Of(d)
}

// expertIndex counts the ranks of one tp and pp along cp and dp, the faster of
// the two first.
func (l Layout) expertIndex(c Coord) int {
	if l.stride[DimDP] < l.stride[DimCP] && l.stride[DimDP] > 0 {
		return c.DP + l.Sizes.DP*c.CP
	}
	return c.CP + l.Sizes.CP*c.DP
}

// Rank is the rank at a place; its EP coordinate is not looked at, it follows
// from the others. ok is false for a place outside the sizes.
func (l Layout) Rank(c Coord) (rank int, ok bool) {
	if l.World == 0 {
		return 0, false
	}
	for _, d := range []Dim{DimTP, DimCP, DimDP, DimPP} {
		at := c.Of(d)
		if at < 0 || at >= l.Sizes.Of(d) {
			return 0, false
		}
		rank += at * l.stride[d]
	}
	return rank, true
}

// Groups lists the ranks that differ along one dimension only: the tp groups,
// the dp groups, and so on. Each group and the list are in rising order.
func (l Layout) Groups(d Dim) [][]int {
	var groups [][]int
	index := map[Coord]int{}
	for rank := range l.World {
		c, _ := l.Coord(rank)
		key := l.groupKey(c, d)
		i, seen := index[key]
		if !seen {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], rank)
	}
	return groups
}

// groupKey is what the members of a group have in common.
func (l Layout) groupKey(c Coord, d Dim) Coord {
	block := l.expertIndex(c) / max(l.Sizes.EP, 1)
	c.EP = 0
	switch d {
	case DimTP:
		c.TP = 0
	case DimCP:
		c.CP = 0
	case DimDP:
		c.DP = 0
	case DimPP:
		c.PP = 0
	case DimEP:
		c.CP, c.DP, c.EP = 0, 0, block
	}
	return c
}
