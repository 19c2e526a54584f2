package draw

import (
	"math"
	"testing"
	"testing/quick"
)

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0ns", 980: "980ns", 999.6: "1.00µs", 12_300: "12.3µs", 999_400: "999µs", 999_600: "1.00ms",
		1_234_000: "1.23ms", 9_996_000: "10.0ms", 123e6: "123ms", 999.6e6: "1.00s", 12.34e9: "12.3s", 59.96e9: "1m00s",
		123e9: "2m03s", 3600e9: "1h00m", 11_045e9: "3h04m", 7200e9: "2h00m", 453_600e9: "5d06h", -2e9: "-2.00s",
		math.NaN(): Missing, math.Inf(1): Missing,
	} {
		if got := Duration(ns); got != want {
			t.Errorf("Duration(%v) = %q, want %q", ns, got, want)
		}
	}
	if got := Seconds(1.5); got != "1.50s" {
		t.Errorf("Seconds(1.5) = %q", got)
	}
}

func TestDurationNeverWide(t *testing.T) {
	narrow := func(ns uint64) bool { return Width(Duration(float64(ns%8_640_000_000_000_000))) <= 6 }
	if err := quick.Check(narrow, nil); err != nil {
		t.Error(err)
	}
}

func TestUnitDoesNotJump(t *testing.T) {
	u := UnitFor(1.02e9)
	for ns, want := range map[float64]string{0.98e9: "0.980s", 1.02e9: "1.020s", 0: "0.000s", math.NaN(): Missing} {
		if got := u.Format(ns); got != want {
			t.Errorf("%v in the unit of 1.02 s: %q, want %q", ns, got, want)
		}
	}
	for ns, want := range map[float64]string{
		500: "500ns", 12_345: "12.3µs", 12_345_678: "12.35ms", 123_456_789: "123.5ms",
		12.345e9: "12.35s", 123.4e9: "123.4s", 7200e9: "7200.0s",
	} {
		if got := UnitFor(ns).Format(ns); got != want {
			t.Errorf("%v: %q, want %q", ns, got, want)
		}
	}
	if got := (Unit{}).Format(1); got != Missing {
		t.Errorf("no unit: %q", got)
	}
}

func TestAge(t *testing.T) {
	const now = int64(1_760_000_000_000_000_000)
	for ago, want := range map[int64]string{
		0: "now", 999_999_999: "now", 1e9: "1s", 99e9: "99s", 100e9: "1m", 5999e9: "99m", 6000e9: "1h", 360_000e9: "4d", -5e9: "now",
	} {
		if got := Age(now, now-ago); got != want {
			t.Errorf("%d ns ago: %q, want %q", ago, got, want)
		}
	}
	if got := Age(now, 0); got != Missing {
		t.Errorf("never: %q", got)
	}
}

func TestCounts(t *testing.T) {
	for _, test := range []struct{ name, got, want string }{
		{"small", Count(999), "999"},
		{"thousand", Count(1024), "1,024"},
		{"a rank, an iteration", Name(16384), "16384"},
		{"the largest name", Name(int64(math.MaxInt64)), "9223372036854775807"},
		{"million", Count(uint64(1_234_567)), "1,234,567"},
		{"negative", Count(-1234), "-1,234"},
		{"largest", Count(uint64(math.MaxUint64)), "18,446,744,073,709,551,615"},
		{"short whole", Short(9999), "9999"},
		{"short k", Short(12_345), "12.3k"},
		{"short rounds up", Short(999_600), "1.00M"},
		{"short M", Short(1_234_567), "1.23M"},
		{"short G", Short(2e9), "2.00G"},
		{"short T", Short(3e12), "3.00T"},
		{"short negative", Short(-12_345), "-12.3k"},
		{"short NaN", Short(math.NaN()), Missing},
		{"bytes", Bytes(512), "512 B"},
		{"KiB", Bytes(1536), "1.50 KiB"},
		{"MiB", Bytes(512 << 20), "512 MiB"},
		{"rounds to GiB", Bytes(1023 << 20), "1.00 GiB"},
		{"largest bytes", Bytes(math.MaxUint64), "16.0 EiB"},
		{"rate", Rate(12_345), "12.3k/s"},
		{"no rate", Rate(math.Inf(1)), Missing},
		{"percent", Percent(0.1234), "12.3%"},
		{"no percent", Percent(math.NaN()), Missing},
		{"one", Plural(1, "rank"), "1 rank"},
		{"many", Plural(1024, "rank"), "1,024 ranks"},
		{"none", Plural(0, "rank"), "0 ranks"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}
