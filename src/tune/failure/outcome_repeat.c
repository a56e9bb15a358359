/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/outcome_repeat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "tune/failure/process_role.h"

struct command {
	size_t parent, process;
	uint64_t hash; /* of its arguments */
	int64_t started_at;
};

static uint64_t hash_of(const struct tree_process *process)
{
	const struct hash_seed seed = hash_seed(0);
	uint64_t hashes[2] = { 0, process->argc };

	for (size_t i = 0; i < process->argc; i++) {
		hashes[0] = hash_bytes(seed, process->argv[i], strlen(process->argv[i]));
		hashes[1] = hash_bytes(seed, hashes, sizeof(hashes));
	}
	return hashes[1];
}

static int by_command(const void *one_, const void *other_)
{
	const struct command *one = one_, *other = other_;

	if (one->parent != other->parent)
		return one->parent < other->parent ? -1 : 1;
	if (one->hash != other->hash)
		return one->hash < other->hash ? -1 : 1;
	if (one->started_at != other->started_at)
		return one->started_at < other->started_at ? -1 : 1;
	return (one->process > other->process) - (one->process < other->process);
}

static bool is_comparable(const struct process_tree *tree, size_t number)
{
	const struct tree_process *process = process_tree_get(tree, number);

	return process_tree_parent(tree, number) != PROCESS_NONE && process->argc >= 2 &&
	       !process->pipe_in && process->started_at &&
	       !(process_tree_program(tree, number)->flags & PROGRAM_COPY);
}

/* From the last command to the first: `succeeded` is the last start of a success of the same. */
static void mark(const struct process_tree *tree, const struct command *commands, size_t count,
		 bool *ret)
{
	int64_t succeeded_at = 0;

	for (size_t i = count; i-- > 0;) {
		const struct tree_process *process = process_tree_get(tree, commands[i].process);

		if (i + 1 < count && (commands[i].parent != commands[i + 1].parent ||
				      commands[i].hash != commands[i + 1].hash))
			succeeded_at = 0;
		if (process->status == PROCESS_SUCCEEDED && !succeeded_at)
			succeeded_at = process->started_at;
		ret[commands[i].process] = process_failed(process) && process->ended_at &&
					   process->ended_at <= succeeded_at;
	}
}

int outcome_repeats_find(const struct process_tree *tree, bool *ret)
{
	size_t processes = process_tree_count(tree), count = 0;
	CLEANUP(freep) struct command *commands = calloc(processes + 1, sizeof(*commands));

	if (!commands)
		return -ENOMEM;
	for (size_t i = 0; i < processes; i++)
		if (is_comparable(tree, i))
			commands[count++] = (struct command){
				process_tree_parent(tree, i),
				i,
				hash_of(process_tree_get(tree, i)),
				process_tree_get(tree, i)->started_at,
			};
	qsort(commands, count, sizeof(*commands), by_command);
	mark(tree, commands, count, ret);
	return 0;
}
