/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for completions of io_uring and of aio, and writes down how long (waited.h).
 *
 *     ring_driver ROUNDS SCRATCH     each way, ROUNDS times
 */
#define _GNU_SOURCE
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "cold.h"
#include "waited.h"

/* An io_uring of one entry; what the kernel and the program share of it. */
struct ring {
	int fd;
	unsigned *sq_tail, *sq_index, *cq_head;
	struct io_uring_sqe *entry;
	struct io_uring_cqe *done;
};

static void *shared(int fd, size_t size, long long what)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
			    (off_t)what);

	need(memory != MAP_FAILED, "mmap");
	return memory;
}

static struct ring ring_open(void)
{
	struct io_uring_params is = { 0 };
	struct ring ring;
	char *sq, *cq;

	ring.fd = (int)syscall(SYS_io_uring_setup, 1, &is);
	need(ring.fd >= 0, "io_uring_setup");
	sq = shared(ring.fd, is.sq_off.array + sizeof(unsigned), IORING_OFF_SQ_RING);
	cq = shared(ring.fd, is.cq_off.cqes + is.cq_entries * sizeof(struct io_uring_cqe),
		    IORING_OFF_CQ_RING);
	ring.entry = shared(ring.fd, sizeof(*ring.entry), IORING_OFF_SQES);
	ring.sq_tail = (void *)(sq + is.sq_off.tail);
	ring.sq_index = (void *)(sq + is.sq_off.array);
	ring.cq_head = (void *)(cq + is.cq_off.head);
	ring.done = (void *)(cq + is.cq_off.cqes);
	need(is.sq_entries == 1, "a ring of one entry");
	return ring;
}

/* Reads by it, and waits until that is done. */
static int ring_read(struct ring *ring, int fd, void *room, unsigned size)
{
	unsigned head = *ring->cq_head;

	*ring->entry = (struct io_uring_sqe){ .opcode = IORING_OP_READ,
					      .fd = fd,
					      .addr = (unsigned long)room,
					      .len = size,
					      .off = (__u64)-1 };
	*ring->sq_index = 0;
	__atomic_store_n(ring->sq_tail, *ring->sq_tail + 1, __ATOMIC_RELEASE);
	need(syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1,
	     "io_uring_enter");
	__atomic_store_n(ring->cq_head, head + 1, __ATOMIC_RELEASE);
	return ring->done[head % 2].res; /* it has twice as many of what is done */
}

/* Whatever is to be read: the ring does not say. */
static long long uring_pipe(const char *scratch)
{
	struct ring ring = ring_open();
	long long before;
	int ends[2];
	char byte;

	need(!pipe(ends), "pipe");
	helper(feed, ends[1]);
	before = off_cpu_ns();
	need(ring_read(&ring, ends[0], &byte, 1) == 1, "IORING_OP_READ");
	return off_cpu_ns() - before;
}

static long long uring_disk(const char *scratch)
{
	int fd = cold_file(scratch, O_RDONLY | O_DIRECT);
	void *room = aligned_alloc(4096, COLD_STEP);
	struct ring ring = ring_open();
	long long before = off_cpu_ns();

	while (off_cpu_ns() - before < WAIT_MS * NS_PER_MS)
		need(ring_read(&ring, fd, room, COLD_STEP) == (int)COLD_STEP, "IORING_OP_READ");
	return off_cpu_ns() - before;
}

static long long aio_disk(const char *scratch)
{
	int fd = cold_file(scratch, O_RDONLY | O_DIRECT);
	struct iocb asked = { .aio_lio_opcode = IOCB_CMD_PREAD,
			      .aio_fildes = (__u32)fd,
			      .aio_buf = (unsigned long)aligned_alloc(4096, COLD_STEP),
			      .aio_nbytes = COLD_STEP };
	struct iocb *list[] = { &asked };
	aio_context_t context = 0;
	struct io_event done;
	long long before;

	need(!syscall(SYS_io_setup, 1, &context), "io_setup");
	before = off_cpu_ns();
	for (; off_cpu_ns() - before < WAIT_MS * NS_PER_MS; asked.aio_offset += COLD_STEP) {
		need(syscall(SYS_io_submit, context, 1, list) == 1, "io_submit");
		need(syscall(SYS_io_getevents, context, 1, 1, &done, NULL) == 1 &&
			     done.res == (long)COLD_STEP,
		     "io_getevents");
	}
	return off_cpu_ns() - before;
}

static const struct way ways[] = {
	{ "uring_pipe", "disk", uring_pipe },
	{ "uring_disk", "disk", uring_disk },
	{ "aio_disk", "disk", aio_disk },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

int main(int argc, char **argv)
{
	return waited_main(argc, argv, ways, WAYS, 2);
}
