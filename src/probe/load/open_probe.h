/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/api/handler.h"
#include "probe/load/syscall_tracepoints.h"

struct process_bpf;
struct ring_buffer;
struct socket_probes;

/* The last figures of probe_usage, for the calls that do not read them again. */
struct usage_cache {
	unsigned calls;
	uint64_t map_bytes, programs_ns;
	bool counted; /* the kernel counted run times */
};

/*
 * The open probe: the loaded programs and all that belongs to them. probe_open (api/probe.c) makes
 * it; it is the definition behind the opaque struct of api/probe.h.
 */
struct probe {
	struct process_bpf *skel;
	struct ring_buffer *ring;
	struct process_decoder *decoder;
	struct socket_probes *socket_probes; /* NULL: none are needed */
	struct probe_handler handler;
	int tracepoint_ids[SYSCALL_TRACEPOINTS_MAX]; /* 0: not needed */
	struct bpf_link *tracepoint_links[SYSCALL_TRACEPOINTS_MAX];
	bool tracepoints_held; /* never detached before the end */
	unsigned samples;      /* taken so far */
	struct usage_cache usage;
	size_t limit, drained; /* records of the running probe_poll: at most, and so far */
	unsigned page_shift;
	char pin_folder[1024]; /* "": not pinned */
	bool pin_reused;
};
