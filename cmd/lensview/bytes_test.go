package main

import "testing"

func TestByteSize(t *testing.T) {
	tests := []struct {
		in   string
		want byteSize
		bad  bool
	}{
		{in: "512MiB", want: 512 << 20}, {in: "2GiB", want: 2 << 30}, {in: "1GB", want: 1e9}, {in: "1.5GiB", want: 3 << 29},
		{in: "1000000", want: 1e6}, {in: " 64 mib ", want: 64 << 20}, {in: "10B", want: 10},
		{in: "lots", bad: true}, {in: "-1GiB", bad: true}, {in: "0", bad: true}, {in: "NaN", bad: true}, {in: "1e30", bad: true}, {in: "", bad: true},
	}
	for _, tt := range tests {
		var b byteSize
		err := b.Set(tt.in)
		if (err != nil) != tt.bad || b != tt.want {
			t.Errorf("Set(%q) = %d, %v; want %d", tt.in, b, err, tt.want)
		}
		if err == nil {
			var again byteSize
			if err := again.Set(b.String()); err != nil || again != b {
				t.Errorf("%q is written %q, which reads as %d, %v", tt.in, b.String(), again, err)
			}
		}
	}
}

func TestLeastMemory(t *testing.T) {
	for b, bad := range map[byteSize]bool{1: true, 512: true, leastMemory - 1: true, leastMemory: false, 4 << 30: false} {
		if err := checkMemory(b); (err != nil) != bad {
			t.Errorf("checkMemory(%s): %v", b, err)
		}
	}
}
