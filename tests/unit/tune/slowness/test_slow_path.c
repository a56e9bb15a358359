/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "tune/slowness/slow_path.h"

#define MOST 16

/*
 * The run: from, until. A task a line: name (a letter), start, end. An edge a line: from, to, when
 * it was closed. The path: spans as NAME from-to (- is the engine), with "waits" where it does.
 */
static const struct {
	const char *name, *run, *tasks, *edges, *path;
} cases[] = {
	{ "the critical path, with what is before and after it", "100 200",
	  "a 110 120\nb 125 150\nc 150 190", "a b 118\nb c 149",
	  "- 100-110, a 110-118, b waits 118-125, b 125-149, c waits 149-150, c 150-190, "
	  "- 190-200" },
	{ "a script's tools, one after the other, by no file", "0 100", "a 5 30\nb 31 60\nc 62 90",
	  "", "- 0-5, a 5-30, - 30-31, b 31-60, - 60-62, c 62-90, - 90-100" },
	{ "of tasks that ran beside each other the one that ended last before", "0 100",
	  "a 1 30\nb 1 50\nc 52 90", "", "- 0-1, b 1-50, - 50-52, c 52-90, - 90-100" },
	{ "a task that went on beside the next was not waited for", "0 100",
	  "a 1 40\nb 1 80\nc 45 90", "", "- 0-1, a 1-40, - 40-45, c 45-90, - 90-100" },
	{ "one that began before the other had ended counts until then", "0 100", "a 1 40\nb 40 90",
	  "", "- 0-1, a 1-40, b 40-90, - 90-100" },
	{ "no task", "0 100", "", "", "- 0-100" },
	{ "none of which the end is known", "0 100", "a 0 0", "", "- 0-100" },
	{ "a run without time", "50 50", "a 50 50", "", "" },
	{ "a task before its run counts from its begin", "10 90", "a 1 20\nb 30 80", "",
	  "a 10-20, - 20-30, b 30-80, - 80-90" },
};

struct scene {
	struct flow_task tasks[MOST];
	struct flow_edge edges[MOST];
	struct flow flow;
};

static void read_scene(struct scene *scene, size_t i)
{
	long long from, to, at;
	char task, other;
	int len;

	*scene = (struct scene){ 0 };
	scene->flow.tasks = scene->tasks;
	scene->flow.edges = scene->edges;
	assert_int_equal(sscanf(cases[i].run, "%lld %lld", &from, &to), 2);
	scene->flow.began_at = from;
	scene->flow.ended_at = to;
	for (const char *text = cases[i].tasks;
	     sscanf(text, " %c %lld %lld%n", &task, &from, &to, &len) == 3; text += len)
		scene->tasks[scene->flow.task_count++] = (struct flow_task){ from, to };
	for (const char *text = cases[i].edges;
	     sscanf(text, " %c %c %lld%n", &task, &other, &at, &len) == 3; text += len)
		scene->edges[scene->flow.edge_count++] =
			(struct flow_edge){ (size_t)(task - 'a'), (size_t)(other - 'a'), at, 1 };
}

static char *write_path(const struct slow_path *path)
{
	struct buffer out;
	char *text;

	buffer_init(&out, 0);
	for (size_t i = 0; i < path->count; i++) {
		const struct slow_span *span = &path->spans[i];

		buffer_printf(&out, "%s%c %s%lld-%lld", i ? ", " : "",
			      span->task == SLOW_ENGINE ? '-' : (char)('a' + span->task),
			      span->waits ? "waits " : "", (long long)span->began_at,
			      (long long)span->ended_at);
	}
	buffer_append_text(&out, "");
	text = buffer_take(&out);
	buffer_clear(&out);
	return text;
}

static void path_is_of_what_the_run_waited_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(slow_path_clear) struct slow_path path = { 0 };
		CLEANUP(freep) char *text = NULL;
		struct scene scene;

		print_message("%s\n", cases[i].name);
		read_scene(&scene, i);
		assert_int_equal(slow_path_find(&scene.flow, &path), 0);
		text = write_path(&path);
		assert_string_equal(text ? text : "", cases[i].path);
	}
}

static void spans_add_up_to_the_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(slow_path_clear) struct slow_path path = { 0 };
		struct scene scene;
		int64_t at;

		read_scene(&scene, i);
		assert_int_equal(slow_path_find(&scene.flow, &path), 0);
		at = scene.flow.began_at;
		for (size_t k = 0; k < path.count; k++) {
			assert_int_equal(path.spans[k].began_at, at);
			at = path.spans[k].ended_at;
		}
		assert_int_equal(at, scene.flow.ended_at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_is_of_what_the_run_waited_for),
		cmocka_unit_test(spans_add_up_to_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
