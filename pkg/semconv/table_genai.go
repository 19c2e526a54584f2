package semconv

func genAIFields() []Field {
	return []Field{
		{Name: "GenAIOperationName", Key: GenAIOperationName, Type: StringType, Where: OnSpan | OnPoint, Doc: "the kind of model operation, as \"text_completion\" or \"chat\""},
		{Name: "GenAIProviderName", Key: GenAIProviderName, Type: StringType, Where: OnSpan | OnPoint, Doc: "the provider that serves the model"},
		{Name: "GenAIRequestModel", Key: GenAIRequestModel, Type: StringType, Where: OnSpan | OnPoint, Doc: "the model a request asks for"},
		{Name: "GenAITokenType", Key: GenAITokenType, Type: StringType, Where: OnPoint, Doc: "the kind of tokens counted, \"input\" or \"output\""},
	}
}
