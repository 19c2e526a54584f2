package screen

import (
	"context"
	"testing"
	"time"
)

func TestRestingStopsWhatNobodyWants(t *testing.T) {
	var a Resting[string, error]
	began, ended := make(chan bool), make(chan error, 1)
	first := a.Start("old", func(ctx context.Context) error {
		close(began)
		<-ctx.Done()
		return ctx.Err()
	})
	go func() { first(); ended <- nil }()
	<-began
	if a.Start("new", func(context.Context) error { return nil }) != nil {
		t.Error("two computations run beside each other")
	}
	<-ended
}

func TestRestingRestsButNotBeforeAnotherQuestion(t *testing.T) {
	var a Resting[string, int]
	first := a.Start("q", func(context.Context) int { return 1 })
	a.Take(first())
	a.until.Store(time.Now().Add(time.Hour).UnixNano())
	resting := make(chan int, 1)
	again := a.Start("q", func(ctx context.Context) int { return 2 })
	go func() {
		again()
		resting <- 1
	}()
	select {
	case <-resting:
		t.Error("the same question was answered again without a rest")
	default:
	}
	a.Start("another", func(context.Context) int { return 3 }) // ends the rest
	<-resting
	if a.until.Load() != 0 {
		t.Error("another question rests too")
	}
}

func TestRestingGoesOnWithTheSameQuestion(t *testing.T) {
	var a Resting[string, int]
	for i := range 3 {
		cmd := a.Start("q", func(ctx context.Context) int {
			if ctx.Err() != nil {
				return -1
			}
			return i
		})
		if got, fresh, mine, _ := a.Take(cmd()); got != i || !fresh || !mine {
			t.Errorf("answer %d: %d, fresh %v", i, got, fresh)
		}
	}
}
