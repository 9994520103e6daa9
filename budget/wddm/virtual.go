package wddm

// Virtual reports whether time passes without waiting: on the media clock.
func (c *Card) Virtual() bool { return c.params.Clock == MediaClock }
