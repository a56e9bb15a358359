/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that do anything in any order. Each byte is an operation (fork, exec, exit, lose,
 * limits, drain) on one of 16 processes. The command line of an exec follows it: arguments
 * separated by newlines, up to a NUL.
 */
#include "fuzz.h"

#include <string.h>

#include "base/utf8.h"
#include "correlate/tree/job.h"
#include "correlate/rules/rules.h"
#include "correlate/tree/tree.h"

#define PROCESSES 16
#define ARGS      12

struct world {
	struct tree *tree;
	struct attribution places[PROCESSES];
	uint64_t seqs[PROCESSES], now;
	char *at, *end;
};

static void drain(struct world *world)
{
	const Signal__Run *run;
	const Signal__Task *task;

	if (world->now % 3)
		tree_settle(world->tree);
	while (tree_next_change(world->tree, &run, &task)) {
		MUST(!run != !task);
		if (run) {
			MUST(utf8_valid(run->name, strlen(run->name)) && *run->run_id);
			MUST(utf8_valid(run->command, strlen(run->command)) && *run->status);
		} else {
			MUST(utf8_valid(task->name, strlen(task->name)) && *task->task_id);
			MUST(utf8_valid(task->sample, strlen(task->sample)) && *task->run_id);
			MUST(strlen(task->step) <= 256);
		}
	}
}

static void exec(struct world *world, unsigned pid, unsigned parent)
{
	const struct job job = { .id = { (char)('1' + pid % 3) },
				 .array = { world->now % 5 ? '\0' : '1' },
				 .index = { (char)('0' + pid % 10) },
				 .step = { world->now % 2 ? '\0' : (char)('0' + pid % 2) },
				 .node = { (char)('a' + pid) },
				 .name = { world->now % 7 ? 'x' : '\0' } };
	const char *argv[ARGS];
	struct tree_image image = { .pid = pid + 1,
				    .ppid = parent + 1,
				    .parent_tid = world->now % 3 ? parent + world->now % 3 : 0,
				    .start_ns = pid + 1,
				    .image_seq = ++world->seqs[pid],
				    .cgroup_id = pid % 4,
				    .pipes = { world->now % 5, world->now % 7 },
				    .root_kind = world->now % 11
							 ? RUN_ROOT_NONE
							 : (enum run_root_kind)(1 + pid % 4),
				    .job = world->now % 3 ? &job : NULL,
				    .cwd = "/w/demo",
				    .user = "ada",
				    .argv = argv,
				    .masked = argv };
	char tool[48], *line = world->at;
	size_t len = strlen(line);

	world->at += len < (size_t)(world->end - line) ? len + 1 : len;
	while (line && image.argc < ARGS)
		argv[image.argc++] = strsep(&line, "\n");
	image.exe = argv[0];
	tree_exec(world->tree, &world->places[pid], &world->places[parent], &image, tool,
		  sizeof(tool));
	MUST(utf8_valid(tool, strlen(tool)));
}

static void step(struct world *world, uint8_t operation)
{
	unsigned pid = operation % PROCESSES, other = (pid * 7 + 3) % PROCESSES;

	world->now++;
	switch (operation / PROCESSES % 6) {
	case 0:
		tree_lose(world->tree, &world->places[other], (int64_t)world->now);
		tree_fork(world->tree, &world->places[pid], &world->places[other]);
		break;
	case 1:
	case 2:
		exec(world, pid, other);
		break;
	case 3:
		tree_exit(world->tree, &world->places[pid], operation % 3, operation % 2,
			  (int64_t)world->now);
		break;
	case 4:
		tree_cgroup_limits(world->tree, pid % 4, other, pid * 1000);
		break;
	default:
		drain(world);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct rules *rules;
	struct world world = { .now = 1 };
	char *copy = malloc(len + 1);

	MUST(copy && (rules || rules_new(&rules, NULL) == 0));
	MUST(tree_new(&world.tree, rules, "host", 3, 6) == 0);
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	world.at = copy;
	world.end = copy + len;
	while (world.at < world.end)
		step(&world, (uint8_t)*world.at++);
	for (unsigned i = 0; i < PROCESSES; i += 2)
		tree_exit(world.tree, &world.places[i], 0, 0, 9);
	drain(&world);
	tree_free(world.tree);
	free(copy);
	return 0;
}
