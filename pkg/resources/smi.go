package resources

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"
)

// smiLimit is how long nvidia-smi may take. With the time to end it and what it has
// started (at most 0.4 s), detection stays below 5 s however the driver hangs.
const smiLimit = 4500 * time.Millisecond

// smi asks nvidia-smi for fields of all devices: a row for each, its cells without
// blanks around them, as many as fields. A machine without nvidia-smi has no rows,
// and that is no error.
func (s *settings) smi(ctx context.Context, fields ...string) ([][]string, error) {
	ctx, cancel := context.WithTimeout(ctx, smiLimit)
	defer cancel()
	out, err := s.run(ctx, "nvidia-smi", "--query-gpu="+strings.Join(fields, ","), "--format=csv,noheader,nounits")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for line := range strings.Lines(valid(string(out))) {
		if row := cells(line); len(row) == len(fields) && row[0] != "" {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func cells(line string) []string {
	row := strings.Split(line, ",")
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row
}
