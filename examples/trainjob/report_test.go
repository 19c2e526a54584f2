package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/report"
	"github.com/beamline-hpc/lensview/internal/store"
)

// TestOneRunInTheViewer: eight processes that send to our receiver, with the variables of
// torchrun or Slurm, are one run of eight ranks there, with integers as integers.
func TestOneRunInTheViewer(t *testing.T) {
	for _, as := range []string{"torchrun", "slurm"} {
		t.Run(as, func(t *testing.T) {
			st := store.New(store.Config{})
			srv, err := ingest.Start(t.Context(), ingest.Config{GRPC: "127.0.0.1:0", HTTP: ingest.Off}, st)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = srv.Stop(context.Background()) }()
			cmd := exec.Command(os.Args[0], "-launch", "8", "-as", as, "-step", "1ms")
			cmd.Env = []string{"TRAINJOB_TEST=1", "PATH=" + os.Getenv("PATH"), "CUDA_VISIBLE_DEVICES=0,1,2,3", "NEMO_LENS_ENABLED=yes",
				"NEMO_LENS_EXPORT_STRATEGY=all_ranks", "TRAINJOB_SPAN_GROUPS=all", "OTEL_EXPORTER_OTLP_ENDPOINT=http://" + srv.Addrs()[0].Addr}
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v: %s", err, out)
			}
			r, err := report.Build(t.Context(), st.Snapshot(), report.Options{Processes: true})
			if err != nil {
				t.Fatal(err)
			}
			checkReport(t, r, as)
		})
	}
}

func checkReport(t *testing.T, r report.Report, as string) {
	t.Helper()
	if len(r.Runs) != 1 || r.Runs[0].RanksSeen != 8 || *r.Runs[0].WorldSize != 8 || len(r.Runs[0].Processes) != 8 || r.Runs[0].Attempts != 1 {
		t.Fatalf("runs %+v", r.Runs)
	}
	one := r.Runs[0]
	if tp := one.Topology; *tp.TP != 2 || *tp.PP != 1 || *tp.DP != 4 || one.Iterations.Seen != 10 {
		t.Errorf("topology %+v, iterations %+v", tp, one.Iterations)
	}
	for rank, p := range one.Processes {
		if p.Rank == nil || *p.Rank != rank || p.Sibling || p.Spans != 33 {
			t.Errorf("process %d is %+v", rank, p)
		}
		if diff := cmp.Diff(typesOf(as), typesIn(p)); diff != "" {
			t.Errorf("rank %d: types (-want +got) %s", rank, diff)
		}
	}
}

// typesOf is the type of each attribute, as the conventions have it.
func typesOf(as string) map[string]string {
	names := map[string][]string{
		"string": {"service.name", "service.version", "service.instance.id", "host.name", "nemo.run.id", "nv.dl.role", "nv.dl.run.uuid",
			"nv.dl.provider.name", "nv.dl.training.config.optimizer", "telemetry.sdk.name", "telemetry.sdk.language", "telemetry.sdk.version"},
		"int": {"process.pid", "host.gpu.count", "nv.dl.rank", "nv.dl.world_size", "nv.dl.local_rank", "dl.rank", "dl.world_size", "dl.local_rank",
			"nv.dl.topology.size.tp", "nv.dl.topology.size.pp", "nv.dl.topology.size.dp", "nv.dl.training.config.global_batch_size",
			"nv.dl.training.config.micro_batch_size", "nv.dl.training.config.sequence_length"},
	}
	if as == "slurm" {
		names["string"] = append(names["string"], "slurm.job.id", "slurm.job.id.raw", "slurm.array.job_id", "slurm.array.task_id", "slurm.job.name",
			"slurm.cluster.name", "slurm.partition", "slurm.nodelist", "nv.dl.job.uuid")
		names["int"] = append(names["int"], "slurm.array.count", "slurm.nnodes", "slurm.ntasks", "slurm.restart_count")
	}
	types := map[string]string{}
	for kind, keys := range names {
		for _, key := range keys {
			types[key] = kind
		}
	}
	return types
}

func typesIn(p report.Process) map[string]string {
	types := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(p.Resource)) {
		types[key] = fmt.Sprint(p.Resource[key].Type)
	}
	return types
}
