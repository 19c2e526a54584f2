package screen

import (
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestAgedWhileFilesAreRead(t *testing.T) {
	made := func(ago time.Duration) Aged { return Aged{Version: 7, Now: 1, At: time.Now().Add(-ago)} }
	reading, following := &run.Loading{}, &run.Loading{Following: true}
	for _, test := range []struct {
		name string
		aged Aged
		s    store.Snapshot
		want bool
	}{
		{"while they are read", made(0), store.Snapshot{Version: 8, Clock: store.SenderClock, Loading: reading}, true},
		{"three seconds later", made(3 * time.Second), store.Snapshot{Version: 8, Clock: store.SenderClock, Loading: reading}, false},
		// What is followed may be silent from now on: nothing would come to correct it.
		{"what is followed", made(0), store.Snapshot{Version: 8, Clock: store.SenderClock, Loading: following}, false},
		{"a recording that is followed", made(0), store.Snapshot{Version: 8, Now: 2, Live: true, Loading: following}, true},
		{"a recording of a run that is over", made(0), store.Snapshot{Version: 8, Now: 2, Loading: following}, false},
	} {
		if got := test.aged.Holds(&test.s); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
