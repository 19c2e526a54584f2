package resources

import "strings"

// VisibleDevices is the devices that CUDA_VISIBLE_DEVICES leaves visible, in CUDA's
// order: the entries up to the first invalid one, each an index in decimal, or an
// UUID that begins with "GPU-" or "MIG-". The first entry decides which of the three
// the list is made of. Blanks around entries and a comma at the end are no part of
// them. A repeated entry leaves no device at all.
//
// "", "-1" and "NoDevFiles" leave none; "0,1,-1,2" leaves 0 and 1. The rules are
// those of the CUDA programming guide (environment variables), and for repeated
// entries and "1gpu2", which is 1, what the driver does, as PyTorch documents it.
func VisibleDevices(list string) []string {
	read := entryReader(strings.TrimSpace(list))
	var devices []string
	seen := map[string]bool{}
	for entry := range strings.SplitSeq(list, ",") {
		device, ok := read(strings.TrimSpace(entry))
		if !ok {
			break
		}
		if seen[device] {
			return nil
		}
		seen[device] = true
		devices = append(devices, device)
	}
	return devices
}

func entryReader(list string) func(string) (string, bool) {
	for _, prefix := range []string{"GPU-", "MIG-"} {
		if strings.HasPrefix(list, prefix) {
			return func(entry string) (string, bool) {
				return entry, len(entry) > len(prefix) && entry[:len(prefix)] == prefix
			}
		}
	}
	return leadingIndex
}

// leadingIndex reads an index as C's strtoul does: as far as there are digits.
func leadingIndex(entry string) (string, bool) {
	digits := strings.TrimPrefix(entry, "+")
	end := 0
	for end < len(digits) && '0' <= digits[end] && digits[end] <= '9' {
		end++
	}
	if end == 0 {
		return "", false
	}
	return or(strings.TrimLeft(digits[:end], "0"), "0"), true
}
