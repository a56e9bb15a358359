/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "probe/abi/process.h"

/*
 * The program image of a process as read from /proc: for processes that ran before the kernel side
 * was loaded. The buffers are reused from process to process.
 */
struct proc_image {
	char exe[4096 + 16], cwd[4096 + 16]; /* "" where it may not be read */
	const char *const *argv;             /* argc texts and a NULL */
	size_t argc;
	uint32_t argv_missing_bytes;      /* beyond 32 KiB */
	char bytes[PROCESS_ARGV_MAX + 1]; /* what argv points into */
	const char *texts[PROCESS_ARGV_MAX + 2];
};

/* NULL: out of memory. */
struct proc_image *proc_image_new(void);
/* NULL is fine. */
void proc_image_free(struct proc_image *image);
DEFINE_CLEANUP(struct proc_image *, proc_image_free)

/* Reads /proc/PID, or the folder of another thread if the leader has ended. 0; -ESRCH, -ENOENT: the
 * process is gone; -errno. */
int proc_image_read(struct proc_image *image, uint32_t pid);

/* The basename of the program that an interpreter runs: "snakemake" of `python3 -m snakemake`,
 * "align.sh" of `bash -e /x/align.sh`, "x.jar" of `java -Xmx1g -jar x.jar`. "": not a known
 * interpreter, or it names no program. Points into argv. */
const char *proc_image_script(const struct proc_image *image);

/* The pipes of a process as in probe_image; 0 also where they may not be read. */
void proc_pipes(uint32_t pid, uint32_t parent, uint32_t ret[2]);
