/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/critical_path.h"

#define MOST 16

/*
 * The run: from, until. A task a line: name (a letter), start, end ("-": unknown). An edge a line:
 * from, to, when it was closed, bytes. The path: links as NAME waiting+running, then what is before
 * and after.
 */
static const struct {
	const char *name, *run, *tasks, *edges, *path;
} cases[] = {
	{ "a chain waits and runs, and its parts are the run's whole", "100 200",
	  "a 110 120\nb 125 150\nc 150 190", "a b 118 5\nb c 149 5",
	  "a 0+8, b 7+24, c 1+40; before 10, after 10" },
	{ "a diamond goes by the side that was closed last", "0 100",
	  "a 0 10\nb 10 40\nc 10 60\nd 61 100", "a b 10 1\na c 10 1\nb d 40 900\nc d 60 1",
	  "a 0+10, c 0+50, d 1+39; before 0, after 0" },
	{ "no files: the task that ended last", "0 100", "a 0 10\nb 20 90", "",
	  "b 0+70; before 20, after 10" },
	{ "of two that know nothing of each other, the later one", "0 100",
	  "a 0 10\nb 12 50\nc 0 20\nd 21 80", "a b 10 1\nc d 20 1",
	  "c 0+20, d 1+59; before 0, after 20" },
	{ "what a task wrote itself it did not wait for", "0 100", "a 0 10\nb 12 90",
	  "a b 10 1\nb b 80 1", "a 0+10, b 2+78; before 0, after 10" },
	{ "two that overwrite each other's file, by turns", "0 100", "a 0 90\nb 5 80",
	  "a b 20 1\nb a 70 1\na b 75 1", "b 0+65, a 0+20; before 5, after 10" },
	{ "an input closed while the task ran: it waited for nothing but that", "0 100",
	  "a 0 50\nb 10 90", "a b 50 1", "a 0+50, b 0+40; before 0, after 10" },
	{ "what a task read after it wrote for the next is no part", "0 100",
	  "a 0 40\nb 0 10\nc 12 60\nd 31 90", "b c 10 1\na c 40 1\nc d 30 1",
	  "b 0+10, c 2+18, d 1+59; before 0, after 10" },
	{ "one whose end is not known ended before nobody", "0 100", "a 0 -\nb 20 60\nc 70 -",
	  "a b 15 1\nb c 60 1", "a 0+15, b 5+40; before 0, after 40" },
	{ "one whose start is not known ran since it could", "0 100", "a 0 10\nb - 60", "a b 10 1",
	  "a 0+10, b 0+50; before 0, after 40" },
	{ "none has ended", "0 100", "a 0 -", "", "; before 0, after 0" },
	{ "no task", "0 100", "", "", "; before 0, after 0" },
	{ "of inputs closed at one instant the larger", "0 100", "a 0 10\nb 0 10\nc 12 90",
	  "a c 10 1\nb c 10 2", "b 0+10, c 2+78; before 0, after 10" },
	{ "of equal ones the first", "0 100", "a 0 10\nb 0 10\nc 12 90", "a c 10 1\nb c 10 1",
	  "a 0+10, c 2+78; before 0, after 10" },
	{ "of tasks that ended at one instant the one that began last, then the first", "0 100",
	  "a 0 90\nb 5 90\nc 5 90", "", "b 0+85; before 5, after 10" },
	{ "a clock's tick: the input was closed at the task's own end", "0 100", "a 0 50\nb 50 50",
	  "a b 50 1", "a 0+50, b 0+0; before 0, after 50" },
	{ "other clocks: a task before its run, one behind it", "10 90", "a 0 20\nb 95 120",
	  "a b 20 1", "a 0+10, b 70+0; before 0, after 0" },
	{ "other clocks: an input closed before the run", "10 90", "a 0 20\nb 15 80", "a b 5 1",
	  "a 0+0, b 5+65; before 0, after 10" },
	{ "an input that was closed before its task began", "0 100", "a 30 40\nb 50 90", "a b 20 1",
	  "a 0+0, b 30+40; before 20, after 10" },
};

struct scene {
	struct flow_task tasks[MOST];
	struct flow_edge edges[MOST];
	struct flow flow;
};

static int64_t instant_of(const char *word)
{
	return strcmp(word, "-") == 0 ? 0 : strtoll(word, NULL, 10);
}

static void read_tasks(struct scene *scene, const char *text)
{
	char name, from[16], until[16];

	for (const char *at = text; at && *at;
	     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		assert_int_equal(sscanf(at, "%c %15s %15s", &name, from, until), 3);
		assert_int_equal(name - 'a', scene->flow.task_count);
		scene->tasks[scene->flow.task_count++] =
			(struct flow_task){ instant_of(from), instant_of(until) };
	}
}

static void read_edges(struct scene *scene, const char *text)
{
	char from, to;
	long long closed_at, bytes;

	for (const char *at = text; at && *at;
	     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		assert_int_equal(sscanf(at, "%c %c %lld %lld", &from, &to, &closed_at, &bytes), 4);
		scene->edges[scene->flow.edge_count++] =
			(struct flow_edge){ (size_t)(from - 'a'), (size_t)(to - 'a'), closed_at,
					    bytes };
	}
}

static void set_up(struct scene *scene, size_t i)
{
	*scene = (struct scene){ .flow = { .tasks = scene->tasks, .edges = scene->edges } };
	assert_int_equal(
		sscanf(cases[i].run, "%ld %ld", &scene->flow.began_at, &scene->flow.ended_at), 2);
	read_tasks(scene, cases[i].tasks);
	read_edges(scene, cases[i].edges);
}

static void write_path(const struct critical_path *path, char *out, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < path->count; i++)
		len += (size_t)snprintf(out + len, size - len, "%s%c %ld+%ld", i ? ", " : "",
					(char)('a' + path->links[i].task),
					path->links[i].waiting_ns, path->links[i].running_ns);
	(void)snprintf(out + len, size - len, "; before %ld, after %ld", path->before_ns,
		       path->after_ns);
}

/* Each link's input is the edge from the link before. */
static void check_inputs(const struct flow *flow, const struct critical_path *path)
{
	for (size_t i = 0; i < path->count; i++) {
		size_t input = path->links[i].input;

		if (i == 0) {
			assert_true(input == FLOW_NONE);
			continue;
		}
		assert_int_equal(flow->edges[input].to, path->links[i].task);
		assert_int_equal(flow->edges[input].from, path->links[i - 1].task);
	}
}

/* Each link ends where its file is ready for the next one; the last one at its own end. */
static void check_instants(const struct flow *flow, const struct critical_path *path)
{
	for (size_t i = 0; i < path->count; i++) {
		const struct critical_link *next = &path->links[i + 1];
		bool last = i + 1 == path->count;

		assert_int_equal(path->links[i].until_at,
				 last ? flow->ended_at - path->after_ns
				      : next->until_at - next->running_ns - next->waiting_ns);
	}
}

static void check_whole(const struct flow *flow, const struct critical_path *path)
{
	int64_t sum = path->before_ns + path->after_ns;

	for (size_t i = 0; i < path->count; i++)
		sum += path->links[i].waiting_ns + path->links[i].running_ns;
	assert_int_equal(sum, path->count ? flow->ended_at - flow->began_at : 0);
}

static void the_path_is_the_one_of_the_table(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(critical_path_clear) struct critical_path path = { 0 };
		char text[512];
		struct scene scene;

		print_message("%s\n", cases[i].name);
		set_up(&scene, i);
		assert_int_equal(critical_path_find(&scene.flow, &path), 0);
		write_path(&path, text, sizeof(text));
		assert_string_equal(text, cases[i].path);
		check_inputs(&scene.flow, &path);
		check_instants(&scene.flow, &path);
		check_whole(&scene.flow, &path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_is_the_one_of_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
