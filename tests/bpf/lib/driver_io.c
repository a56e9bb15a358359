/* SPDX-License-Identifier: Apache-2.0 */
/* A process with known requests to a block device: see driver.c. */
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <time.h>

#include "driver.h"

#define THREADS 4

static const char *device;

static int open_direct(int flags)
{
	int fd = open(device, flags | O_DIRECT | O_CLOEXEC);

	need(fd >= 0, device);
	return fd;
}

/* COUNT requests of BYTES each, one after another. */
static void move(unsigned long count, unsigned long bytes, bool writes)
{
	int fd = open_direct(writes ? O_WRONLY : O_RDONLY);
	void *room;

	need(posix_memalign(&room, 4096, bytes) == 0, "posix_memalign");
	memset(room, 1, bytes);
	for (unsigned long i = 0; i < count; i++) {
		off_t at = (off_t)(i * bytes);
		ssize_t n = writes ? pwrite(fd, room, bytes, at) : pread(fd, room, bytes, at);

		need(n == (ssize_t)bytes, writes ? "pwrite" : "pread");
	}
	free(room);
	close(fd);
}

static void *read_some(void *count)
{
	move(*(unsigned long *)count, 4096, false);
	return NULL;
}

static void read_by_threads(unsigned long count)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		need(pthread_create(&threads[i], NULL, read_some, &count) == 0, "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void flush(unsigned long count)
{
	int fd = open_direct(O_WRONLY);

	while (count--)
		need(fsync(fd) == 0, "fsync");
	close(fd);
}

/* The first bytes of the device. */
static void discard(uint64_t bytes)
{
	uint64_t range[2] = { 0, bytes };
	int fd = open_direct(O_WRONLY);

	need(ioctl(fd, BLKDISCARD, range) == 0, "BLKDISCARD");
	close(fd);
}

/* Into the page cache: the kernel decides when to write it back. */
static void write_lazily(unsigned long bytes)
{
	static char room[4096];
	int fd = open(device, O_WRONLY | O_CLOEXEC);

	need(fd >= 0, device);
	for (unsigned long done = 0; done < bytes; done += sizeof(room))
		need(write(fd, room, sizeof(room)) == sizeof(room), "write");
	/* The last close of a block device writes everything back: the test has it open, so its
	 * close does that.
	 */
}

/* Execs itself for the remaining steps. */
static void become(char **arguments, char **rest)
{
	char *argv[64] = { arguments[-2], arguments[-1], arguments[0] };

	for (int i = 0; i < 60 && rest[i]; i++)
		argv[3 + i] = rest[i];
	execv("/proc/self/exe", argv);
	need(0, "execv");
}

static void use(char letter, unsigned long count, unsigned long bytes)
{
	switch (letter) {
	case 'r':
	case 'w':
		move(count, bytes, letter == 'w');
		break;
	case 't': /* reads so many of 4096 bytes in each of four threads */
		read_by_threads(count);
		break;
	case 'f':
		flush(count);
		break;
	case 'd':
		discard(bytes);
		break;
	case 'b':
		write_lazily(bytes);
		break;
	case 's': /* so many milliseconds later */
		nanosleep(&(struct timespec){ (time_t)(count / 1000),
					      (long)(count % 1000) * 1000000 },
			  NULL);
		break;
	}
}

/* disk DEVICE LETTER COUNT BYTES …: step by step; see use(). x: the rest as another image */
int disk(char **arguments)
{
	device = arguments[0];
	for (char **step = arguments + 1; step[0] && step[1] && step[2]; step += 3) {
		if (step[0][0] == 'x')
			become(arguments, step + 3);
		use(step[0][0], number(step[1]), number(step[2]));
	}
	return 0;
}
