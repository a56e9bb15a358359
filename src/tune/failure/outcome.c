/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/outcome.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/failure/blame_link.h"
#include "tune/failure/blame_pipe.h"
#include "tune/failure/outcome_repeat.h"
#include "tune/failure/process_role.h"

#define SHELL_NOT_EXECUTABLE 126
#define SHELL_NOT_FOUND      127

struct judge {
	const struct process_tree *tree;
	enum process_outcome *ret;
	enum process_outcome *passed; /* of one that passes on a failure: that failure's outcome */
	size_t *next;        /* the cause of its failure among its children, or PROCESS_NONE */
	size_t *dependant;   /* the process of which it is the cause */
	int64_t *next_start; /* the next start of a child of its parent; 0: none */
	bool *repeated;      /* outcome_repeat.h */
	bool *below_failure; /* one of its ancestors failed */
	size_t *by_start;    /* scratch */
};

static void judge_clear(struct judge *judge)
{
	free(judge->passed);
	free(judge->next);
	free(judge->dependant);
	free(judge->next_start);
	free(judge->repeated);
	free(judge->below_failure);
	free(judge->by_start);
}

static bool is_crash(const struct tree_process *process)
{
	static const int faults[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS };

	if (process->status != PROCESS_KILLED)
		return false;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (process->signal == faults[i])
			return true;
	return process->oom_killed;
}

static unsigned flags_of(const struct judge *judge, size_t number)
{
	return process_tree_program(judge->tree, number)->flags;
}

/* A shell that ends at failures went on after this one. */
static enum process_outcome despite_errexit(const struct judge *judge, size_t number)
{
	const struct tree_process *process = process_tree_get(judge->tree, number);
	unsigned flags = flags_of(judge, process_tree_parent(judge->tree, number));
	int64_t next = judge->next_start[number];

	if (blame_pipe_has_reader(judge->tree, number)) /* not the last of its pipe */
		return flags & PROGRAM_PIPEFAIL ? OUTCOME_EXPECTED : OUTCOME_MASKED;
	if (!process->pipe_in && next && next < process->ended_at) /* in the background */
		return OUTCOME_MASKED;
	return OUTCOME_EXPECTED; /* in a condition */
}

/* Its failure is the engine's, if that failed; if not, its pipeline says that it may fail. */
static enum process_outcome of_engine(const struct judge *judge, size_t engine)
{
	if (!process_failed(process_tree_get(judge->tree, engine)))
		return OUTCOME_EXPECTED;
	return judge->ret[engine] == OUTCOME_BLAMED ? OUTCOME_BLAMED : judge->passed[engine];
}

/* Nothing ended because this one failed. */
static enum process_outcome of_unnoticed(const struct judge *judge, size_t number)
{
	const struct tree_process *process = process_tree_get(judge->tree, number);
	size_t parent = process_tree_parent(judge->tree, number);
	unsigned flags;

	if (blame_is_broken_pipe(process) || judge->repeated[number])
		return OUTCOME_EXPECTED;
	if (process->status == PROCESS_KILLED && !is_crash(process) &&
	    (process->killed_by || judge->below_failure[number]))
		return OUTCOME_EXPECTED; /* cleaned up */
	if (parent == PROCESS_NONE)
		return OUTCOME_MASKED;
	flags = flags_of(judge, parent);
	if (flags & PROGRAM_COMMANDS)
		return of_engine(judge, parent);
	if (flags & PROGRAM_ERREXIT)
		return despite_errexit(judge, number);
	return OUTCOME_MASKED;
}

/* A shell passes on how its commands end. By itself it fails where it finds no command, or if it
 * runs a script of its own. */
static bool is_own_failure_of_shell(const struct tree_process *process, unsigned flags)
{
	if (process->status == PROCESS_FAILED && flags & PROGRAM_COPY)
		return process->exit_code == SHELL_NOT_FOUND ||
		       process->exit_code == SHELL_NOT_EXECUTABLE;
	return !(flags & (PROGRAM_COPY | PROGRAM_TEXT));
}

static bool is_own_failure(const struct judge *judge, size_t number)
{
	enum process_role role = process_tree_role(judge->tree, number);

	if (role == ROLE_SHELL)
		return is_own_failure_of_shell(process_tree_get(judge->tree, number),
					       flags_of(judge, number));
	return role != ROLE_TEST && role != ROLE_HELPER;
}

/* Of a failure that nothing above depends on, and of what it depends on: the last is the cause, the
 * others pass it on. */
static void judge_chain(const struct judge *judge, size_t top)
{
	enum process_outcome outcome = of_unnoticed(judge, top);
	enum process_role role = process_tree_role(judge->tree, top);
	bool noticed = outcome == OUTCOME_BLAMED && role != ROLE_HELPER && role != ROLE_TEST;
	size_t at = top;

	for (int i = 0; i < BLAME_STEPS_MAX; i++) {
		size_t next = judge->next[at];

		judge->ret[at] = noticed ? OUTCOME_BLAMED : OUTCOME_EXPECTED;
		judge->passed[at] = outcome;
		if (next == PROCESS_NONE || judge->ret[next] != OUTCOME_FINE)
			break;
		at = next;
	}
	if (noticed)
		return;
	if (outcome == OUTCOME_MASKED && is_own_failure(judge, at))
		judge->ret[at] = OUTCOME_MASKED;
	if (is_crash(process_tree_get(judge->tree, at)) && !judge->repeated[top])
		judge->ret[at] = OUTCOME_MASKED;
}

/* In the pipe of a failure that is on a chain, the others that failed. */
static void take_pipe_of_blamed(const struct judge *judge, size_t number)
{
	struct blame_pipe pipe;

	blame_pipe_find(judge->tree, number, &pipe);
	for (size_t i = 0; i < pipe.count; i++) {
		size_t member = pipe.members[i];
		const struct tree_process *process = process_tree_get(judge->tree, member);

		if (process_failed(process) && !blame_is_broken_pipe(process) &&
		    !blame_is_answer(judge->tree, member))
			judge->ret[member] = OUTCOME_BLAMED;
	}
}

static void take_links(struct judge *judge, size_t number)
{
	struct blame_link link = blame_link_find(judge->tree, number);

	judge->next[number] = link.process;
	if (link.process != PROCESS_NONE)
		judge->dependant[link.process] = number;
	if (link.noted != PROCESS_NONE && flags_of(judge, number) & PROGRAM_LIMITS)
		judge->dependant[link.noted] = number;
}

static int by_start(const void *one_, const void *other_, void *tree)
{
	size_t one = *(const size_t *)one_, other = *(const size_t *)other_;
	int64_t a = process_tree_get(tree, one)->started_at;
	int64_t b = process_tree_get(tree, other)->started_at;

	if (a != b)
		return a < b ? -1 : 1;
	return (one > other) - (one < other);
}

static void take_next_starts(struct judge *judge, size_t parent)
{
	size_t count;
	const size_t *children = process_tree_children(judge->tree, parent, &count);

	if (!count)
		return;
	memcpy(judge->by_start, children, count * sizeof(size_t));
	qsort_r(judge->by_start, count, sizeof(size_t), by_start, (void *)judge->tree);
	for (size_t i = 0; i + 1 < count; i++)
		judge->next_start[judge->by_start[i]] =
			process_tree_get(judge->tree, judge->by_start[i + 1])->started_at;
}

static int allocate(struct judge *judge, size_t count)
{
	judge->passed = calloc(count + 1, sizeof(*judge->passed));
	judge->next = calloc(count + 1, sizeof(size_t));
	judge->dependant = calloc(count + 1, sizeof(size_t));
	judge->next_start = calloc(count + 1, sizeof(int64_t));
	judge->repeated = calloc(count + 1, sizeof(bool));
	judge->below_failure = calloc(count + 1, sizeof(bool));
	judge->by_start = calloc(count + 1, sizeof(size_t));
	if (!judge->passed || !judge->next || !judge->dependant || !judge->next_start ||
	    !judge->repeated || !judge->below_failure || !judge->by_start)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		judge->next[i] = judge->dependant[i] = PROCESS_NONE;
	return outcome_repeats_find(judge->tree, judge->repeated);
}

static void take_facts(struct judge *judge, size_t number)
{
	size_t parent = process_tree_parent(judge->tree, number);
	bool failed = process_failed(process_tree_get(judge->tree, number));

	take_next_starts(judge, number);
	if (parent != PROCESS_NONE)
		judge->below_failure[number] =
			judge->below_failure[parent] ||
			process_failed(process_tree_get(judge->tree, parent));
	if (failed)
		take_links(judge, number);
	if (failed && judge->ret[number] == OUTCOME_BLAMED)
		take_pipe_of_blamed(judge, number);
}

int outcomes_find(const struct process_tree *tree, enum process_outcome *ret)
{
	CLEANUP(judge_clear) struct judge judge = { .tree = tree, .ret = ret };
	size_t count = process_tree_count(tree);
	const size_t *order = process_tree_order(tree);
	int result = allocate(&judge, count);

	if (result < 0)
		return result;
	for (size_t i = 0; i < count; i++)
		take_facts(&judge, order[i]);
	for (size_t i = 0; i < count; i++) /* parents first */
		if (process_failed(process_tree_get(tree, order[i])) &&
		    ret[order[i]] == OUTCOME_FINE && judge.dependant[order[i]] == PROCESS_NONE)
			judge_chain(&judge, order[i]);
	for (size_t i = 0; i < count; i++) /* that depend on each other, or that `timeout` ended */
		if (process_failed(process_tree_get(tree, i)) && ret[i] == OUTCOME_FINE)
			ret[i] = OUTCOME_EXPECTED;
	return 0;
}

void outcomes_blame(const struct blame_chain *chain, enum process_outcome *ret)
{
	for (size_t i = 0; i < chain->count; i++)
		ret[chain->steps[i].process] = OUTCOME_BLAMED;
	if (chain->noted != PROCESS_NONE)
		ret[chain->noted] = OUTCOME_BLAMED;
}
