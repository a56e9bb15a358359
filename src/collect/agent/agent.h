/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/config/config.h"
#include "base/error.h"

/*
 * The agent: watches this host through the kernel and delivers what it sees to a lake. One loop,
 * one thread. Its state folder (0700) holds the spool, its id, the folder `begun`
 * (root_image_store.h), the socket `control.sock` and, while it runs, the marker `running`.
 */
struct agent_options {
	char *lake;        /* URL; needed unless audit */
	char *token_file;  /* bearer token with scope ingest; needed unless audit */
	char *ca_file;     /* "": as tls_ca_file, the newer name */
	char *tls_ca_file; /* PEM; "": the system's */
	char *tls_certificate_file, *tls_key_file; /* PEM: of this agent; "": none */
	char *state_folder;                        /* made if missing; one agent a folder */
	char *rules_folder; /* *.yaml in it, in order of name; may be absent */
	char *track; /* "rules": what rules name, with descendants; "all"; see cgroup_follow.h */
	char *host;  /* "": its hostname */
	char *files; /* "on"; "off": nothing is hooked to see files, nor any system call */
	char *docker_socket;     /* "": docker is not asked for names and images */
	char *containerd_socket; /* "": nor is containerd */
	char *log_level;         /* error warning info debug */
	char *force_hook;        /* for diagnosis: fentry, kprobe, tracepoint, last; "": the best */
	char *pin_folder;        /* bpffs folder for what survives a restart; "": none */
	uint64_t spool_limit;    /* bytes */
	uint64_t
		sample_interval_ns; /* whole seconds; samples are read each second, sent so often */
	uint64_t stall_after_ns;    /* 0: stalls are not reported */
	uint64_t flush_interval_ns; /* how long a record waits at most before it is spooled */
	uint64_t ring_bytes;        /* of the kernel's ring; 0: the probe's default */
	uint64_t process_limit;     /* processes in the table, those just ended included */
	double price_usd_hour;      /* of this host; 0: unknown */
	char *provider, *region, *zone, *instance_type; /* "": as the cloud says, if it is known */
	char *cloud, *metadata_url;                     /* cloud/metadata/metadata.h */
	char *gpu;                                      /* gpu.h: "auto", "on", "off" */
	char *gpu_helper;                               /* "": tracer-gpu beside this program */
	char *gpu_library_folder;                       /* "": where the loader looks */
	bool syscalls; /* those of tracked work are counted, which slows down every call of the host
			*/
	bool drivers;  /* what no engine started is of a run, too */
	bool task_files; /* the heads of files in which engines wrote what their tasks are called */
	char *identifiers; /* variables of an environment that are read; "": none */
	bool audit; /* no option: print each batch as JSON on stdout instead of keeping and sending
		    it; needs no lake, leaves no state */
};

/* The table of `tracer collect` for base/config: keys lake, token-file, … as the fields above. */
extern const struct config_option agent_option_table[];
extern const size_t agent_option_count;

/* Runs in the foreground until SIGTERM or SIGINT (clean stop: last samples, all spooled, a few
 * seconds to upload, detached); SIGHUP reads the rules again. Returns 0 after a clean stop, or
 * -errno with words when it could not start: -EINVAL an option, -EPERM/-ENOTSUP what the kernel
 * lacks or forbids, -EBUSY another agent has the state folder. Sets signal handlers and drops
 * capabilities: for a process that does nothing else. */
int agent_run(const struct agent_options *options, struct error *err);

/*
 * While it runs, `GET /status` on STATE/control.sock (http_fetch with
 * "http+unix://STATE/control.sock"; uid 0 or the agent's own) answers 200 with one object:
 *   {"version","pid","state" ("running"|"stopping"),"agent_id","host_id","boot_id","started_at",
 *    "processes","processes_limit","executions","runs"… counters since start,
 *    "losses":{a number for each kind of losses.h, since the start},
 *    "spool":{"bytes","entries","limit_bytes"},
 *    "uploader":{"state" ("idle"|"sending"|"waiting"|"refused"),"batches","records","bytes",
 *                "duplicates","rejected_batches","rejected_records","last_ok_at","last_error",
 *                "clock_offset_ns","clock_error_ns"},
 *    "cloud":{"provider","by","answered","instance_id","error"},"gpu":{"devices","sources":{"nvidia":{"running","starts","words"},"drm":…}},
 *    "watches_calls" (tracepoints of system calls are attached),"rss_bytes","cpu_ns","map_bytes",
 *    "ring_bytes","ring_peak_bytes" (of the last interval),
 *    "programs":[{"name","calls","run_ns"}…] (of the kernel side; null unless
 *    kernel.bpf_stats_enabled is 1: not counted)}
 * Anything else is 404; a foreign peer is 403. It answers from the moment the kernel is watched.
 */
#define AGENT_CONTROL_SOCKET "control.sock"
