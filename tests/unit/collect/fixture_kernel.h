/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/clock.h"
#include "collect/agent/pipeline.h"
#include "collect/attribution/attributor.h"
#include "collect/cgroup/cgroup.h"
#include "collect/host/untracked.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker.h"
#include "fixture_sink.h"

/*
 * A pipeline that gets from a test what the kernel would report: what the process table makes of
 * records, also of those that a real kernel loses only under load.
 */
struct kernel {
	struct sink_kept kept;
	struct rules *rules;
	struct outbox *outbox;
	struct pipeline pipeline;
	struct probe_handler probe;
	uint64_t cgroup_id; /* in which images begin */
	uint64_t now_ns;    /* boot-time clock, of the next record; grows by 1 ms each */
};

void kernel_start(struct kernel *kernel, size_t process_limit);
void kernel_stop(struct kernel *kernel);
/* Sends what waits, and forgets what has ended long enough ago. */
void kernel_flush(struct kernel *kernel);

/* start_ns of every process is its pid in ms, so that a test can name it by pid. */
struct probe_key kernel_key(uint32_t pid);
void kernel_fork(struct kernel *kernel, uint32_t pid, uint32_t parent);
/* The first image of a process that was not tracked; argv ends with NULL, argv[0] is exe, too. */
void kernel_image(struct kernel *kernel, uint32_t pid, uint32_t parent, uint64_t image_seq,
		  const char *const *argv);
/* As kernel_image, of what was found with it. */
void kernel_found(struct kernel *kernel, uint32_t pid, uint32_t parent, uint64_t image_seq,
		  const char *const *argv);
/* An exec in a process that ran the image replaced_seq, which used cpu_ns (user) until here. */
void kernel_exec(struct kernel *kernel, uint32_t pid, uint32_t parent, uint64_t image_seq,
		 const char *const *argv, uint64_t replaced_seq, uint64_t cpu_ns);
/* It execs what is excluded. */
void kernel_leave(struct kernel *kernel, uint32_t pid, uint64_t image_seq, uint64_t cpu_ns);
void kernel_exit(struct kernel *kernel, uint32_t pid, uint64_t image_seq, int code, int signal,
		 uint64_t cpu_ns);
