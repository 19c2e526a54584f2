package record

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever the umask of the user, others read nothing of a recording, and the
// group only where that was asked for; everything in the directory counts.
func TestOthersReadNothing(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o077} {
		for group, want := range map[bool][2]fs.FileMode{false: {0o700, 0o600}, true: {0o750, 0o640}} {
			old := syscall.Umask(umask)
			dir := filepath.Join(t.TempDir(), "a", "rec")
			w := create(t, Options{Dir: dir, Group: group, Rotate: 1, Sync: true})
			appendAll(t, w, requests(t, 3))
			closed(t, w)
			syscall.Umask(old)
			seen := 0
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				mode := want[1]
				if d.IsDir() {
					mode = want[0]
				}
				if seen++; info.Mode().Perm() != mode {
					t.Errorf("umask %#o, group %v: %s has mode %#o, want %#o", umask, group, filepath.Base(path), info.Mode().Perm(), mode)
				}
				return err
			})
			if err != nil || seen < 4 {
				t.Errorf("%d files, %v", seen, err)
			}
			if info, err := os.Stat(filepath.Dir(dir)); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("umask %#o: the directory above has mode %v, %v", umask, info.Mode(), err)
			}
		}
	}
}
