package query_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// A screen binds the filter once per run of a snapshot.
func ExampleFilter_Bind() {
	r := &store.Run{ID: "demo", Processes: []*store.Process{
		{ID: run.Identity{Rank: 0, Host: "node-1"}},
		{ID: run.Identity{Rank: 1, Host: "node-2"}},
	}}
	f, err := query.Parse("rank in (1, 8, 16) or host=node-3")
	if err != nil {
		fmt.Println(err)
		return
	}
	m := f.Bind(r)
	for p := range r.Processes {
		fmt.Println("rank", r.Processes[p].ID.Rank, m.Process(p))
	}
	// Output:
	// rank 0 false
	// rank 1 true
}

// An error points at the place.
func ExampleParse_error() {
	text := "tp=1 and status=eror"
	_, err := query.Parse(text)
	var e *query.Error
	if errors.As(err, &e) {
		fmt.Println(text)
		fmt.Println(strings.Repeat(" ", e.Column-1) + strings.Repeat("^", e.Len))
		fmt.Println(e)
	}
	// Output:
	// tp=1 and status=eror
	//                 ^^^^
	// col 17: "status" is never "eror", expected: unset ok error
}

func ExampleQuote() {
	fmt.Println("name=" + query.Quote("save checkpoint"))
	fmt.Println("host=" + query.Quote("node-1"))
	// Output:
	// name="save checkpoint"
	// host=node-1
}

func ExampleComplete() {
	for _, c := range query.Complete("status=", 7, nil, "") {
		fmt.Println(c.Text)
	}
	// Output:
	// unset
	// ok
	// error
}
