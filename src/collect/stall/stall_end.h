/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * What a process that hangs waits for, as /proc shows it: what its system call works on, and who is
 * at the other end of it.
 */
struct process;
struct process_table;

enum stall_on {
	STALL_ON_NOTHING,
	STALL_ON_MEMORY,
	STALL_ON_FILE,
	STALL_ON_PIPE,
	STALL_ON_SOCKET,
	STALL_ON_POLL,
};

struct stall_end {
	bool by_design;    /* it waits for clients, or polls for nothing that is owed to it */
	const char *words; /* of one that polls: what it waits for; NULL: not seen now */
	char text[256];    /* ", of /data/x.bam", ", the other end is held by bwa mem (pid 11)" */
};

/* left: as in stall_wait.h. */
void stall_end_find(struct process_table *processes, const struct process *process,
		    enum stall_on on, size_t *left, struct stall_end *ret);
