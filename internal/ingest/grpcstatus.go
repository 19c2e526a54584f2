package ingest

import (
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// retryTrailer is where Python's exporter looks for the delay; the others read
// the status detail.
const retryTrailer = "google.rpc.retryinfo-bin"

// answer counts a fault and makes it the call's status. No header has been
// sent by then, so it goes out as trailers alone, which Java's exporter needs
// to retry.
func (g *grpcDoor) answer(ss grpc.ServerStream, f *fault) error {
	st := status.New(f.grpc, g.refuse(f).public())
	if !f.retry {
		return st.Err()
	}
	info := &errdetails.RetryInfo{RetryDelay: durationpb.New(retryDelay())}
	if b, err := proto.Marshal(info); err == nil {
		ss.SetTrailer(metadata.Pairs(retryTrailer, string(b)))
	}
	if with, err := st.WithDetails(info); err == nil {
		st = with
	}
	return st.Err()
}
