package simulate

// The parameters that several kinds share.
func fromParam() FaultParam {
	return FaultParam{"from", "0", "the iteration from which, counted from 0"}
}
func factorParam() FaultParam {
	return FaultParam{"factor", "1.5", "on the compute time"}
}
func rankParam() FaultParam { return FaultParam{"rank", "", "the rank"} }

// faultForms are all kinds of fault.
func faultForms() []faultForm {
	return append(slowForms(), append(lifeForms(), telemetryForms()...)...)
}

func form(kind, about, example string, to func(*faultArgs) Fault, params ...FaultParam) faultForm {
	return faultForm{FaultKind{Kind: kind, About: about, Example: example, Params: params}, to}
}

func slowForms() []faultForm {
	return []faultForm{
		form(KindStraggler, "a rank computes slower", "straggler:rank=5,factor=1.5,from=10",
			func(a *faultArgs) Fault { return Straggler{a.int("rank"), a.float("factor"), a.int("from")} },
			rankParam(), factorParam(), fromParam()),
		form(KindSlowStage, "a pipeline stage has more to do in all lanes", "slow-stage:stage=3,factor=2",
			func(a *faultArgs) Fault { return SlowStage{a.int("stage"), a.float("factor"), a.int("from")} },
			FaultParam{"stage", "", "the stage, counted from 0"}, factorParam(), fromParam()),
		form(KindSlowLink, "transfers between a stage and the next one of a lane take longer", "slow-link:stage=0,lane=1,delay=30ms",
			func(a *faultArgs) Fault {
				return SlowLink{a.int("stage"), a.int("lane"), a.time("delay"), a.int("from")}
			},
			FaultParam{"stage", "0", "the stage before the link"}, FaultParam{"lane", "0", "the data-parallel lane"},
			FaultParam{"delay", "30ms", "what each transfer takes more"}, fromParam()),
		form(KindSlowHost, "all ranks of a host compute slower", "slow-host:host=1,factor=1.3",
			func(a *faultArgs) Fault { return SlowHost{a.int("host"), a.float("factor"), a.int("from")} },
			FaultParam{"host", "", "the host, counted from 0"}, factorParam(), fromParam()),
		form(KindRotating, "another lane computes longer each iteration (uneven data)", "rotating:factor=1.5",
			func(a *faultArgs) Fault { return Rotating{a.float("factor"), a.int("from")} }, factorParam(), fromParam()),
	}
}

func lifeForms() []faultForm {
	at := func(about string) FaultParam { return FaultParam{"at", "20", about + ", counted from 0"} }
	return []faultForm{
		form(KindHang, "a rank stops for ever", "hang:rank=5,at=20,within=3,alive=true",
			func(a *faultArgs) Fault { return Hang{a.int("rank"), a.int("at"), a.int("within"), a.bool("alive")} },
			rankParam(), at("the iteration"), FaultParam{"within", "0", "the microbatch, counted from 1; 0 after the last one"},
			FaultParam{"alive", "false", "its exporters go on"}),
		form(KindFreeze, "all ranks stop at the same place", "freeze:at=20",
			func(a *faultArgs) Fault { return Freeze{a.int("at"), a.bool("alive")} },
			at("the iteration"), FaultParam{"alive", "true", "the exporters go on"}),
		form(KindSilent, "a rank's exporter fails while it trains on", "silent:rank=5,from=10",
			func(a *faultArgs) Fault { return Silent{a.int("rank"), a.int("from")} },
			rankParam(), FaultParam{"from", "0", "the iteration from which; at 0 it never sends"}),
		form(KindRestart, "all processes end without a word and start again, one host replaced", "restart:rank=5,at=12,back=2,down=10s",
			func(a *faultArgs) Fault { return Restart{a.int("rank"), a.int("at"), a.int("back"), a.time("down")} },
			FaultParam{"rank", "0", "the rank whose host is replaced"}, at("the iteration in which"),
			FaultParam{"back", "0", "finished iterations that are repeated"}, FaultParam{"down", "10s", "until the new processes start"}),
		form(KindTruncated, "the run is shut down in the middle of an iteration", "truncated:at=30",
			func(a *faultArgs) Fault { return Truncated{a.int("at")} }, at("the iteration in which")),
	}
}

func telemetryForms() []faultForm {
	size := func(name string) FaultParam { return FaultParam{name, "0", "the size that is sent; 0 the real one"} }
	return []faultForm{
		form(KindSkew, "the clocks of hosts are off", "skew:by=5m",
			func(a *faultArgs) Fault { return Skew{a.time("by")} }, FaultParam{"by", "5m", "up to so much, either way"}),
		form(KindSeededIDs, "data-parallel ranks share their trace and span ids", "seeded-ids",
			func(*faultArgs) Fault { return SeededIDs{} }),
		form(KindSampled, "only every Nth rank sends", "sampled:every=4",
			func(a *faultArgs) Fault { return Sampled{a.int("every")} }, FaultParam{"every", "2", "1 in so many ranks, from rank 0 on"}),
		form(KindTopology, "processes send parallel sizes that are not those of the run", "topology:tp=3",
			func(a *faultArgs) Fault { return Topology{a.int("tp"), a.int("pp"), a.int("dp")} }, size("tp"), size("pp"), size("dp")),
		form(KindExplosion, "a metric attribute of a service never repeats a value", "cardinality:rate=50",
			func(a *faultArgs) Fault { return Explosion{a.float("rate")} }, FaultParam{"rate", "50", "new values a second"}),
	}
}
