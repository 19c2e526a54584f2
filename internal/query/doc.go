// Package query is the filter language: parse, complete, match.
//
//	dl.rank=0
//	dl.tensor_parallel.size=4 AND dl.pipeline_parallel.size=2
//	rank=0..63 and (name =~ forward or dur>2s) and not truncated
package query
