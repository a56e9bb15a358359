#pragma once
#include <stddef.h>

/*
 * What a process that hangs waits for, as /proc tells it: the descriptor that its system call works
 * on, and who holds the other end of it on this host.
 */
struct tracker;
struct process;

/* ", of /data/x.bam", ", whose other end is held by bwa mem (pid 11)"; "" where nothing is known.
 * Returns text. */
const char *stall_end(struct tracker *tracker, const struct process *process, char *text,
		      size_t size);
