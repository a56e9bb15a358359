/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/blame_children.h"

#include "tune/failure/blame_pipe.h"

static void take_child(struct blame_children *children, size_t number)
{
	const struct tree_process *child = process_tree_get(children->tree, number);

	children->lost |= child->status == PROCESS_LOST || !child->ended_at;
	if (child->started_at > children->began_at)
		children->began_at = child->started_at;
	if (child->started_at > children->worked_at && process_tree_works(children->tree, number))
		children->worked_at = child->started_at;
}

void blame_children_find(const struct process_tree *tree, size_t number, struct blame_children *ret)
{
	const struct tree_process *parent = process_tree_get(tree, number);
	size_t count;

	*ret = (struct blame_children){ .tree = tree, .of = number, .parent = parent };
	ret->ended = process_tree_children(tree, number, &count);
	for (size_t i = 0; i < count; i++)
		take_child(ret, ret->ended[i]);
	ret->all = count;
	while (count) { /* unknown ends are the last */
		int64_t ended_at = process_tree_get(tree, ret->ended[count - 1])->ended_at;

		if (ended_at && (!parent->ended_at || ended_at <= parent->ended_at))
			break;
		count--;
	}
	ret->count = count;
}

/* The members of a pipe are started one after the other: the first may have ended before the last
 * begins. */
static int64_t pipe_over_at(const struct blame_children *children, size_t child)
{
	int64_t at = process_tree_get(children->tree, child)->ended_at;
	struct blame_pipe pipe;

	blame_pipe_find(children->tree, child, &pipe);
	for (size_t i = 0; i < pipe.count; i++) {
		int64_t started_at = process_tree_get(children->tree, pipe.members[i])->started_at;

		if (started_at > at)
			at = started_at;
	}
	return at;
}

bool blame_children_worked_after(const struct blame_children *children, size_t child)
{
	return children->worked_at > pipe_over_at(children, child);
}

bool blame_children_began_after(const struct blame_children *children, size_t child)
{
	return children->began_at > pipe_over_at(children, child);
}

size_t blame_children_last(const struct blame_children *children)
{
	size_t count = children->count ? children->count : children->all;

	return count ? children->ended[count - 1] : PROCESS_NONE;
}
