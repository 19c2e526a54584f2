package simulate

// cache keeps the spans of one lane for the slots in use: a gapless stretch of
// iterations, since ranks export lane by lane.
type cache struct {
	m     *model
	lane  *lane
	dp    int
	first int         // iteration of events[0]
	held  [][][]event // by iteration and stage
	spare [][][]event
}

func newCache(m *model) *cache { return &cache{m: m, lane: newLane(m), dp: -1} }

// events is the spans of one worker in a slot, in the order in which they end.
func (c *cache) events(s *slot, pp, dp int) []event {
	if dp != c.dp || s.index < c.first || s.index > c.first+len(c.held) {
		c.drop(len(c.held))
		c.dp, c.first = dp, s.index
	}
	if i := s.index - c.first; i < len(c.held) {
		return c.held[i][pp]
	}
	events := c.room()
	c.lane.compute(s.index, dp, s.start, events)
	c.lane.finish(s, dp)
	c.held = append(c.held, events)
	return events[pp]
}

// before gives back the iterations before index.
func (c *cache) before(index int) { c.drop(min(max(index-c.first, 0), len(c.held))) }

// drop gives back the n oldest iterations.
func (c *cache) drop(n int) {
	c.spare = append(c.spare, c.held[:n]...)
	c.held = append(c.held[:0], c.held[n:]...)
	c.first += n
}

// room is empty space for the spans of one lane and slot.
func (c *cache) room() [][]event {
	n := len(c.spare)
	if n == 0 {
		return make([][]event, c.m.PP)
	}
	events := c.spare[n-1]
	c.spare = c.spare[:n-1]
	for p := range events {
		events[p] = events[p][:0]
	}
	return events
}
