/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers bench/expect: what src/tune/expect says of tasks that it gets as lines on its standard
 * input. Fields are parted by tabs; times are in seconds, sizes in bytes, below 0 is unknown:
 *
 *     task RUN ID STEP END STARTED WALL CPU MEMORY INPUT READ DISK_READ DISK_WRITTEN NETWORK
 *          COMPUTING_S DISK_WAIT_S NETWORK_WAIT_S CPU_WAIT_S CPUS_ASKED MEMORY_ASKED HOST TOOLS
 *     mark               what came so far stays at "back"
 *     back               what came since the mark is gone
 *     clear              all is gone
 *     usual RUN STEP     prints "unusual KIND TASK ABOVE VALUE LOW MEDIAN HIGH CONFIDENCE TASKS"
 * for each (TASK "-": the step), then "usual KNOWN RUNS MISSING NOTICEABLE" end RUN NOW prints
 * "task STEP ID KNOWN LOW MEDIAN HIGH PROGRESS" for each running task, "step STEP …" for each step
 * and "run RUN …"
 *
 * END: runs, ok, failed, memory, time, lost. After each answer a line "done".
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory/arena.h"
#include "tune/expect/remaining.h"
#include "tune/expect/usual.h"

#define TASKS_MOST 200000
#define STEPS_MOST 512
#define FIELDS     24
#define S          1e9

static struct step_task tasks[TASKS_MOST];
static size_t task_count, marked;
static struct arena texts;

static void fail(const char *what)
{
	fprintf(stderr, "expect_driver: %s\n", what);
	exit(1);
}

static const char *keep(const char *text)
{
	const char *kept = arena_text(&texts, text, strlen(text));
	if (!kept)
		fail("no memory");
	return kept;
}

static enum step_task_end end_of(const char *word)
{
	static const char *const words[STEP_TASK_ENDS] = { "runs",   "ok",   "failed",
							   "memory", "time", "lost" };
	for (size_t i = 0; i < STEP_TASK_ENDS; i++)
		if (strcmp(words[i], word) == 0)
			return (enum step_task_end)i;
	fail("an end that is not known");
	return STEP_TASK_LOST;
}

static double seconds(const char *text)
{
	double value = strtod(text, NULL);
	return value < 0 ? -1 : value * S;
}

static double bytes(const char *text)
{
	return strtod(text, NULL);
}

static void take_parts(struct step_task *task, char **field)
{
	static const enum wall_part parts[] = { WALL_COMPUTING, WALL_DISK, WALL_NETWORK,
						WALL_RUNNABLE };
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		task->parts[parts[i]] = bytes(field[i]) > 0 ? seconds(field[i]) : 0;
}

static void take_task(char **field, size_t count)
{
	struct step_task *task = &tasks[task_count++];

	if (count != 22 || task_count > TASKS_MOST)
		fail("a task of another shape, or too many");
	*task = (struct step_task){
		.run_id = keep(field[1]),
		.id = keep(field[2]),
		.step = keep(field[3]),
		.name = "",
		.attempt = 1,
		.end = end_of(field[4]),
		.started_at = (int64_t)seconds(field[5]),
		.wall_ns = seconds(field[6]),
		.cpu_ns = seconds(field[7]),
		.memory_peak_bytes = bytes(field[8]),
		.input_bytes = bytes(field[9]),
		.read_bytes = bytes(field[10]),
		.disk_read_bytes = bytes(field[11]),
		.disk_write_bytes = bytes(field[12]),
		.network_bytes = bytes(field[13]),
		.output_bytes = -1,
		.cpus_requested = bytes(field[18]),
		.memory_requested_bytes = bytes(field[19]),
		.requested_by = "nextflow",
		.host_type = keep(field[20]),
		.tools = keep(field[21]),
		.arguments = "",
	};
	take_parts(task, field + 14);
	if (task->end != STEP_TASK_RUNS)
		task->ended_at = task->started_at + (int64_t)task->wall_ns;
}

/* The tasks of a step, together. */
static size_t step_tasks(const char *step, struct step_task *ret)
{
	size_t count = 0;
	for (size_t i = 0; i < task_count; i++)
		if (strcmp(tasks[i].step, step) == 0)
			ret[count++] = tasks[i];
	return count;
}

static void print_usual(const struct usual *usual)
{
	for (size_t i = 0; i < usual->count; i++) {
		const struct unusual *item = &usual->items[i];
		printf("unusual\t%s\t%s\t%d\t%g\t%g\t%g\t%g\t%.6f\t%zu\n", item->kind->name,
		       item->task ? item->task->id : "-", item->above, item->value,
		       item->typical_low, item->typical_median, item->typical_high,
		       item->confidence, item->tasks);
	}
	for (size_t i = 0; i < UNUSUAL_KINDS; i++)
		printf("noticeable\t%s\t%g\n", unusual_kinds[i].name, usual->noticeable_value[i]);
	printf("usual\t%d\t%zu\t%zu\t%g\n", usual->known, usual->history_runs, usual->runs_missing,
	       usual->noticeable);
}

static void judge(const char *run, const char *step)
{
	CLEANUP(freep) struct step_task *of_step = calloc(task_count + 1, sizeof(*of_step));
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct usual usual;
	size_t count;

	if (!of_step)
		fail("no memory");
	count = step_tasks(step, of_step);
	if (step_history_of(of_step, count, &history) || usual_judge(&history, run, &usual))
		fail("no memory");
	print_usual(&usual);
}

static void print_remaining(const char *kind, const char *step, const char *id,
			    const struct remaining *remaining)
{
	printf("%s\t%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.4f\n", kind, step, id, remaining->known,
	       remaining->low_ns / S, remaining->median_ns / S, remaining->high_ns / S,
	       remaining->progress);
}

static void print_tasks(const struct step_history *history, const char *run_id,
			const struct run_pace *pace)
{
	const struct step_history_run *run = step_history_run(history, run_id);
	CLEANUP(freep) struct remaining *ret = NULL;

	if (!run)
		return;
	ret = calloc(run->count, sizeof(*ret));
	if (!ret || remaining_of_tasks(history, run_id, pace, ret))
		fail("no memory");
	for (size_t i = 0; i < run->count; i++) {
		const struct step_task *task = history->tasks[run->first + i];
		if (task->end == STEP_TASK_RUNS)
			print_remaining("task", task->step, task->id, &ret[i]);
	}
}

static int by_step(const void *left, const void *right)
{
	const struct step_task *a = left, *b = right;
	return strcmp(a->step, b->step);
}

/* One history for each step of all tasks, which are then sorted by step. */
static size_t make_steps(struct step_task *of_all, struct step_history *steps)
{
	size_t count = 0;

	qsort(of_all, task_count, sizeof(*of_all), by_step);
	for (size_t first = 0, next; first < task_count; first = next) {
		for (next = first; next < task_count; next++)
			if (strcmp(of_all[next].step, of_all[first].step) != 0)
				break;
		if (count == STEPS_MOST ||
		    step_history_of(of_all + first, next - first, &steps[count++]))
			fail("too many steps, or no memory");
	}
	return count;
}

static void expect_end(const char *run_id, const char *now)
{
	static struct step_history steps[STEPS_MOST];
	CLEANUP(freep) struct step_task *of_all = calloc(task_count + 1, sizeof(*of_all));
	CLEANUP(run_remaining_clear) struct run_remaining remaining = { 0 };
	size_t count;

	if (!of_all)
		fail("no memory");
	memcpy(of_all, tasks, task_count * sizeof(*tasks));
	count = make_steps(of_all, steps);
	if (remaining_of_run(steps, count, run_id, (int64_t)seconds(now), &remaining))
		fail("no memory, or too many tasks");
	for (size_t i = 0; i < count; i++) {
		print_tasks(&steps[i], run_id, &remaining.pace);
		print_remaining("step", steps[i].tasks[0]->step, "-", &remaining.steps[i]);
	}
	print_remaining("run", "-", run_id, &remaining.run);
	for (size_t i = 0; i < count; i++)
		step_history_clear(&steps[i]);
}

static void go_back(size_t count)
{
	task_count = marked = count;
	if (count == 0)
		arena_clear(&texts);
}

static void obey(char **field, size_t count)
{
	if (strcmp(field[0], "task") == 0)
		take_task(field, count);
	else if (strcmp(field[0], "mark") == 0)
		marked = task_count;
	else if (strcmp(field[0], "back") == 0)
		go_back(marked);
	else if (strcmp(field[0], "clear") == 0)
		go_back(0);
	if (count != 3)
		return;
	if (strcmp(field[0], "usual") == 0)
		judge(field[1], field[2]);
	else if (strcmp(field[0], "end") == 0)
		expect_end(field[1], field[2]);
	puts("done");
	fflush(stdout);
}

int main(void)
{
	CLEANUP(freep) char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		char *rest = line, *fields[FIELDS] = { NULL };
		size_t count = 0;
		line[strcspn(line, "\n")] = '\0';
		while (count < FIELDS && rest)
			fields[count++] = strsep(&rest, "\t");
		obey(fields, count);
	}
	arena_clear(&texts);
	return 0;
}
