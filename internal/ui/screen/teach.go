package screen

import "strings"

// Teach is what to show while nothing has arrived: what listens where and the
// lines to paste into a job script. Lines are plain text, some of them from the
// receiver's own configuration, none from telemetry.
func Teach(d Data) []string {
	listeners := d.Snapshot.Receiver.Listeners
	if len(listeners) == 0 {
		return noData(d)
	}
	lines := []string{"Nothing has arrived yet. Put this into the job script (" + d.Key("", "y") + " copies it):", ""}
	for _, l := range JobLines() {
		lines = append(lines, "  "+l)
	}
	lines = append(lines, "", "Listening on:")
	for _, l := range listeners {
		lines = append(lines, "  "+pad(l.Protocol, 6)+l.Addr)
	}
	lines = append(lines, reach(listeners)...)
	return append(lines, "", "Still nothing? On a node of the job: lensview doctor", "To see a run that never was:         lensview demo")
}

// noData is what to show while files have given nothing.
func noData(d Data) []string {
	text := "Nothing was found in these files."
	switch l := d.Snapshot.Loading; {
	case l == nil || l.Finished:
	case l.Following:
		text = "Nothing is in these files yet. What is written to them appears here."
	default:
		text = "Nothing was found in these files so far."
	}
	return []string{
		text, "",
		"See where the records went: press " + d.Key("", "i") + " (Ingest).",
		"To see a run that never was: lensview demo",
	}
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(1, width-len(text)))
}
