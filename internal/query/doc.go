// Package query is the filter language: parse, complete, match.
//
//	dl.rank=0
//	dl.tensor_parallel.size=4 AND dl.pipeline_parallel.size=2
//	rank=0..63 and (name =~ forward or dur>2s) and not truncated
//
// # Grammar
//
//	filter = or                                  the whole text
//	or     = and { ("or" | "||") and }           binds loosest
//	and    = not { ["and" | "&&"] not }          adjacent terms mean AND
//	not    = ("not" | "!") not | "(" or ")" | term, which is one of:
//
//	key op value
//	key ["not"] "in" list
//	flag                                         truncated, error
//	word                                         a part of a span name
//
//	op     = "=" | "!=" | ">" | ">=" | "<" | "<=" | "=~" | "!~"
//	list   = range | "(" value { "," value } ")"
//	value  = word | number | duration | range | quoted
//	range  = number ".." number                  both ends belong to it
//
// Words of the grammar are read in any case. Quotes are single or double; the
// escapes \n \t \r \" \' \\ and \uXXXX are read, any other backslash stands for
// itself, so that a quoted regular expression needs no doubling. A quoted word
// standing alone matches names, a quoted key is always an attribute, and a
// quoted value is always text.
//
// # Meaning
//
// A bare word matches span names that contain it, in any case. Short keys (see
// Keys) read facts of the run, the process or the span. Any other key is an
// attribute: of the span first, else of the process's resource, in any of the
// spellings in the field.
//
// Both sides are compared as numbers when both are numbers, else as text; a text
// is neither above nor below a number. A key that is not there matches no comparison at all, neither = nor != nor an order:
// write "not rank=0" to mean "rank is not 0, or there is none".
package query
