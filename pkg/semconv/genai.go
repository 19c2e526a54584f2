package semconv

// Generative AI names of upstream OpenTelemetry (gen_ai.*), followed exactly.
// They are experimental: upstream may still change them.
const (
	// GenAIOperationName is the kind of model operation, as "text_completion" or
	// "chat". Type string, span and metric point attribute, optional.
	GenAIOperationName = "gen_ai.operation.name"

	// GenAIProviderName is the provider that serves the model. Type string, span
	// and metric point attribute, optional.
	GenAIProviderName = "gen_ai.provider.name"

	// GenAIRequestModel is the model a request asks for. Type string, span and
	// metric point attribute, optional.
	GenAIRequestModel = "gen_ai.request.model"

	// GenAITokenType is the kind of tokens counted, "input" or "output". Type
	// string, metric point attribute, optional.
	GenAITokenType = "gen_ai.token.type"
)
