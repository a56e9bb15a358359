/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/agent.h"
#include "signal/bounds.h"

#define OPTION(key, type, field, fallback, min, max, help)                                 \
	{                                                                                  \
		key, type, offsetof(struct agent_options, field), fallback, min, max, help \
	}

const struct config_option agent_option_table[] = {
	OPTION("lake", CONFIG_TEXT, lake, "", 0, 0, "URL of the lake, http://127.0.0.1:8717"),
	OPTION("token-file", CONFIG_TEXT, token_file, "", 0, 0,
	       "file with the token for the lake (scope ingest)"),
	OPTION("tls-ca-file", CONFIG_TEXT, tls_ca_file, "", 0, 0,
	       "certificates to trust for https (default: the system's); read again when it "
	       "changes"),
	OPTION("ca-file", CONFIG_TEXT, ca_file, "", 0, 0, "the old name of tls-ca-file"),
	OPTION("tls-certificate-file", CONFIG_TEXT, tls_certificate_file, "", 0, 0,
	       "this agent's own PEM certificate, where the lake wants one; read again when it "
	       "changes"),
	OPTION("tls-key-file", CONFIG_TEXT, tls_key_file, "", 0, 0, "PEM key of the certificate"),
	OPTION("state-folder", CONFIG_TEXT, state_folder, "/var/lib/tracer/agent", 0, 0,
	       "folder for the spool and the agent's id"),
	OPTION("rules-folder", CONFIG_TEXT, rules_folder, "/etc/tracer/rules.d", 0, 0,
	       "folder with your rules (*.yaml), read after the built-in ones"),
	OPTION("track", CONFIG_TEXT, track, "rules", 0, 0,
	       "rules: what rules name, and all it starts; all: every process; cgroup:PATTERN: what "
	       "rules name, and all in cgroups with a path that fits; only:PATTERN: these alone"),
	OPTION("host", CONFIG_TEXT, host, "", 0, 0,
	       "what this host is called, where it is not by its own name; two agents of one machine "
	       "with two names are two hosts"),
	OPTION("files", CONFIG_TEXT, files, "on", 0, 0,
	       "on: what tracked work does with files; off: no hook for that, nor any on a system "
	       "call"),
	OPTION("syscalls", CONFIG_BOOL, syscalls, "off", 0, 0,
	       "count the system calls of tracked work; it slows down every call of the host"),
	OPTION("drivers", CONFIG_BOOL, drivers, "on", 0, 0,
	       "on: tools that no engine started are of a run, too: of the script, shell session or "
	       "command that drives them; off: of none"),
	OPTION("task-files", CONFIG_BOOL, task_files, "on", 0, 0,
	       "on: a task's name and what it asked for are read where its engine wrote them (the "
	       "head, batch and container options of Nextflow's .command.run; the rule in "
	       "Snakemake's .snakemake/metadata; nothing else of them)"),
	OPTION("identifiers", CONFIG_TEXT, identifiers,
	       "TRACER_TRACE_ID,SLURM_JOB_ID,SLURM_ARRAY_JOB_ID,SLURM_ARRAY_TASK_ID,SLURM_STEP_ID,"
	       "SLURM_JOB_NAME,SLURM_CLUSTER_NAME,SLURMD_NODENAME,AWS_BATCH_JOB_ID",
	       0, 0,
	       "variables that are read of the environment of what begins a run, and no others "
	       "(\"\": none)"),
	OPTION("docker-socket", CONFIG_TEXT, docker_socket, "/var/run/docker.sock", 0, 0,
	       "socket of docker, asked for containers' names and images (\"\": not asked)"),
	OPTION("containerd-socket", CONFIG_TEXT, containerd_socket,
	       "/run/containerd/containerd.sock", 0, 0,
	       "socket of containerd, asked for containers' names and images (\"\": not asked)"),
	OPTION("log-level", CONFIG_TEXT, log_level, "info", 0, 0, "error, warning, info or debug"),
	OPTION("force-hook", CONFIG_TEXT, force_hook, "", 0, 0,
	       "for diagnosis: serve figures by fentry, kprobe, tracepoint or their last resort"),
	OPTION("pin-folder", CONFIG_TEXT, pin_folder, "", 0, 0,
	       "bpffs folder for kernel state that survives a restart (default: none)"),
	OPTION("spool-limit", CONFIG_BYTES, spool_limit, "1G", 1 << 20, 1e15,
	       "disk space for what the lake does not have yet"),
	OPTION("sample-interval", CONFIG_DURATION, sample_interval_ns, "5s", 1e9, 3600e9,
	       "how often the growth of each process is sent"),
	OPTION("stall-after", CONFIG_DURATION, stall_after_ns, "5m", 0, 65000e9,
	       "when work that does nothing is reported as a stall (0: never)"),
	OPTION("flush-interval", CONFIG_DURATION, flush_interval_ns, "1s", 1e7, 60e9,
	       "how long a record may wait before it is written to the spool"),
	OPTION("ring-bytes", CONFIG_BYTES, ring_bytes, "1M", 1 << 16, 1 << 30,
	       "memory between the kernel and the agent"),
	OPTION("process-limit", CONFIG_U64, process_limit, "65536", 16, 4194304,
	       "processes followed at once; more are reported as a loss"),
	OPTION("price-usd-hour", CONFIG_DOUBLE, price_usd_hour, "0", 0, BOUND_PRICE_USD_HOUR,
	       "what an hour of this host costs (0: unknown)"),
	OPTION("provider", CONFIG_TEXT, provider, "", 0, 0, "cloud provider: aws, gcp"),
	OPTION("region", CONFIG_TEXT, region, "", 0, 0, "cloud region"),
	OPTION("zone", CONFIG_TEXT, zone, "", 0, 0, "cloud zone"),
	OPTION("gpu", CONFIG_TEXT, gpu, "auto", 0, 0,
	       "read GPUs: auto (where there are some), on, off"),
	OPTION("gpu-helper", CONFIG_TEXT, gpu_helper, "", 0, 0,
	       "the program that reads them (default: tracer-gpu beside this one)"),
	OPTION("gpu-library-folder", CONFIG_TEXT, gpu_library_folder, "", 0, 0,
	       "folder of libnvidia-ml.so.1 (default: where the system's loader looks)"),
	OPTION("instance-type", CONFIG_TEXT, instance_type, "", 0, 0, "cloud instance type"),
	OPTION("cloud", CONFIG_TEXT, cloud, "auto", 0, 0,
	       "which metadata service is asked who this machine is: auto (of provider, or of the "
	       "cloud that the firmware names), off, aws, gcp"),
	OPTION("metadata-url", CONFIG_TEXT, metadata_url, "", 0, 0,
	       "where that is, a loopback or link-local address (default: the provider's)"),
};

const size_t agent_option_count = sizeof(agent_option_table) / sizeof(*agent_option_table);
