/* SPDX-License-Identifier: Apache-2.0 */
#include "simulated_agent.h"

#include <inttypes.h>
#include <stdio.h>

/* Fields of Batch. */
enum {
	HOSTS = 10,
	RUNS = 12,
	TASKS = 13,
	EXECUTIONS = 14,
	SAMPLES = 15,
	HOST_SAMPLES = 16,
	SCANS = 19
};

#define CPUS      UINT64_C(64)
#define MEMORY    (UINT64_C(256) << 30)
#define SUCCEEDED "succeeded"
#define PIPELINES 20
#define USERS     10

static const char *const TOOLS[] = {
	"bwa mem",
	"samtools sort",
	"samtools index",
	"bcftools call",
	"gatk",
	"fastqc",
	"bash",
	"awk",
	"grep",
	"sed",
	"python3 report",
	"gzip",
	"sort",
	"cut",
	"cat",
	"mkdir",
	"rm",
	"mv",
	"bedtools intersect",
	"multiqc",
};

void simulated_id(char id[SIMULATED_ID], const char *kind, uint64_t a, uint64_t b)
{
	snprintf(id, SIMULATED_ID, "%08" PRIx32 "-%.4s-8000-8000-%012" PRIx64, (uint32_t)a, kind,
		 b & 0xffffffffffff);
}

void simulated_header(struct buffer *out, unsigned agent, uint64_t sequence, int64_t created_at)
{
	struct record record = { 0 };
	char id[SIMULATED_ID];

	simulated_id(id, "a9e7", agent, 1);
	record_text(&record, 1, id);
	simulated_id(id, "0057", agent, 2);
	record_text(&record, 2, id);
	simulated_id(id, "b007", agent, 3);
	record_text(&record, 3, id);
	record_number(&record, 4, sequence);
	record_number(&record, 5, (uint64_t)created_at);
	buffer_append(out, record.bytes, record.len);
}

void simulated_host(struct buffer *out, unsigned agent, int64_t seen_at, int64_t booted_at)
{
	struct record record = { 0 };
	char name[32];

	snprintf(name, sizeof(name), "node-%05u", agent);
	record_text(&record, 1, name);
	record_text(&record, 2, "6.12.0");
	record_text(&record, 3, "x86_64");
	record_number(&record, 5, CPUS);
	record_number(&record, 6, MEMORY);
	record_number(&record, 7, (uint64_t)booted_at);
	record_number(&record, 8, (uint64_t)seen_at);
	record_text(&record, 10, "aws");
	record_text(&record, 13, "m7i.16xlarge");
	record_number(&record, 15, (uint64_t)booted_at);
	record_end(&record, HOSTS, out);
	record_number(&record, 1, (uint64_t)seen_at);
	record_end(&record, SCANS, out);
}

void simulated_host_sample(struct buffer *out, int64_t since_at, int64_t until_at, unsigned busy)
{
	uint64_t lasted = (uint64_t)(until_at - since_at), mix = (uint64_t)since_at / 1000000007;
	struct record record = { 0 };

	record_number(&record, 1, (uint64_t)since_at);
	record_number(&record, 2, (uint64_t)until_at);
	record_number(&record, 3, lasted * busy + mix % 1000000);
	record_number(&record, 4, lasted / 50 + mix % 777777);
	record_number(&record, 5, mix % 20000000);
	record_number(&record, 7, lasted * (CPUS - 1 - busy % (CPUS - 1)));
	record_number(&record, 8, lasted * busy);
	record_number(&record, 9, MEMORY / 64 * (busy % 48 + 1) + mix % 4096 * 4096);
	record_number(&record, 10, MEMORY / 64 * (60 - busy % 48));
	record_number(&record, 12, busy * (mix % 5000) * 4096);
	record_number(&record, 13, busy * (mix % 3000) * 4096);
	record_number(&record, 14, busy * (mix % 5000));
	record_number(&record, 15, busy * (mix % 3000));
	record_number(&record, 16, mix % lasted);
	record_number(&record, 17, mix % 100000);
	record_number(&record, 18, mix % 50000);
	record_number(&record, 22, busy);
	record_number(&record, 23, 2000000 + mix % 1000000);
	record_number(&record, 24, 21 << 20);
	record_number(&record, 25, 30 << 20);
	record_number(&record, 26, 8 << 20);
	record_number(&record, 27, mix % 65536);
	record_end(&record, HOST_SAMPLES, out);
}

static void put_key(struct record *record, const struct simulated_process *process)
{
	record_number(record, 1, process->pid);
	record_number(record, 2, process->start_ns);
	record_number(record, 3, process->image_seq);
}

static const char *status_of(const struct simulated_process *process)
{
	if (!process->ended_at)
		return "running";
	return process->failed ? "failed" : SUCCEEDED;
}

void simulated_execution(struct buffer *out, const struct simulated_process *process)
{
	const char *tool = TOOLS[process->tool % (sizeof(TOOLS) / sizeof(TOOLS[0]))];
	struct record record = { 0 };
	char path[96];

	put_key(&record, process);
	record_number(&record, 4, 999);
	record_number(&record, 6, (uint64_t)process->started_at);
	record_number(&record, 7, (uint64_t)process->ended_at);
	if (process->ended_at)
		record_number(&record, 8, (uint64_t)(process->ended_at - process->started_at));
	record_text(&record, 9, status_of(process));
	record_number(&record, 10, process->failed);
	record_text(&record, 12, tool);
	record_text(&record, 13, "/usr/bin/tool");
	record_text(&record, 14, tool);
	record_text(&record, 14, "-t");
	record_text(&record, 14, "4");
	snprintf(path, sizeof(path), "/data/in/%" PRIu64 ".bam", process->image_seq);
	record_text(&record, 14, path);
	record_text(&record, 16, "/data/run");
	record_number(&record, 17, 1000);
	record_number(&record, 18, 7);
	record_text(&record, 21, process->run_id);
	record_text(&record, 22, process->task_id);
	record_number(&record, 23, 1);
	record_figures(&record, 24, process->figures, process->chance, process->sample);
	record_text(&record, 27, "tool");
	record_end(&record, EXECUTIONS, out);
}

void simulated_sample(struct buffer *out, const struct simulated_process *process, int64_t since_at,
		      int64_t until_at)
{
	struct record record;

	record.len = 0;
	put_key(&record, process);
	record_bytes(&record, 4, process->run_id, SIMULATED_ID - 1);
	record_bytes(&record, 5, process->task_id, SIMULATED_ID - 1);
	record_number(&record, 6, (uint64_t)since_at);
	record_number(&record, 7, (uint64_t)until_at);
	record_figures(&record, 8, process->figures, process->chance, process->sample);
	record_end(&record, SAMPLES, out);
}

void simulated_task(struct buffer *out, const struct simulated_task *task)
{
	struct record record = { 0 };
	char text[48];

	record_text(&record, 1, task->task_id);
	record_text(&record, 2, task->run_id);
	snprintf(text, sizeof(text), "step_%u", task->number % task->steps);
	record_text(&record, 3, text);
	snprintf(text, sizeof(text), "task %u", task->number);
	record_text(&record, 4, text);
	snprintf(text, sizeof(text), "sample_%u", task->number / task->steps);
	record_text(&record, 5, text);
	record_text(&record, 6, task->ended_at ? SUCCEEDED : "running");
	record_number(&record, 7, task->pid);
	record_number(&record, 8, task->start_ns);
	record_number(&record, 11, (uint64_t)task->started_at);
	record_number(&record, 12, (uint64_t)task->ended_at);
	record_number(&record, 13, 7);
	record_number(&record, 15, UINT64_C(16) << 30);
	record_text(&record, 16, "snakemake");
	record_end(&record, TASKS, out);
}

void simulated_run(struct buffer *out, const char *run_id, unsigned number, int64_t started_at,
		   int64_t ended_at)
{
	struct record record = { 0 };
	char text[48];

	record_text(&record, 1, run_id);
	snprintf(text, sizeof(text), "run %u", number);
	record_text(&record, 2, text);
	snprintf(text, sizeof(text), "pipeline_%u", number % PIPELINES);
	record_text(&record, 3, text);
	record_text(&record, 4, "snakemake");
	record_text(&record, 5, ended_at ? SUCCEEDED : "running");
	record_number(&record, 6, 999);
	record_number(&record, 8, 1000 + number % USERS);
	snprintf(text, sizeof(text), "user_%u", number % USERS);
	record_text(&record, 9, text);
	record_text(&record, 10, "/data/run");
	record_text(&record, 11, "snakemake --cores 64 all");
	record_number(&record, 14, (uint64_t)started_at);
	record_number(&record, 15, (uint64_t)ended_at);
	record_number(&record, 18, 64);
	record_end(&record, RUNS, out);
}
