/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * Reads files that a task named in a process of its own: the task's file system may not answer (NFS
 * without its server, a FUSE program that stopped), and a read from it cannot be taken back.
 * openat2() with RESOLVE_CACHED is not enough: it bounds the lookup, not open() and read() of a
 * FUSE file. The process is a fork of the agent, made at the first question, with none of its
 * descriptors; one that gave no answer in time is killed, and another is made for the next
 * question.
 */
#define FILE_HELPER_ANSWER_MS   250 /* then the question is given up */
#define FILE_HELPER_QUESTION    8192
#define FILE_HELPER_ANSWER      20480
#define FILE_HELPER_PLACES      8     /* that gave no answer; of more, the oldest is asked again */
#define FILE_HELPER_PAUSE_MS    10000 /* before such a place is asked again; then twice as long */
#define FILE_HELPER_PAUSES_MS   600000
#define FILE_HELPER_GOING_LIMIT 4 /* killed and not gone yet; then nothing is asked */

struct file_helper;

/* Runs in that process. about: a copy of the question's. Returns 0 or -errno; answer has size bytes
 * and is zero before; *ret_fd: a descriptor that the asker gets, -1: none. */
typedef int file_helper_read(const void *about, int folder, void *answer, size_t size, int *ret_fd);

struct file_helper_question {
	file_helper_read *read;
	const void *about; /* no pointers within: it is copied */
	size_t len;        /* at most FILE_HELPER_QUESTION */
	int folder;        /* passed to read; -1: none */
	uint64_t place;    /* file_helper_place() */
};

struct file_helper *file_helper_new(void);         /* NULL: no memory */
void file_helper_free(struct file_helper *helper); /* NULL is fine; does not wait */
/* What read returned, its answer in answer[0, size). -ETIMEDOUT: nothing in time; -EAGAIN: the
 * place gave no answer lately and is not asked; others: no process. ret_fd may be NULL. */
int file_helper_ask(struct file_helper *helper, const struct file_helper_question *question,
		    void *answer, size_t size, int *ret_fd);
/* The file system where a path probably is: its first two folders, as a number. */
uint64_t file_helper_place(const char *path);
