/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/process/process.h"

/*
 * The sentences of failures, and what is kept to say them. Pure: no clock, no files, no globals.
 */
#define FAILURE_PATH 512

struct failure { /* texts in kill and attempt are those below */
	struct probe_kill kill;
	struct probe_attempt attempt; /* error 0: none */
	char comm[16];
	char path[FAILURE_PATH];
};

/* An event in the making. */
struct failure_event {
	const char *kind, *sender;
	uint32_t sender_pid, sender_uid;
	int code;
	char words[640];  /* what happened, a predicate */
	char cause[832];  /* behind "after 3 s" */
	char detail[128]; /* that in short */
	char path[FAILURE_PATH];
	uint64_t limit_bytes, used_bytes;
};

/* "samtools sort (pid 12, task call of sample s3)". Returns text. */
const char *failure_words_process(const struct process *process, char *text, size_t size);
/* Fill words and detail. kill NULL: who sent it was not seen. */
void failure_words_signal(const struct process *process, const struct probe_kill *kill,
			  struct failure_event *event);
/* Of an exit code. kill: what it answered by it; NULL: nothing. */
void failure_words_exit(const struct process *process, const struct probe_kill *kill,
			struct failure_event *event);
/* With path, limit_bytes and sender as they are in event. */
void failure_words_oom(const struct process *process, const struct probe_kill *kill,
		       struct failure_event *event);
/* attempt NULL: only the exit code says so. */
void failure_words_exec(const struct process *process, const struct probe_attempt *attempt,
			struct failure_event *event);
