package screen

// Keys is how the user's own keys are written, by screen ("" for the whole program)
// and by the key that it is without a configuration: texts that name a key ask it.
// What is not in it is as it is without a configuration, so nil is the defaults.
type Keys map[Name]map[string]string

// On is how a key is written that does something on a screen, or in the whole
// program: On(Trace, "]"), On("", "/"). Keys are named as Bubble Tea names them.
func (k Keys) On(name Name, key string) string {
	for _, at := range [...]Name{name, ""} {
		if text, ok := k[at][key]; ok {
			return text
		}
	}
	switch key {
	case "esc":
		return "Esc"
	case "enter":
		return "Enter"
	case "tab":
		return "Tab"
	case " ":
		return "Space"
	}
	return key
}

// Key is Keys.On.
func (d Data) Key(on Name, key string) string { return d.Keys.On(on, key) }

// Cleared is the sentence that says how a filter is taken away.
func (d Data) Cleared() string { return d.Key("", "X") + " clears it." }
