/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "signal/batch.h"

static const struct {
	char *tool, *task;
	uint32_t pid, ppid;
	int begin_s, end_s, user_s, exit_code;
	uint64_t peak_mib;
	char *version;
} PROCESSES[EXAMPLE_EXECUTIONS] = {
	{ "snakemake", "", 100, 1, 0, 600, 6, 0, 80, "" },
	{ "bwa mem", "task-a", 110, 100, 10, 210, 300, 0, 900, "" },
	{ "samtools sort", "task-a", 111, 110, 10, 210, 40, 0, 300, "1.18" },
	{ "bwa mem", "task-b", 120, 100, 210, 410, 320, 0, 950, "0.7.17" },
	{ "samtools sort", "task-b", 121, 120, 210, 410, 44, 0, 310, "1.17" },
	{ "bcftools call", "task-c", 130, 100, 410, 590, 150, 3, 120, "" },
};

static char *const TASKS[EXAMPLE_TASKS][3] = {
	{ "task-a", "align", "A" },
	{ "task-b", "align", "B" },
	{ "task-c", "call", "" },
};

static char ARGV[] = "--threads=2";
static char *ARGS[] = { ARGV };

static void make_host(struct example *example)
{
	Signal__Host *host = &example->host;

	signal__host__init(host);
	host->hostname = "node-1";
	host->kernel = "6.1.0";
	host->arch = "x86_64";
	host->os = "Debian GNU/Linux 12";
	host->cpus = 4;
	host->memory_bytes = 16ULL << 30;
	host->booted_at = example->began_at - 600 * NS_PER_S;
	host->seen_at = clock_real_ns();
	host->agent_version = TRACER_VERSION;
	host->price_usd_hour = 0.4;
	host->agent_started_at = example->began_at - 500 * NS_PER_S;
	example->hosts[0] = host;
	example->batch.hosts = example->hosts;
	example->batch.n_hosts = 1;
}

static void make_run(struct example *example, char *run_id, char *name)
{
	Signal__Run *run = &example->run;

	signal__run__init(run);
	signal__label__init(&example->label);
	example->label.key = "team";
	example->label.value = "genomics";
	example->labels[0] = &example->label;
	run->run_id = run_id;
	run->name = name;
	run->pipeline = "variants";
	run->engine = "snakemake";
	run->status = "failed";
	run->pid = 100;
	run->start_ns = 1000;
	run->user = "ada";
	run->cwd = "/data/run";
	run->command = "snakemake --cores 4";
	run->exit_code = 1;
	run->started_at = example->began_at;
	run->ended_at = example->began_at + EXAMPLE_WALL_S * NS_PER_S;
	run->labels = example->labels;
	run->n_labels = 1;
	example->runs[0] = run;
	example->batch.runs = example->runs;
	example->batch.n_runs = 1;
}

static void make_tasks(struct example *example)
{
	for (int i = 0; i < EXAMPLE_TASKS; i++) {
		Signal__Task *task = &example->tasks[i];
		int first = 1 + 2 * i;

		signal__task__init(task);
		task->task_id = TASKS[i][0];
		task->run_id = EXAMPLE_RUN;
		task->step = TASKS[i][1];
		task->name = TASKS[i][0];
		task->sample = TASKS[i][2];
		task->status = PROCESSES[first].exit_code ? "failed" : "succeeded";
		task->exit_code = PROCESSES[first].exit_code;
		task->pid = PROCESSES[first].pid;
		task->start_ns = PROCESSES[first].pid * 1000ULL;
		task->started_at = example->began_at + PROCESSES[first].begin_s * NS_PER_S;
		task->ended_at = example->began_at + PROCESSES[first].end_s * NS_PER_S;
		task->cpus_requested = 4;
		task->memory_requested_bytes = 12ULL << 30;
		task->requested_by = "tracer run";
		example->task_list[i] = task;
	}
	example->batch.tasks = example->task_list;
	example->batch.n_tasks = EXAMPLE_TASKS;
}

static void make_figures(Signal__Figures *figures, int process)
{
	signal__figures__init(figures);
	figures->user_ns = (uint64_t)PROCESSES[process].user_s * NS_PER_S;
	figures->kernel_ns = (uint64_t)PROCESSES[process].user_s * NS_PER_S / 10;
	figures->read_chars_bytes = 1000000;
	figures->write_chars_bytes = 500000;
	figures->rss_peak_bytes = PROCESSES[process].peak_mib << 20;
	figures->threads_peak = 4;
}

static void make_execution(struct example *example, int i)
{
	Signal__Execution *execution = &example->executions[i];

	signal__execution__init(execution);
	execution->pid = PROCESSES[i].pid;
	execution->start_ns = PROCESSES[i].pid * 1000ULL;
	execution->image_seq = 7 + (uint64_t)i;
	execution->ppid = PROCESSES[i].ppid;
	execution->started_at = example->began_at + PROCESSES[i].begin_s * NS_PER_S;
	execution->ended_at = example->began_at + PROCESSES[i].end_s * NS_PER_S;
	execution->wall_ns = (uint64_t)(execution->ended_at - execution->started_at);
	execution->status = PROCESSES[i].exit_code ? "failed" : "succeeded";
	execution->exit_code = PROCESSES[i].exit_code;
	execution->tool = PROCESSES[i].tool;
	execution->exe = "/usr/bin/tool";
	execution->version = PROCESSES[i].version;
	execution->argv = ARGS;
	execution->n_argv = 1;
	execution->cwd = "/data/run";
	execution->run_id = EXAMPLE_RUN;
	execution->task_id = PROCESSES[i].task;
	execution->peak_exact = 1;
	make_figures(&example->figures[i], i);
	execution->figures = &example->figures[i];
	example->execution_list[i] = execution;
}

/* Of the two processes of task-a, four intervals of 50 s each. */
static void make_sample(struct example *example, int i)
{
	Signal__Sample *sample = &example->samples[i];
	Signal__Figures *figures = &example->figures[EXAMPLE_EXECUTIONS + i];
	int process = 1 + i % 2;

	signal__sample__init(sample);
	signal__figures__init(figures);
	sample->pid = PROCESSES[process].pid;
	sample->start_ns = PROCESSES[process].pid * 1000ULL;
	sample->image_seq = 7 + (uint64_t)process;
	sample->run_id = EXAMPLE_RUN;
	sample->task_id = "task-a";
	sample->since_at = example->began_at + (10 + 50 * (i / 2)) * NS_PER_S;
	sample->until_at = sample->since_at + 50 * NS_PER_S;
	figures->user_ns = (uint64_t)PROCESSES[process].user_s * NS_PER_S / 4;
	figures->rss_bytes = (PROCESSES[process].peak_mib << 20) / 2;
	figures->rss_peak_bytes = PROCESSES[process].peak_mib << 20;
	sample->figures = figures;
	example->sample_list[i] = sample;
}

static void make_host_sample(struct example *example, int i)
{
	Signal__HostSample *sample = &example->host_samples[i];

	signal__host_sample__init(sample);
	sample->since_at = example->began_at + 300 * i * NS_PER_S;
	sample->until_at = sample->since_at + 300 * NS_PER_S;
	sample->cpu_user_ns = 400 * NS_PER_S;
	sample->cpu_idle_ns = 800 * NS_PER_S;
	sample->cpu_tracked_ns = 390 * NS_PER_S;
	sample->memory_used_bytes = 3ULL << 30;
	sample->memory_available_bytes = 13ULL << 30;
	example->host_sample_list[i] = sample;
}

/* bwa of task-a fetched something, and spoke with itself. */
static void make_network(struct example *example, int i)
{
	Signal__Network *network = &example->networks[i];

	signal__network__init(network);
	network->pid = PROCESSES[1].pid;
	network->start_ns = PROCESSES[1].pid * 1000ULL;
	network->image_seq = 8;
	network->run_id = EXAMPLE_RUN;
	network->task_id = "task-a";
	network->family = "inet";
	network->protocol = "tcp";
	network->loopback = i == 1;
	network->rx_bytes = i ? 10 : 123456789;
	network->rx_calls = 7;
	network->connects = 2;
	network->connect_ns = 3000000;
	network->peer = i ? "" : "192.0.2.7:443";
	example->network_list[i] = network;
}

static void make_io(struct example *example)
{
	Signal__IoLatency *io = &example->io;

	signal__io_latency__init(io);
	io->pid = PROCESSES[1].pid;
	io->start_ns = PROCESSES[1].pid * 1000ULL;
	io->image_seq = 8;
	io->run_id = EXAMPLE_RUN;
	io->task_id = "task-a";
	io->device = "vda";
	io->operation = "read";
	io->requests = 100;
	io->bytes = 409600;
	io->latency_ns = 25600000;
	example->latencies[8] = 98; /* 128 to 256 µs */
	example->latencies[12] = 2; /* 2 to 4 ms */
	io->n_latencies = 24;
	io->latencies = example->latencies;
	example->ios[0] = io;
	example->batch.io_latencies = example->ios;
	example->batch.n_io_latencies = 1;
}

static void make_event_and_loss(struct example *example)
{
	signal__event__init(&example->event);
	example->event.happened_at = example->began_at + 590 * NS_PER_S;
	example->event.kind = "exit_failed";
	example->event.pid = 130;
	example->event.start_ns = 130000;
	example->event.run_id = EXAMPLE_RUN;
	example->event.task_id = "task-c";
	example->event.summary = "bcftools call exited with 3";
	example->events[0] = &example->event;
	example->batch.events = example->events;
	example->batch.n_events = 1;
	signal__loss__init(&example->loss);
	example->loss.what = "samples";
	example->loss.count = 5;
	example->loss.since_at = example->began_at + 100 * NS_PER_S;
	example->loss.until_at = example->began_at + 101 * NS_PER_S;
	example->loss.why = "ring full";
	example->losses[0] = &example->loss;
	example->batch.losses = example->losses;
	example->batch.n_losses = 1;
}

static void begin(struct example *example, uint64_t sequence)
{
	memset(example, 0, sizeof(*example));
	example->began_at = clock_real_ns() - (EXAMPLE_WALL_S + 60) * NS_PER_S;
	signal__batch__init(&example->batch);
	example->batch.agent_id = EXAMPLE_AGENT;
	example->batch.host_id = EXAMPLE_HOST;
	example->batch.boot_id = EXAMPLE_BOOT;
	example->batch.sequence = sequence;
	example->batch.created_at = clock_real_ns();
}

void example_make(struct example *example, uint64_t sequence)
{
	begin(example, sequence);
	make_host(example);
	make_run(example, EXAMPLE_RUN, "demo");
	make_tasks(example);
	for (int i = 0; i < EXAMPLE_EXECUTIONS; i++)
		make_execution(example, i);
	example->batch.executions = example->execution_list;
	example->batch.n_executions = EXAMPLE_EXECUTIONS;
	for (int i = 0; i < EXAMPLE_SAMPLES; i++)
		make_sample(example, i);
	example->batch.samples = example->sample_list;
	example->batch.n_samples = EXAMPLE_SAMPLES;
	for (int i = 0; i < 2; i++)
		make_host_sample(example, i);
	example->batch.host_samples = example->host_sample_list;
	example->batch.n_host_samples = 2;
	for (int i = 0; i < 2; i++)
		make_network(example, i);
	example->batch.networks = example->network_list;
	example->batch.n_networks = 2;
	make_io(example);
	make_event_and_loss(example);
}

void example_run_only(struct example *example, uint64_t sequence, char *run_id, char *name)
{
	begin(example, sequence);
	make_run(example, run_id, name);
}

int example_post_scan(const struct lake *lake, uint64_t sequence)
{
	Signal__Scan scan = SIGNAL__SCAN__INIT, *scans[] = { &scan };
	struct example example;

	begin(&example, sequence);
	scan.scanned_at = example.batch.created_at;
	example.batch.scans = scans;
	example.batch.n_scans = 1;
	return example_post(lake, &example, NULL);
}

int example_post(const struct lake *lake, const struct example *example, _Bool *ret_duplicate)
{
	bool bound = strcmp(example->batch.host_id, EXAMPLE_HOST) == 0;

	return example_post_with(lake, bound ? lake->ingest : lake->admin, example, ret_duplicate);
}

int example_post_with(const struct lake *lake, const char *token, const struct example *example,
		      _Bool *ret_duplicate)
{
	struct buffer packed;
	struct answer answer;
	int status;

	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&example->batch, &packed), 0);
	lake_ask(lake, "POST", "/api/v1/ingest", token,
		 "Content-Type: application/x-protobuf\r\nContent-Encoding: zstd\r\n", packed.data,
		 packed.len, &answer);
	if (ret_duplicate)
		*ret_duplicate =
			answer.status == 200 && strstr(answer.body.data, "\"duplicate\":true");
	status = answer.status;
	answer_clear(&answer);
	buffer_clear(&packed);
	return status;
}

int example_serve(struct lake *lake, const struct example *example)
{
	struct example whole;

	if (!example)
		example_make(&whole, 1);
	lake_make(lake);
	lake_start(lake, NULL);
	return example_post(lake, example ? example : &whole, NULL) != 200;
}
