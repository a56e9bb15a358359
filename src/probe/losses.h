#pragma once
#include <stdint.h>

/* What the kernel side could not tell. */
struct probe;

struct probe_losses {                         /* cumulative since probe_open */
	uint64_t fork, image, exit, residual; /* records that found the ring full */
	uint64_t failure;                     /* why a process ended, of which only that is known */
	uint64_t file;                        /* what was to be told of files, or had no room */
	uint64_t untracked;                   /* processes whose tracking state could not be made */
	uint64_t network;                     /* counts or records of sockets without room */
	uint64_t io;                          /* likewise, of requests to block devices */
	uint64_t syscall;                     /* calls that were not counted, or not told */
};
int probe_losses(struct probe *probe, struct probe_losses *ret);
