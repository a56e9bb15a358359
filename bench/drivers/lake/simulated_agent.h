/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "figures.h"
#include "wire.h"

/* Records of simulated agents, by the tags of signal.proto. Ids are made of numbers. */
#define SIMULATED_ID   37                   /* bytes of an id with its NUL */
#define SIMULATED_STEP UINT64_C(5000000000) /* ns between two samples */

/* "0000000a-KIND-8000-8000-00000000000b"; kind: four characters. */
void simulated_id(char id[SIMULATED_ID], const char *kind, uint64_t a, uint64_t b);
void simulated_header(struct buffer *out, unsigned agent, uint64_t sequence, int64_t created_at);
/* The host, which was booted a day before it is first seen, and a scan that finds nothing else. */
void simulated_host(struct buffer *out, unsigned agent, int64_t seen_at, int64_t booted_at);
void simulated_host_sample(struct buffer *out, int64_t since_at, int64_t until_at, unsigned busy);

struct simulated_process {
	uint32_t pid;
	uint64_t start_ns, image_seq; /* of the boot clock */
	const char *run_id, *task_id;
	int64_t started_at, ended_at; /* ended_at 0: it runs */
	unsigned tool;                /* counted around */
	bool failed;
	const struct figures *figures;
	uint64_t chance; /* a number of its own: other processes have other figures */
	uint64_t sample; /* number of its next sample, or of all that it had */
};

void simulated_execution(struct buffer *out, const struct simulated_process *process);
void simulated_sample(struct buffer *out, const struct simulated_process *process, int64_t since_at,
		      int64_t until_at);

struct simulated_task {
	const char *task_id, *run_id;
	unsigned number, steps; /* its step is number % steps */
	uint32_t pid;
	uint64_t start_ns;
	int64_t started_at, ended_at; /* ended_at 0: it runs */
};

void simulated_task(struct buffer *out, const struct simulated_task *task);
/* ended_at 0: it runs. number: of which its name, pipeline and user are made. */
void simulated_run(struct buffer *out, const char *run_id, unsigned number, int64_t started_at,
		   int64_t ended_at);
