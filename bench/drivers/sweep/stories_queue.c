/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "story.h"

/* Tasks that wait for a slot. */

static struct site_queue *add_queue(struct story *story, enum sweep_queue_for waits_for,
				    int64_t queued_at)
{
	struct site *site = story->site;

	assert(site->queue_count < SITE_THINGS);
	struct site_queue *queue = &site->queues[site->queue_count++];

	*queue = (struct site_queue){
		.until = NEVER,
		.facts = {
			.run_id = story_name(story, "run"),
			.run_name = story_name(story, "run"),
			.engine = waits_for == QUEUE_SLURM ? "slurm" : "nextflow",
			.user = story_user(story),
			.waits_for = waits_for,
			.tasks = 1 + chance_below(&story->chance, 40),
			.queued_at = queued_at,
			.cpus = 2,
			.memory_bytes = UINT64_C(4) << 30,
			.host_id = "",
			.running = 1,
		},
	};
	return queue;
}

static struct machine *slurm_node(struct story *story, const char *name, double cpus)
{
	struct machine *machine = story_machine(story, name);

	story_resize(machine, cpus);
	machine->facts.worker = WORKER_SLURM;
	machine->facts.worker_name = "slurmd";
	machine->facts.node = machine->facts.hostname;
	return machine;
}

static void node_busy(struct story *story, struct machine *machine, int64_t until)
{
	story_busy_until(story, machine, until, 3 * HOUR);
	timeline_add(&machine->jobs, (struct phase){ .since = until - 3 * HOUR, .until = until });
}

/* A node that has been idle since before, and a job that it could take. */
static struct machine *idle_node(struct story *story)
{
	struct machine *machine = slurm_node(story, "node-1", 32);
	int64_t at = story_onset(story, story_patience(story, SWEEP_SLOTS_PATIENCE_S));

	story->also_at = at - story_time(story, 5 * MINUTE, 3 * HOUR);
	node_busy(story, machine, story->also_at);
	node_busy(story, slurm_node(story, "node-2", 32), story->site->until);
	return machine;
}

static void job_while_node_idle(struct story *story)
{
	idle_node(story);
	add_queue(story, QUEUE_SLURM, story->onset_at);
}

static void large_job_while_node_idle(struct story *story)
{
	idle_node(story);
	struct site_queue *queue = add_queue(story, QUEUE_SLURM, story->onset_at);

	queue->facts.cpus = 30;
	queue->facts.memory_bytes = UINT64_C(100) << 30;
}

static void job_without_request(struct story *story)
{
	idle_node(story);
	struct site_queue *queue = add_queue(story, QUEUE_SLURM, story->onset_at);

	queue->facts.cpus = 0;
	queue->facts.memory_bytes = 0;
}

/* An engine that starts few tasks at a time on a host with room. */
static struct site_queue *few_slots(struct story *story, double cpu)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = story_onset(story, story_patience(story, SWEEP_SLOTS_PATIENCE_S));

	story_resize(machine, 32);
	story_busy_until(story, machine, at, HOUR);
	machine_load(machine, (struct load){ .phase = { .since = at, .until = NEVER },
					     .tracked = true,
					     .cpu = cpu,
					     .memory = 0.1,
					     .disk_bytes_s = 1e6,
					     .spread = 0.2 });
	struct site_queue *queue = add_queue(story, QUEUE_ENGINE, at);

	queue->facts.host_id = machine->facts.id;
	queue->facts.task_limit = 2;
	queue->facts.running = 2;
	return queue;
}

static void few_slots_of_nextflow(struct story *story)
{
	few_slots(story, story_between(story, 0.08, 0.3));
}

static void few_slots_of_snakemake(struct story *story)
{
	struct site_queue *queue = few_slots(story, story_between(story, 0.08, 0.3));

	queue->facts.engine = "snakemake";
	queue->facts.task_limit = queue->facts.running = 1;
}

/* From here on: all is well. */

static void cluster_full(struct story *story)
{
	for (int i = 1; i < 4; i++) {
		struct machine *machine = slurm_node(story,
						     i == 1   ? "node-1"
						     : i == 2 ? "node-2"
							      : "node-3",
						     32);
		node_busy(story, machine, story->site->until);
	}
	add_queue(story, QUEUE_SLURM, story_onset(story, HOUR));
}

static void too_large_for_node(struct story *story)
{
	struct machine *machine = slurm_node(story, "node-1", 32);
	int64_t at = story_onset(story, HOUR), free_at = at + 30 * MINUTE;

	/* It is free for some minutes, as any node is between two jobs. */
	node_busy(story, machine, free_at);
	story_busy(story, machine, free_at + story_time(story, MINUTE, 8 * MINUTE), NEVER);
	node_busy(story, slurm_node(story, "node-2", 32), story->site->until);
	add_queue(story, QUEUE_SLURM, at)->facts.cpus = 64;
}

static void nodes_change_jobs(struct story *story)
{
	struct machine *machine = slurm_node(story, "node-1", 32);
	int64_t at = story->site->until;

	for (int i = 0; i < 12; i++) {
		int64_t lasts = story_time(story, 15 * MINUTE, 50 * MINUTE);

		story_busy(story, machine, at - lasts, at);
		timeline_add(&machine->jobs, (struct phase){ .since = at - lasts, .until = at });
		at -= lasts + story_time(story, 5 * SECOND, 70 * SECOND);
	}
	story_busy_until(story, machine, at, HOUR);
	add_queue(story, QUEUE_SLURM, story->site->since - story_time(story, 0, 5 * HOUR));
}

static void soon_started(struct story *story)
{
	struct machine *machine = slurm_node(story, "node-1", 32);
	int64_t at = story_onset(story, 0), begins = at + story_time(story, MINUTE, 6 * MINUTE);

	node_busy(story, machine, at - story_time(story, 0, 2 * MINUTE));
	story_busy(story, machine, begins, NEVER);
	timeline_add(&machine->jobs, (struct phase){ .since = begins, .until = NEVER });
	add_queue(story, QUEUE_SLURM, at)->until = begins;
}

static void engine_memory_full(struct story *story)
{
	few_slots(story, story_between(story, 0.1, 0.3))->facts.memory_bytes = UINT64_C(60) << 30;
	story->machine->loads[story->machine->load_count - 1].memory = 0.7;
}

static void engine_host_full(struct story *story)
{
	few_slots(story, story_between(story, 0.75, 0.95));
}

const struct story_plan STORIES_QUEUE[] = {
	{ "slots_wait", "job while a node is idle", "worker_idle host_idle", job_while_node_idle,
	  true, false },
	{ "slots_wait", "large job that just fits", "worker_idle host_idle",
	  large_job_while_node_idle, true, false },
	{ "slots_wait", "job without a request", "worker_idle host_idle", job_without_request, true,
	  false },
	{ "slots_wait", "few slots of Nextflow", "host_oversized", few_slots_of_nextflow, true,
	  false },
	{ "slots_wait", "few slots of Snakemake", "host_oversized", few_slots_of_snakemake, true,
	  false },
	{ NULL, "cluster is full", NULL, cluster_full, true, false },
	{ NULL, "job larger than the free node", NULL, too_large_for_node, true, false },
	{ NULL, "node is free between two jobs", NULL, nodes_change_jobs, true, false },
	{ NULL, "job starts within minutes", NULL, soon_started, true, false },
	{ NULL, "memory of the engine's host is full", NULL, engine_memory_full, true, false },
	{ NULL, "host of the engine is full", NULL, engine_host_full, true, false },
	{ 0 },
};
