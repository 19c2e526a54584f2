// Package ui is the program in the terminal: header, footer, filter, help and
// the screens. It holds no data of its own but a snapshot, and draws only when
// something changed.
//
// Data are never messages. A tick, 2.5 times a second, asks the source for its
// version; when that is the same nothing happens at all. Only the screen on top
// is given new data.
package ui
