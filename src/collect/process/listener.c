/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/listener.h"

#include <assert.h>

void listeners_add(struct listeners *listeners, const struct listener *operations, void *context)
{
	assert(listeners->count < LISTENERS_MAX);
	listeners->list[listeners->count].operations = operations;
	listeners->list[listeners->count++].context = context;
}

/* Calls an operation of all that have it; the context comes first. */
#define CALL(operation, ...)                                                            \
	for (size_t i = 0; i < listeners->count; i++) {                                 \
		if (listeners->list[i].operations->operation)                           \
			listeners->list[i].operations->operation(                       \
				listeners->list[i].context __VA_OPT__(, ) __VA_ARGS__); \
	}

void listeners_fork(const struct listeners *listeners, struct process *process,
		    const struct process *parent)
{
	CALL(fork, process, parent)
}

struct cgroup *listeners_enter(const struct listeners *listeners, const struct process *process)
{
	struct cgroup *cgroup = NULL;

	for (size_t i = 0; i < listeners->count; i++) {
		const struct listener *operations = listeners->list[i].operations;
		struct cgroup *entered =
			operations->enter ? operations->enter(listeners->list[i].context, process)
					  : NULL;

		if (!cgroup)
			cgroup = entered;
	}
	return cgroup;
}

void listeners_moved(const struct listeners *listeners, const struct process *process)
{
	CALL(moved, process)
}

struct probe_key *listeners_find_root(const struct listeners *listeners, struct exec_context *exec)
{
	struct probe_key *root = NULL;

	for (size_t i = 0; i < listeners->count && !root; i++) {
		if (listeners->list[i].operations->find_root)
			root = listeners->list[i].operations->find_root(listeners->list[i].context,
									exec);
	}
	return root;
}

void listeners_place(const struct listeners *listeners, struct exec_context *exec)
{
	CALL(place, exec)
}

void listeners_begin(const struct listeners *listeners, const struct exec_context *exec)
{
	CALL(begin, exec)
}

void listeners_reading(const struct listeners *listeners, struct process *process,
		       const struct process_reading *reading)
{
	CALL(reading, process, reading)
}

void listeners_sample(const struct listeners *listeners, struct process *process)
{
	CALL(sample, process)
}

void listeners_tick(const struct listeners *listeners)
{
	CALL(tick)
}

void listeners_step(const struct listeners *listeners, int64_t step_ns)
{
	CALL(step, step_ns)
}

void listeners_settle(const struct listeners *listeners)
{
	CALL(settle)
}

void listeners_flush(const struct listeners *listeners)
{
	CALL(flush)
}

void listeners_end(const struct listeners *listeners, struct process *process, enum process_end end)
{
	CALL(end, process, end)
}

void listeners_forget(const struct listeners *listeners, struct process *process)
{
	CALL(forget, process)
}
