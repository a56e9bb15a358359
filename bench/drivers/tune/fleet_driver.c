/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machines by tune/recommend, for bench/recommend.sh. Reads lines of fields separated by tabs:
 *
 *     task RUN STARTED ENDED QUEUED CPUS MEMORY TIMES
 *     machine TYPE CPUS MEMORY USD_HOUR INTERRUPTED
 *     recommend WITHIN_S HEADROOM
 *     place CPUS MEMORY HOSTS
 *     forget
 *
 * Instants are in seconds, memory in bytes; TIMES: by what the time of a task is multiplied. The
 * tasks of a run follow each other. "recommend" is answered by the machine that is chosen of those
 * that were named: TYPE, HOSTS, wall seconds, USD (the cheapest in time; 0: whenever), or "-";
 * "place" by wall seconds, seconds of hosts, how often one was started, the most at once, and the
 * most memory of one; or "-", where a task does not fit. Memory of "place" is what tasks may have.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/recommend/place_fleet.h"
#include "tune/recommend/recommend.h"

#define ROWS_MAX   100000
#define FIELDS_MAX 16
#define NS         1e9
#define START_NS   120e9
#define IDLE_NS    60e9

static struct replay_task tasks[ROWS_MAX];
static double times[ROWS_MAX];
static struct replay_run runs[ROWS_MAX];
static struct recommend_machine machines[ROWS_MAX];
static struct recommend_offer offers[ROWS_MAX];
static size_t task_count, run_count, machine_count;
static char last_run[256];

static void fail(const char *what)
{
	fprintf(stderr, "fleet_driver: %s\n", what);
	exit(1);
}

static void add_run(const char *name, int64_t began_at)
{
	snprintf(last_run, sizeof(last_run), "%s", name);
	runs[run_count++] = (struct replay_run){ .status = "succeeded",
						 .began_at = began_at,
						 .tasks = &tasks[task_count],
						 .complete = true,
						 .engine = { .name = "nextflow", .command = "" },
						 .hosts = 2 };
}

static void add_task(char **fields)
{
	int64_t began = (int64_t)(strtod(fields[2], NULL) * NS);
	int64_t ended = (int64_t)(strtod(fields[3], NULL) * NS);
	int64_t queued = (int64_t)(strtod(fields[4], NULL) * NS);
	struct replay_run *run;

	if (task_count == ROWS_MAX)
		fail("too many tasks");
	if (!run_count || strcmp(last_run, fields[1]) != 0)
		add_run(fields[1], queued);
	run = &runs[run_count - 1];
	run->task_count++;
	run->began_at = queued < run->began_at ? queued : run->began_at;
	run->ended_at = ended > run->ended_at ? ended : run->ended_at;
	times[task_count] = strtod(fields[7], NULL);
	tasks[task_count++] = (struct replay_task){
		.id = "",
		.step = "",
		.name = "",
		.started_at = began,
		.ended_at = ended,
		.queued_at = queued,
		.slots = 1,
		.cpus_requested = strtod(fields[5], NULL),
		.memory_requested_bytes = strtod(fields[6], NULL),
	};
}

static void add_machine(char **fields)
{
	if (machine_count == ROWS_MAX)
		fail("too many machines");
	machines[machine_count] = (struct recommend_machine){
		.provider = "",
		.type = strdup(fields[1]),
		.family = "",
		.arch = "",
		.cpus = strtod(fields[2], NULL),
		.memory_bytes = strtod(fields[3], NULL),
	};
	offers[machine_count] = (struct recommend_offer){ .machine = machine_count,
							  .region = "",
							  .purchase = "spot",
							  .usd_hour = strtod(fields[4], NULL),
							  .exact = true,
							  .taken_back = true,
							  .interrupted = strtod(fields[5], NULL),
							  .interruption = "" };
	machine_count++;
}

static void recommend(char **fields)
{
	const struct recommend_ask ask = {
		.measured = { .provider = "", .type = "", .family = "", .arch = "" },
		.region = "",
		.within_ns = strtod(fields[1], NULL) * NS,
		.input_bytes = -1,
		.limit = 1000,
	};
	enum recommend_mark wanted = ask.within_ns > 0 ? RECOMMEND_IN_TIME : RECOMMEND_CHEAPEST;
	struct place_fleet place;
	struct placeable work;
	struct recommendation found = { 0 };
	const char *answer = "-";

	if (place_fleet_make(&place, runs, run_count, strtod(fields[2], NULL)))
		fail("no memory");
	work = place_fleet_placeable(&place);
	if (recommend_find(&work, &ask, machines, machine_count, offers, machine_count, &found))
		fail("no memory");
	for (size_t i = 0; i < found.count; i++) {
		const struct recommend_candidate *candidate = &found.candidates[i];

		if (!(candidate->marks & 1u << wanted))
			continue;
		answer = NULL;
		printf("%s\t%zu\t%.9g\t%.9g\n", machines[offers[candidate->offer].machine].type,
		       candidate->hosts, candidate->wall_ns.likely / NS, candidate->usd.likely);
	}
	if (answer)
		puts(answer);
	recommendation_clear(&found);
	place_fleet_clear(&place);
}

static double wall_of(const struct fleet_work *work, const struct fleet_times *found)
{
	double last = 0;

	for (size_t i = 0; i < work->plan.task_count; i++)
		last = fmax(last, found->ends[i]);
	return last;
}

static void place(char **fields)
{
	const struct fleet_hosts hosts = { .cpus = strtod(fields[1], NULL),
					   .memory_bytes = strtod(fields[2], NULL),
					   .most = strtoul(fields[3], NULL, 10),
					   .start_ns = START_NS,
					   .idle_ns = IDLE_NS };
	struct fleet_work work;
	struct fleet_times found = { 0 };
	int rc;

	if (fleet_work_make(&work, runs, run_count))
		fail("no memory");
	for (size_t i = 0; i < work.plan.task_count; i++) {
		const struct replay_task *task = work.sources[i].task;

		work.tasks[i].ns =
			times[task - tasks] * (double)(task->ended_at - task->started_at);
	}
	rc = fleet_schedule(&work.plan, &hosts, &found);
	if (rc)
		puts("-");
	else
		printf("%.9g\t%.9g\t%zu\t%zu\t%.0f\n", wall_of(&work, &found) / NS,
		       found.host_ns / NS, found.starts, found.most, found.memory_peak_bytes);
	fleet_times_clear(&found);
	fleet_work_clear(&work);
}

static void forget(char **fields)
{
	(void)fields;
	for (size_t i = 0; i < machine_count; i++)
		free((void *)machines[i].type);
	task_count = run_count = machine_count = 0;
	memset(runs, 0, sizeof(runs));
}

static const struct {
	const char *name;
	size_t fields;
	void (*run)(char **fields);
	int answers;
} commands[] = { { "task", 8, add_task, 0 },
		 { "machine", 6, add_machine, 0 },
		 { "recommend", 3, recommend, 1 },
		 { "place", 4, place, 1 },
		 { "forget", 1, forget, 0 } };

static void obey(char *line)
{
	char *fields[FIELDS_MAX];
	size_t found = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *rest = line; rest && found < FIELDS_MAX;)
		fields[found++] = strsep(&rest, "\t");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(fields[0], commands[i].name) == 0 && found == commands[i].fields) {
			commands[i].run(fields);
			if (commands[i].answers)
				fflush(stdout);
			return;
		}
	fail("a line that is no command");
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0)
		obey(line);
	free(line);
	forget(NULL);
	return 0;
}
