package resources_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
)

// TestExpandNodeList begins with row 49 of the cases.
func TestExpandNodeList(t *testing.T) {
	for list, want := range map[string]string{
		"nodeA,nodeB[001,003],nodeC": "nodeA nodeB001 nodeB003 nodeC",
		"node[001-002]":              "node001 node002",
		"c438-[062,104]":             "c438-062 c438-104",
		"gpu[001-004],cpu[1-2]":      "gpu001 gpu002 gpu003 gpu004 cpu1 cpu2",
		"rack[0-1]n[00-02]":          "rack0n00 rack0n01 rack0n02 rack1n00 rack1n01 rack1n02",
		"":                           "",
		" ":                          "",
		"vm":                         "vm",
		"a, b":                       "a b",
		"n[8-11]":                    "n8 n9 n10 n11",
		"n[08-11]":                   "n08 n09 n10 n11",
		"n[1-2,5,007-008]x":          "n1x n2x n5x n007x n008x",
		"n[5-5]":                     "n5",
		"[1-2]":                      "1 2",
		"a[0-1][0-1]":                "a00 a01 a10 a11",
		"tpu-v4-[0-1].zone-b":        "tpu-v4-0.zone-b tpu-v4-1.zone-b",
		"a,a":                        "a a",
	} {
		got, err := resources.ExpandNodeList(list)
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got)\n%s", list, err, diff)
		}
		if n, err := resources.CountNodes(list); int(n) != len(got) || err != nil {
			t.Errorf("%q counts %d, %v", list, n, err)
		}
	}
}

func TestBrokenNodeList(t *testing.T) {
	for _, list := range []string{
		"node[001", "node001]", "n[[1-2]]", "n[]", "n[1-]", "n[-2]", "n[2-1]", "n[1,,2]", "n[a-b]", "n[1-2-3]", "n[+1]", "n[ 1]",
		"a,,b", ",", "a,", "n[1]]", "n[9999999999999999999]", "]", "[", "n[1-2", "n]1[",
	} {
		got, err := resources.ExpandNodeList(list)
		if !errors.Is(err, resources.ErrNodeList) || len(got) != 1 || got[0] != list {
			t.Errorf("%q: %q, %v; want the text as it is, and why", list, got, err)
		}
		if n, err := resources.CountNodes(list); n != 0 || !errors.Is(err, resources.ErrNodeList) {
			t.Errorf("%q counts %d, %v", list, n, err)
		}
	}
	_, err := resources.ExpandNodeList("n[" + strings.Repeat("x", 1000))
	if len(err.Error()) > 200 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

// TestHugeNodeList: a bound in names and in bytes, and a count that is right.
func TestHugeNodeList(t *testing.T) {
	for _, c := range []struct {
		list  string
		count int64
	}{
		{"n[1-999999999]", 999999999},
		{"n[1-65537]", 65537},
		{"a,n[1-65536]", 65537},
		{"a[0-9999]b[0-9999]c[0-9999]", 1e12},
		{strings.Repeat("[0-999999]", 5), math.MaxInt64}, // 10^30, and no overflow
		{"n[0-999999999999999999],m[0-999999999999999999]", 2e18},
		{strings.Repeat("x", 1000) + "[1-60000]", 60000}, // few names, 60 MB of text
	} {
		allocs := testing.AllocsPerRun(1, func() {
			got, err := resources.ExpandNodeList(c.list)
			if !errors.Is(err, resources.ErrTooManyNodes) || len(got) != 1 || got[0] != c.list {
				t.Errorf("%.40q: %.40q, %v", c.list, got, err)
			}
		})
		if allocs > 100 {
			t.Errorf("%.40q costs %v allocations", c.list, allocs)
		}
		if n, err := resources.CountNodes(c.list); n != c.count || err != nil {
			t.Errorf("%.40q counts %d, %v; want %d", c.list, n, err, c.count)
		}
	}
	if got, err := resources.ExpandNodeList("n[1-65536]"); len(got) != resources.MaxNodes || err != nil {
		t.Errorf("the most is %d, %v", len(got), err)
	}
}

func FuzzExpandNodeList(f *testing.F) {
	for _, list := range []string{"rack[0-1]n[00-02]", "a,b[1,3-5]", "n[1-999999999]", "n[[1]", "", "é[1-2]", "n[1-2]," + strings.Repeat("[0-9]", 30)} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		names, err := resources.ExpandNodeList(list)
		count, countErr := resources.CountNodes(list)
		switch {
		case errors.Is(err, resources.ErrNodeList):
			if countErr == nil || len(names) != 1 || names[0] != list {
				t.Errorf("%q: %q, %v, %v", list, names, err, countErr)
			}
		case errors.Is(err, resources.ErrTooManyNodes):
			if countErr != nil || len(names) != 1 || names[0] != list {
				t.Errorf("%q: %q, %d, %v", list, names, count, countErr)
			}
		case err != nil || countErr != nil || int64(len(names)) != count || count > resources.MaxNodes:
			t.Errorf("%q: %d names, counted %d, %v, %v", list, len(names), count, err, countErr)
		}
		if err == nil && !strings.ContainsAny(list, "[]") && strings.TrimSpace(list) != "" && len(names) != strings.Count(list, ",")+1 {
			t.Errorf("%q: %q", list, names)
		}
	})
}
