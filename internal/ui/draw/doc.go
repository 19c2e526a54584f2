// Package draw is pure drawing: values in, strings out. Text that came from
// others is made harmless (Clean), measured and cut in cells on grapheme borders
// (Width, Fit), numbers get units that do not jump, and tables, bars and
// sparklines never draw wider than they were told.
package draw
