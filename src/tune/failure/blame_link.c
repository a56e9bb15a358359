/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/blame_link.h"

#include <signal.h>

#include "tune/failure/blame_children.h"
#include "tune/failure/blame_pipe.h"
#include "tune/failure/process_role.h"

#define SHELL_NOT_EXECUTABLE 126 /* POSIX, 2.8.2 of the shell's language */
#define SHELL_NOT_FOUND      127
#define SHELL_SIGNAL         128
#define TIMEOUT_ENDED        124 /* GNU coreutils, `timeout` */
/* An interpreter that goes on for longer than this after a command failed may have coped with it.
 */
#define SOON_NS 5000000000
/* Roots of a task that are looked at for the work of a container. */
#define ROOTS_MAX 1024

bool blame_is_broken_pipe(const struct tree_process *process)
{
	if (process->status == PROCESS_KILLED)
		return process->signal == SIGPIPE;
	return process->status == PROCESS_FAILED && process->exit_code == SHELL_SIGNAL + SIGPIPE;
}

bool blame_is_answer(const struct process_tree *tree, size_t number)
{
	const struct tree_process *process = process_tree_get(tree, number);

	return process->status == PROCESS_FAILED && process_tree_role(tree, number) == ROLE_TEST &&
	       process->exit_code <= process_tree_program(tree, number)->answers;
}

static struct blame_link no_link(enum blame_confidence confidence)
{
	return (struct blame_link){ PROCESS_NONE, BLAME_ROOT, confidence, false, PROCESS_NONE };
}

static struct blame_link link_to(size_t process, enum blame_reason reason,
				 enum blame_confidence confidence)
{
	return (struct blame_link){ process, reason, confidence, false, PROCESS_NONE };
}

/* Why the end of a process can be that of its child; BLAME_ROOT: it is another one. */
static enum blame_reason same_end(const struct tree_process *process,
				  const struct tree_process *child)
{
	if (child->status == PROCESS_KILLED) {
		bool reported = process->status == PROCESS_FAILED &&
				(process->exit_code == SHELL_SIGNAL + child->signal ||
				 process->exit_code == 256 - child->signal); /* exit(-9) */
		bool same = process->status == PROCESS_KILLED && process->signal == child->signal;

		return reported || same ? BLAME_SIGNAL : BLAME_ROOT;
	}
	return process->status == PROCESS_FAILED && child->status == PROCESS_FAILED &&
			       process->exit_code == child->exit_code
		       ? BLAME_CODE
		       : BLAME_ROOT;
}

/* The last child that failed in this way before its parent ended; PROCESS_NONE: none. */
static size_t last_child(const struct blame_children *children,
			 bool (*fits)(const struct blame_children *children, size_t child))
{
	for (size_t i = children->count; i-- > 0;)
		if (process_failed(process_tree_get(children->tree, children->ended[i])) &&
		    fits(children, children->ended[i]))
			return children->ended[i];
	return PROCESS_NONE;
}

static bool fits_end(const struct blame_children *children, size_t child)
{
	return same_end(children->parent, process_tree_get(children->tree, child)) != BLAME_ROOT;
}

static bool is_small(const struct blame_children *children, size_t child)
{
	enum process_role role = process_tree_role(children->tree, child);

	return role == ROLE_TEST || role == ROLE_HELPER;
}

static bool fits_end_of_work(const struct blame_children *children, size_t child)
{
	return fits_end(children, child) && !is_small(children, child);
}

static bool fits_any(const struct blame_children *children, size_t child)
{
	const struct tree_process *process = process_tree_get(children->tree, child);

	return !blame_is_broken_pipe(process) && process->killed_by != children->of + 1;
}

static bool fits_work(const struct blame_children *children, size_t child)
{
	return fits_any(children, child) && !is_small(children, child);
}

static bool is_code_1(const struct tree_process *process)
{
	return process->status == PROCESS_FAILED && process->exit_code == 1;
}

/* How sure it is that a child with the code of its shell was the cause. */
static enum blame_confidence sure_of_code(const struct blame_children *children, size_t child)
{
	unsigned flags = process_tree_program(children->tree, children->of)->flags;

	if (flags & PROGRAM_ERREXIT ||
	    same_end(children->parent, process_tree_get(children->tree, child)) == BLAME_SIGNAL)
		return BLAME_HIGH;
	if (blame_children_worked_after(children, child))
		return BLAME_MEDIUM;
	if (!is_code_1(children->parent))
		return BLAME_HIGH;
	return is_small(children, child) || blame_children_began_after(children, child)
		       ? BLAME_MEDIUM
		       : BLAME_HIGH;
}

/* No child had the code of the shell. */
static struct blame_link end_of_shell(const struct blame_children *children)
{
	int code = children->parent->exit_code;
	struct blame_link link = no_link(children->lost ? BLAME_LOW : BLAME_MEDIUM);

	if (children->parent->status == PROCESS_KILLED || code == SHELL_NOT_FOUND ||
	    code == SHELL_NOT_EXECUTABLE)
		return no_link(BLAME_HIGH);
	link.incomplete = true;
	link.noted = last_child(children, fits_any);
	return link;
}

/* `tool || exit 3`: the shell has a code of its own, right after the work that failed. */
static struct blame_link own_code_of_shell(const struct blame_children *children)
{
	size_t work = last_child(children, fits_work), any = last_child(children, fits_any);

	if (children->parent->status == PROCESS_KILLED || work == PROCESS_NONE ||
	    blame_children_worked_after(children, work))
		return end_of_shell(children);
	work = blame_pipe_first_failure(children->tree, work);
	return link_to(work, BLAME_FAILURE, any == work ? BLAME_MEDIUM : BLAME_LOW);
}

static struct blame_link link_of_shell(const struct blame_children *children)
{
	size_t same = last_child(children, fits_end), first;
	enum blame_confidence confidence;

	if (process_tree_program(children->tree, children->of)->flags & PROGRAM_ERREXIT &&
	    last_child(children, fits_end_of_work) != PROCESS_NONE)
		same = last_child(children, fits_end_of_work);
	if (same == PROCESS_NONE ||
	    (is_code_1(children->parent) && blame_children_worked_after(children, same)))
		return own_code_of_shell(children);
	confidence = sure_of_code(children, same);
	first = blame_pipe_first_failure(children->tree, same);
	if (first != same)
		return link_to(first, BLAME_PIPE, confidence);
	return link_to(same, same_end(children->parent, process_tree_get(children->tree, same)),
		       confidence);
}

static struct blame_link link_of_container(const struct blame_children *children)
{
	const struct tree_process *parent = children->parent;
	struct blame_link link = no_link(BLAME_LOW);
	size_t count;
	const size_t *roots = process_tree_roots(children->tree, parent->task, &count);

	link.incomplete = true;
	for (size_t i = 0; i < count && i < ROOTS_MAX; i++) {
		size_t number = roots[count - 1 - i];
		const struct tree_process *root = process_tree_get(children->tree, number);

		if (!process_failed(root) || root->started_at <= parent->started_at ||
		    (parent->ended_at && root->ended_at > parent->ended_at))
			continue;
		if (same_end(parent, root) != BLAME_ROOT)
			return link_to(number, BLAME_CONTAINER, BLAME_MEDIUM);
		if (link.process == PROCESS_NONE)
			link = link_to(number, BLAME_CONTAINER, BLAME_LOW);
	}
	return link;
}

/* `timeout` ended its command, and is the cause. */
static bool limit_was_reached(const struct blame_children *children, size_t child)
{
	const struct tree_process *of, *parent = children->parent;

	if (!(process_tree_program(children->tree, children->of)->flags & PROGRAM_LIMITS))
		return false;
	of = child == PROCESS_NONE ? NULL : process_tree_get(children->tree, child);
	/* It ends by the signal that ended its command, whoever sent that. */
	if (of && of->status == PROCESS_KILLED &&
	    (of->killed_by == children->of + 1 || same_end(parent, of) != BLAME_ROOT))
		return of->killed_by == children->of + 1;
	if (parent->status == PROCESS_KILLED && parent->killed_by == children->of + 1)
		return true; /* -s KILL: its whole group, itself first */
	return parent->status == PROCESS_FAILED && parent->exit_code == TIMEOUT_ENDED &&
	       (!of || same_end(parent, of) == BLAME_ROOT);
}

static struct blame_link link_of_wrapper(const struct blame_children *children)
{
	size_t same = last_child(children, fits_end), any = last_child(children, fits_any);
	struct blame_link link;

	if (limit_was_reached(children, same == PROCESS_NONE ? any : same)) {
		link = no_link(BLAME_HIGH);
		link.noted = same == PROCESS_NONE ? blame_children_last(children) : same;
		return link;
	}
	if (same != PROCESS_NONE)
		return link_to(same,
			       same_end(children->parent, process_tree_get(children->tree, same)),
			       BLAME_HIGH);
	if (any != PROCESS_NONE)
		return link_to(any, BLAME_FAILURE, BLAME_MEDIUM);
	if (process_tree_program(children->tree, children->of)->flags & PROGRAM_APART)
		return link_of_container(children);
	link = no_link(children->lost ? BLAME_LOW : BLAME_MEDIUM);
	link.incomplete = children->lost;
	return link;
}

/* The first failure after which the engine began no other work, else the last one; or, of an
 * engine that goes on, the first. */
static struct blame_link first_that_ended_it(const struct blame_children *children,
					     bool (*fits)(const struct blame_children *children,
							  size_t child))
{
	bool goes_on = process_tree_program(children->tree, children->of)->flags & PROGRAM_GOES_ON;
	size_t last = PROCESS_NONE;

	for (size_t i = 0; i < children->count; i++) {
		size_t child = children->ended[i];
		const struct tree_process *process = process_tree_get(children->tree, child);

		if (!process_failed(process) || process->killed_by == children->of + 1 ||
		    !fits(children, child))
			continue;
		if (goes_on || !blame_children_worked_after(children, child))
			return link_to(child, BLAME_FAILURE, BLAME_HIGH);
		last = child;
	}
	return last == PROCESS_NONE ? no_link(BLAME_MEDIUM)
				    : link_to(last, BLAME_FAILURE, BLAME_LOW);
}

static struct blame_link link_of_commands(const struct blame_children *children)
{
	struct blame_link link;

	if (children->parent->status == PROCESS_KILLED)
		return no_link(BLAME_HIGH);
	link = first_that_ended_it(children, fits_work);
	if (link.process == PROCESS_NONE)
		link = first_that_ended_it(children, fits_any);
	link.incomplete = link.process == PROCESS_NONE && children->lost;
	return link;
}

static struct blame_link link_of_interpreter(const struct blame_children *children)
{
	size_t same = last_child(children, fits_end);
	struct blame_link link;

	if (children->parent->status == PROCESS_KILLED)
		return no_link(BLAME_HIGH);
	if (same != PROCESS_NONE && !is_code_1(children->parent))
		return link_to(same,
			       same_end(children->parent, process_tree_get(children->tree, same)),
			       sure_of_code(children, same));
	link = first_that_ended_it(children, fits_work);
	if (link.process == PROCESS_NONE) {
		link.noted = last_child(children, fits_any);
		link.confidence = children->lost ? BLAME_LOW : BLAME_MEDIUM;
		return link;
	}
	if (link.confidence == BLAME_HIGH)
		link.confidence = BLAME_MEDIUM;
	if (children->parent->ended_at - process_tree_get(children->tree, link.process)->ended_at >
	    SOON_NS)
		link.confidence = BLAME_LOW;
	return link;
}

/* A tool that started helpers at most. */
static struct blame_link link_of_tool(const struct blame_children *children)
{
	struct blame_link link = no_link(BLAME_HIGH);
	size_t last = last_child(children, fits_any);

	if (last != PROCESS_NONE && !blame_children_began_after(children, last))
		link.noted = last;
	return link;
}

static struct blame_link link_of_engine(const struct blame_children *children)
{
	unsigned flags = process_tree_program(children->tree, children->of)->flags;

	return flags & PROGRAM_COMMANDS ? link_of_commands(children)
					: link_of_interpreter(children);
}

struct blame_link blame_link_find(const struct process_tree *tree, size_t number)
{
	static struct blame_link (*const links[])(const struct blame_children *) = {
		[ROLE_TOOL] = link_of_tool,       [ROLE_HELPER] = link_of_tool,
		[ROLE_TEST] = link_of_tool,       [ROLE_SHELL] = link_of_shell,
		[ROLE_WRAPPER] = link_of_wrapper, [ROLE_ENGINE] = link_of_engine,
	};
	struct blame_children children;

	blame_children_find(tree, number, &children);
	return links[process_tree_role(tree, number)](&children);
}
