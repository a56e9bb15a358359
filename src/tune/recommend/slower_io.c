/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/slower_io.h"

#include <math.h>

#define HARDLY 0.02 /* of the life of a task: what waited less did not depend on it */

/* Bytes, and the time in which a task waited for them. */
struct moved {
	double bytes, wait_ns;
};

static double life_of(const struct replay_task *task)
{
	return (double)(task->ended_at - task->started_at);
}

/* Who reads waits; what is written the kernel writes back while the task goes on, as far as that
 * takes no longer than the task. */
static struct moved storage_of(const struct replay_task *task)
{
	return (struct moved){ task->storage_read_bytes, task->wall.ns[WALL_DISK] };
}

static struct moved network_of(const struct replay_task *task)
{
	return (struct moved){ task->network_bytes, task->wall.ns[WALL_NETWORK] };
}

static double rate_of(const struct replay_task *task, struct moved moved)
{
	if (!(moved.bytes > 0) || moved.wait_ns < HARDLY * life_of(task))
		return 0;
	return moved.bytes / moved.wait_ns * 1e9;
}

static double longer(const struct replay_task *task, struct moved moved, double bytes_s)
{
	double rate = rate_of(task, moved);

	return rate > bytes_s ? moved.wait_ns * (rate / bytes_s - 1) : 0;
}

/* What a task writes takes its life at most, else it waits for that. */
static double written_longer(const struct replay_task *task, double bytes_s)
{
	return fmax(task->storage_write_bytes / bytes_s * 1e9 - life_of(task), 0);
}

struct slower_io slower_io_needed(const struct replay_run *run)
{
	struct slower_io needed = { 0 };

	for (size_t i = 0; i < run->task_count; i++) {
		const struct replay_task *task = &run->tasks[i];

		if (!replay_task_ran(task))
			continue;
		needed.storage_bytes_s =
			fmax(needed.storage_bytes_s,
			     fmax(rate_of(task, storage_of(task)),
				  task->storage_write_bytes / life_of(task) * 1e9));
		needed.network_bytes_s =
			fmax(needed.network_bytes_s, rate_of(task, network_of(task)));
	}
	return needed;
}

void slower_io_waits(const struct replay_run *run, const struct slower_io *io, double *ret_ns)
{
	for (size_t i = 0; i < run->task_count; i++) {
		const struct replay_task *task = &run->tasks[i];

		ret_ns[i] = 0;
		if (replay_task_ran(task))
			ret_ns[i] = longer(task, storage_of(task), io->storage_bytes_s) +
				    written_longer(task, io->storage_bytes_s) +
				    longer(task, network_of(task), io->network_bytes_s);
	}
}

double slower_io_least_ns(const struct replay_run *run, const struct slower_io *io)
{
	double storage = 0, network = 0;

	for (size_t i = 0; i < run->task_count; i++) {
		storage += run->tasks[i].storage_read_bytes + run->tasks[i].storage_write_bytes;
		network += run->tasks[i].network_bytes;
	}
	return 1e9 * fmax(storage / io->storage_bytes_s, network / io->network_bytes_s);
}
