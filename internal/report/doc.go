// Package report turns a snapshot into the answers of lensview as one value,
// and that value into JSON, text or Markdown. It needs no terminal: what it
// cannot say in plain text, no screen may say either.
//
// The JSON form is a contract (schema "lensview.report/v1"): keys keep their
// meaning, new ones may be added, and an absent answer is null, never a
// made-up 0. Times and durations are seconds.
package report
