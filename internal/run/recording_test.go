package run

import (
	"testing"
	"time"
)

func TestLoading(t *testing.T) {
	tests := []struct {
		name  string
		in    Loading
		share float64
		known bool
		rate  float64
		left  time.Duration
		ok    bool
	}{
		{"nothing read yet", Loading{Total: 100}, 0, true, 0, 0, false},
		{"a quarter", Loading{Done: 25, Total: 100, Items: 500, Elapsed: time.Second}, 0.25, true, 500, 3 * time.Second, true},
		{"all of it", Loading{Done: 100, Total: 100, Items: 10, Elapsed: 2 * time.Second}, 1, true, 5, 0, true},
		{"the file grew", Loading{Done: 150, Total: 100, Elapsed: time.Second}, 1, true, 0, 0, true},
		{"a pipe", Loading{Done: 25, Items: 3, Elapsed: time.Second}, 0, false, 3, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			share, known := tt.in.Fraction()
			left, ok := tt.in.Remaining()
			if share != tt.share || known != tt.known || tt.in.Rate() != tt.rate || left != tt.left || ok != tt.ok {
				t.Errorf("share %v %v, rate %v, left %v %v", share, known, tt.in.Rate(), left, ok)
			}
		})
	}
}
