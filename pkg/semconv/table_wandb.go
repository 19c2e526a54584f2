package semconv

func wandbFields() []Field {
	return []Field{
		{Name: "WandbEntity", Key: WandbEntity, Type: StringType, Where: OnResource, Doc: "the entity, a user or team"},
		{Name: "WandbProject", Key: WandbProject, Type: StringType, Where: OnResource, Doc: "the project"},
	}
}
