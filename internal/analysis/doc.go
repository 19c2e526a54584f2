// Package analysis answers questions from a snapshot of the store: how long do
// things take, how do spans hang together, which ranks are there, what grows too
// large. One file answers one question, as plain values that a screen or the
// report only has to write down.
//
// Everything here is a pure function of its arguments. Durations are seconds as
// float64; an answer that is not there is NaN (or a false ok), never a made-up
// 0. Truncated spans and spans without a sane duration are counted beside the
// statistics and enter none of them.
package analysis
