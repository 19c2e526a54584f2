package run

import "github.com/beamline-hpc/lensview/pkg/semconv"

// BucketKey is the attribute of a span of reinforcement learning that says what its
// time was spent on: productive, overhead, idle or wasted.
const BucketKey = semconv.RLBucket
