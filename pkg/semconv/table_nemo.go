package semconv

func nemoFields() []Field {
	return []Field{
		{Name: "NemoRunID", Key: NemoRunID, Type: StringType, Where: OnResource, Presence: Always, Fact: "run", Doc: "the run, the same on all its ranks"},
		{Name: "NemoUserID", Key: NemoUserID, Type: StringType, Where: OnResource, Doc: "a label of the user or team"},
		{Name: "NemoSpanTruncated", Key: NemoSpanTruncated, Type: BoolType, Where: OnSpan, Fact: "truncated", Doc: "true only on a span that was still open at shutdown and was closed by force, also the name of the event that marks it; its end is the shutdown, so exclude it from durations"},
	}
}
