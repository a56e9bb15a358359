/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/blame_pipe.h"

#include <string.h>

#include "tune/failure/blame_link.h"

static bool has_member(const struct blame_pipe *pipe, size_t number)
{
	for (size_t i = 0; i < pipe->count; i++)
		if (pipe->members[i] == number)
			return true;
	return false;
}

void blame_pipe_find(const struct process_tree *tree, size_t number, struct blame_pipe *ret)
{
	size_t at = number;

	*ret = (struct blame_pipe){ .members = { number }, .count = 1 };
	while (ret->count < PIPE_MEMBERS_MAX) {
		at = process_tree_at_pipe(tree, at, process_tree_get(tree, at)->pipe_in, true);
		if (at == PROCESS_NONE || has_member(ret, at))
			break;
		memmove(ret->members + 1, ret->members, ret->count * sizeof(size_t));
		ret->members[0] = at;
		ret->count++;
	}
	at = number;
	while (ret->count < PIPE_MEMBERS_MAX) {
		at = process_tree_at_pipe(tree, at, process_tree_get(tree, at)->pipe_out, false);
		if (at == PROCESS_NONE || has_member(ret, at))
			break;
		ret->members[ret->count++] = at;
	}
}

bool blame_pipe_has_reader(const struct process_tree *tree, size_t number)
{
	return process_tree_at_pipe(tree, number, process_tree_get(tree, number)->pipe_out,
				    false) != PROCESS_NONE;
}

static bool failed_by_itself(const struct process_tree *tree, size_t number)
{
	const struct tree_process *process = process_tree_get(tree, number);

	return process_failed(process) && process->ended_at && !blame_is_broken_pipe(process) &&
	       !blame_is_answer(tree, number);
}

size_t blame_pipe_first_failure(const struct process_tree *tree, size_t number)
{
	size_t first = PROCESS_NONE;
	struct blame_pipe pipe;

	blame_pipe_find(tree, number, &pipe);
	for (size_t i = 0; i < pipe.count; i++) {
		size_t member = pipe.members[i];

		if (!failed_by_itself(tree, member))
			continue;
		if (first == PROCESS_NONE || process_tree_get(tree, member)->ended_at <
						     process_tree_get(tree, first)->ended_at)
			first = member;
	}
	return first == PROCESS_NONE ? number : first;
}
