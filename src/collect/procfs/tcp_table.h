/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The TCP sockets of the network namespace of a process, as /proc/PID/net/tcp and tcp6 list them
 * (proc(5)): read once, when first visited.
 */
struct tcp_endpoint {
	uint8_t address[16]; /* IPv4 as ::ffff:a.b.c.d */
	uint16_t port;
};

struct tcp_line {
	struct tcp_endpoint local, remote;
	unsigned long state; /* of net/tcp_states.h */
	uint64_t inode;      /* 0: in a queue to be accepted */
};

/* Begins as { .pid, .left }. left: the lines that may still be read (stall_wait.h); no more are
 * kept. */
struct tcp_table {
	uint32_t pid;
	size_t *left;
	bool read;
	struct tcp_line *lines;
	size_t count, room;
};

void tcp_table_visit(struct tcp_table *table, void (*visit)(const struct tcp_line *, void *),
		     void *context);
void tcp_table_clear(struct tcp_table *table);
