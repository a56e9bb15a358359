/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/process_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/failure/pipe_index.h"
#include "tune/failure/process_role.h"

/* By this much a child may seem to have begun before its parent, or after its parent's end: the
 * host's clock is adjusted between two records. */
#define CLOCK_SLACK_NS (10 * 1000 * 1000)

struct process_tree {
	const struct tree_process *processes;
	size_t count;
	struct program_role *programs;
	size_t *parents;       /* checked */
	size_t *children;      /* by parent, then by end; those without a parent at the end */
	size_t *children_from; /* one a process, two more */
	size_t *roots;         /* of tasks, by task, then by start */
	size_t root_count;
	size_t *order; /* each after its parent */
	bool *works;
	struct pipe_index pipes;
};

void process_tree_free(struct process_tree *tree)
{
	if (!tree)
		return;
	free(tree->programs);
	free(tree->parents);
	free(tree->children);
	free(tree->children_from);
	free(tree->roots);
	free(tree->order);
	free(tree->works);
	pipe_index_clear(&tree->pipes);
	free(tree);
}
DEFINE_CLEANUP(struct process_tree *, process_tree_free)

static size_t plausible_parent(const struct process_tree *tree, size_t number)
{
	const struct tree_process *process = &tree->processes[number], *parent;

	if (process->parent >= tree->count || process->parent == number)
		return PROCESS_NONE;
	parent = &tree->processes[process->parent];
	if (process->started_at && parent->started_at > process->started_at + CLOCK_SLACK_NS)
		return PROCESS_NONE;
	if (process->started_at && parent->ended_at &&
	    parent->ended_at + CLOCK_SLACK_NS < process->started_at)
		return PROCESS_NONE;
	return process->parent;
}

/* Processes that are their own descendants have no known parent. Each process is walked over twice
 * at most: `walks` has the walk that was there first. */
static void cut_cycles(struct process_tree *tree, size_t *walks)
{
	for (size_t i = 0; i < tree->count; i++) {
		size_t at = i;

		while (at != PROCESS_NONE && !walks[at]) {
			walks[at] = i + 1;
			at = tree->parents[at];
		}
		while (at != PROCESS_NONE && walks[at] == i + 1) {
			size_t next = tree->parents[at];

			tree->parents[at] = PROCESS_NONE;
			at = next;
		}
	}
}

static int compare_instants(int64_t one, int64_t other)
{
	if (!one || !other)
		return (one == 0) - (other == 0);
	return (one > other) - (one < other);
}

static int by_end(const void *one_, const void *other_, void *tree_)
{
	const struct process_tree *tree = tree_;
	size_t one = *(const size_t *)one_, other = *(const size_t *)other_;
	int order =
		compare_instants(tree->processes[one].ended_at, tree->processes[other].ended_at);

	return order ? order : (one > other) - (one < other);
}

static int by_task(const void *one_, const void *other_, void *tree_)
{
	const struct process_tree *tree = tree_;
	size_t one = *(const size_t *)one_, other = *(const size_t *)other_;
	const struct tree_process *a = &tree->processes[one], *b = &tree->processes[other];
	int order = (a->task > b->task) - (a->task < b->task);

	if (!order)
		order = compare_instants(a->started_at, b->started_at);
	return order ? order : (one > other) - (one < other);
}

static size_t owner_of(const struct process_tree *tree, size_t number)
{
	return tree->parents[number] == PROCESS_NONE ? tree->count : tree->parents[number];
}

static void take_children(struct process_tree *tree)
{
	size_t *from = tree->children_from;

	for (size_t i = 0; i < tree->count; i++)
		from[owner_of(tree, i) + 2]++;
	for (size_t i = 2; i < tree->count + 3; i++)
		from[i] += from[i - 1];
	for (size_t i = 0; i < tree->count; i++)
		tree->children[from[owner_of(tree, i) + 1]++] = i;
	for (size_t i = 0; i <= tree->count; i++)
		qsort_r(tree->children + from[i], from[i + 1] - from[i], sizeof(size_t), by_end,
			tree);
}

static void take_roots(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		size_t parent = tree->parents[i];

		if (parent == PROCESS_NONE ||
		    tree->processes[parent].task != tree->processes[i].task)
			tree->roots[tree->root_count++] = i;
	}
	qsort_r(tree->roots, tree->root_count, sizeof(size_t), by_task, tree);
}

/* The order is also the queue of what is still to be visited. */
static void take_order(struct process_tree *tree)
{
	size_t count, added = 0;
	const size_t *next = process_tree_children(tree, tree->count, &count);

	for (size_t visited = 0;; visited++) {
		for (size_t i = 0; i < count; i++)
			tree->order[added++] = next[i];
		if (visited == added)
			return;
		next = process_tree_children(tree, tree->order[visited], &count);
	}
}

static void take_roles(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		size_t parent = tree->parents[i];

		tree->programs[i] =
			process_role_of(&tree->processes[i],
					parent == PROCESS_NONE ? NULL : &tree->processes[parent]);
	}
	for (size_t i = tree->count; i-- > 0;) { /* descendants first */
		size_t number = tree->order[i], parent = tree->parents[number];
		enum process_role role = tree->programs[number].role;

		if (role == ROLE_TOOL || role == ROLE_WRAPPER || role == ROLE_ENGINE)
			tree->works[number] = true;
		if (tree->works[number] && parent != PROCESS_NONE)
			tree->works[parent] = true;
		if (tree->works[number] && parent != PROCESS_NONE &&
		    tree->programs[parent].role == ROLE_TOOL)
			tree->programs[parent] = (struct program_role){
				ROLE_ENGINE, tree->programs[parent].flags | PROGRAM_INTERPRETER, 0
			};
	}
}

static bool allocate(struct process_tree *tree, size_t count)
{
	/* One more each: calloc(0) may give NULL. */
	tree->programs = calloc(count + 1, sizeof(*tree->programs));
	tree->parents = calloc(count + 1, sizeof(size_t));
	tree->children = calloc(count + 1, sizeof(size_t));
	tree->children_from = calloc(count + 3, sizeof(size_t));
	tree->roots = calloc(count + 1, sizeof(size_t));
	tree->order = calloc(count + 1, sizeof(size_t));
	tree->works = calloc(count + 1, sizeof(bool));
	return tree->programs && tree->parents && tree->children && tree->children_from &&
	       tree->roots && tree->order && tree->works;
}

struct process_tree *process_tree_new(const struct tree_process *processes, size_t count)
{
	CLEANUP(process_tree_freep) struct process_tree *tree = calloc(1, sizeof(*tree));

	if (!tree || !allocate(tree, count))
		return NULL;
	tree->processes = processes;
	tree->count = count;
	for (size_t i = 0; i < count; i++)
		tree->parents[i] = plausible_parent(tree, i);
	cut_cycles(tree, tree->order);
	if (pipe_index_make(&tree->pipes, processes, tree->parents, count))
		return NULL;
	take_children(tree);
	take_roots(tree);
	take_order(tree);
	take_roles(tree);
	return TAKE_PTR(tree);
}

const struct tree_process *process_tree_get(const struct process_tree *tree, size_t number)
{
	return &tree->processes[number];
}

size_t process_tree_count(const struct process_tree *tree)
{
	return tree->count;
}

enum process_role process_tree_role(const struct process_tree *tree, size_t number)
{
	return tree->programs[number].role;
}

const struct program_role *process_tree_program(const struct process_tree *tree, size_t number)
{
	return &tree->programs[number];
}

bool process_tree_works(const struct process_tree *tree, size_t number)
{
	return tree->works[number];
}

const size_t *process_tree_order(const struct process_tree *tree)
{
	return tree->order;
}

size_t process_tree_parent(const struct process_tree *tree, size_t number)
{
	return tree->parents[number];
}

const size_t *process_tree_children(const struct process_tree *tree, size_t number,
				    size_t *ret_count)
{
	*ret_count = tree->children_from[number + 1] - tree->children_from[number];
	return tree->children + tree->children_from[number];
}

/* The first root that is of no task before this one. */
static size_t first_root(const struct process_tree *tree, size_t task)
{
	size_t from = 0, until = tree->root_count;

	while (from < until) {
		size_t middle = from + (until - from) / 2;

		if (tree->processes[tree->roots[middle]].task < task)
			from = middle + 1;
		else
			until = middle;
	}
	return from;
}

const size_t *process_tree_roots(const struct process_tree *tree, size_t task, size_t *ret_count)
{
	size_t from = first_root(tree, task);

	*ret_count = (task == SIZE_MAX ? tree->root_count : first_root(tree, task + 1)) - from;
	return tree->roots + from;
}

size_t process_tree_at_pipe(const struct process_tree *tree, size_t number, uint64_t pipe,
			    bool writes)
{
	return pipe_index_find(&tree->pipes, number, pipe, writes);
}
