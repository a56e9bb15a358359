/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failure_analysis.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static bool ended_badly(enum process_status status)
{
	return status == PROCESS_FAILED || status == PROCESS_KILLED;
}

static bool is_piped(const struct tree_process *process)
{
	return process->pipe_in || process->pipe_out;
}

/* Of the parts of a pipe the first that failed by itself, else the named root. */
static size_t first_of_pipe(const struct process_tree *tree, const size_t *roots, size_t count,
			    size_t named)
{
	size_t first = PROCESS_NONE;

	for (size_t i = 0; i < count; i++) {
		const struct tree_process *root = process_tree_get(tree, roots[i]);

		if (!ended_badly(root->status) || root->signal == SIGPIPE || !is_piped(root))
			continue;
		if (first == PROCESS_NONE ||
		    root->ended_at < process_tree_get(tree, first)->ended_at)
			first = roots[i];
	}
	return first == PROCESS_NONE ? named : first;
}

/* Where the chain of a task begins. */
static size_t task_root(const struct failure_facts *facts, const struct process_tree *tree,
			size_t task)
{
	size_t count = 0, named = facts->tasks[task].root;
	const size_t *roots = process_tree_roots(tree, task + 1, &count);
	const struct tree_process *root =
		named == PROCESS_NONE ? NULL : process_tree_get(tree, named);

	if (count > 1 && (!root || is_piped(root)))
		return first_of_pipe(tree, roots, count, named);
	return named == PROCESS_NONE && count == 1 ? roots[0] : named;
}

static struct failure_case *add(struct failure_analysis *analysis, const struct failure_task *task,
				size_t root)
{
	struct failure_case *added = &analysis->cases[analysis->count++];

	*added = (struct failure_case){ .facts = analysis->facts,
					.tree = analysis->tree,
					.outcomes = analysis->outcomes,
					.task = task,
					.chain = { .noted = PROCESS_NONE },
					.culprit = PROCESS_NONE };
	if (root != PROCESS_NONE)
		blame_find(analysis->tree, root, &added->chain);
	added->culprit = blame_culprit(&added->chain);
	outcomes_blame(&added->chain, analysis->outcomes);
	return added;
}

/* The task that the run's chain ends in, if it failed; NULL: none. */
static const struct failure_task *task_of_culprit(const struct failure_analysis *analysis,
						  const struct failure_case *run)
{
	const struct tree_process *culprit = case_process(run, run->culprit);
	const struct failure_task *task =
		culprit && culprit->task ? &analysis->facts->tasks[culprit->task - 1] : NULL;

	return task && ended_badly(task->status) ? task : NULL;
}

/* What nothing judges fails as a whole: its one failure is the run's, in the task in which it
 * happened. Where the run's own end is not known its tasks are judged one by one. */
static bool add_whole(struct failure_analysis *analysis)
{
	struct failure_case *run;

	if (!ended_badly(analysis->facts->run.status))
		return true;
	if (analysis->facts->run.root == PROCESS_NONE)
		return false;
	run = add(analysis, NULL, analysis->facts->run.root);
	run->task = task_of_culprit(analysis, run);
	return true;
}

static bool is_final(const struct failure_task *task)
{
	return ended_badly(task->status) && !task->later_succeeded;
}

static void add_judged(struct failure_analysis *analysis)
{
	const struct failure_facts *facts = analysis->facts;
	bool any = false;

	for (size_t i = 0; i < facts->task_count; i++) {
		const struct failure_task *task = &facts->tasks[i];

		if (ended_badly(task->status) || (task->status == PROCESS_LOST && task->host_gone))
			add(analysis, task, task_root(facts, analysis->tree, i));
		any = any || is_final(task);
	}
	if (!ended_badly(facts->run.status))
		return;
	add(analysis, NULL, facts->run.root);
	if (facts->run.status == PROCESS_FAILED && any)
		analysis->count--; /* its tasks say why; its chain is marked */
}

int failure_analysis_make(const struct failure_facts *facts, struct failure_analysis *ret)
{
	*ret = (struct failure_analysis){ .facts = facts };
	ret->tree = process_tree_new(facts->processes, facts->process_count);
	ret->outcomes = calloc(facts->process_count + 1, sizeof(*ret->outcomes));
	ret->cases = calloc(facts->task_count + 1, sizeof(*ret->cases));
	if (!ret->tree || !ret->outcomes || !ret->cases)
		return -ENOMEM;
	if (engine_judges(facts->run.engine) || !add_whole(ret))
		add_judged(ret);
	return outcomes_find(ret->tree, ret->outcomes);
}

size_t failure_analysis_failed_tools(const struct failure_analysis *analysis)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->facts->process_count; i++)
		count += analysis->outcomes[i] == OUTCOME_MASKED;
	if (ended_badly(analysis->facts->run.status))
		return count;
	for (size_t i = 0; i < analysis->count; i++)
		count += analysis->cases[i].task && is_final(analysis->cases[i].task);
	return count;
}

void failure_analysis_clear(struct failure_analysis *analysis)
{
	process_tree_free(analysis->tree);
	free(analysis->outcomes);
	free(analysis->cases);
	*analysis = (struct failure_analysis){ 0 };
}
