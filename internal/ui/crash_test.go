package ui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestGuard(t *testing.T) {
	g := NewGuard(context.Background())
	g.Do(func() {})
	if g.Err() != nil || g.Context().Err() != nil {
		t.Fatal("a function that does not panic ended the guard")
	}
	g.Do(func() { panic("first") })
	g.Do(func() { panic("second") })
	var crash *CrashError
	if !errors.As(g.Err(), &crash) || crash.Value != "first" {
		t.Fatalf("the guard keeps %v, want the first panic", g.Err())
	}
	if !errors.Is(context.Cause(g.Context()), g.Err()) {
		t.Errorf("the context ended by %v", context.Cause(g.Context()))
	}
	if text := g.Err().Error(); !strings.HasPrefix(text, "panic: first\n") || !strings.Contains(text, "crash_test.go") {
		t.Errorf("the text is %q", text)
	}
}

func TestGuardOfManyGoroutines(t *testing.T) {
	g := NewGuard(context.Background())
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Add(1)
		g.Go(func() { defer wg.Done(); panic(i) })
	}
	wg.Wait()
	<-g.Context().Done()
	if g.Err() == nil {
		t.Error("no panic was kept")
	}
}

func TestGuardEndsWithItsParent(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	g := NewGuard(parent)
	cancel()
	<-g.Context().Done()
	if g.Err() != nil {
		t.Errorf("the parent's end is no panic: %v", g.Err())
	}
}
