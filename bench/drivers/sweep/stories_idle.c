/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "story.h"

/* Hosts and workers that nothing uses; and those of which it only seems so. */

static int64_t end_of_work(struct story *story, struct machine *machine,
			   enum sweep_threshold patience)
{
	int64_t onset_at = story_onset(story, story_patience(story, patience));

	story_busy_until(story, machine, onset_at, story_time(story, 10 * MINUTE, 8 * HOUR));
	return onset_at;
}

static void after_work(struct story *story)
{
	end_of_work(story, story_machine(story, "host"), SWEEP_IDLE_PATIENCE_S);
}

static void after_short_run(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = story_onset(story, story_patience(story, SWEEP_IDLE_PATIENCE_S));

	machine->booted_at = at - story_time(story, 8 * MINUTE, 14 * MINUTE);
	story_busy(story, machine, at - story_time(story, MINUTE, 7 * MINUTE), at);
}

static void never_used(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	machine->booted_at = story_onset(story, story_patience(story, SWEEP_IDLE_PATIENCE_S));
}

static void many_daemons(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	machine->base_cpu = fmin(0.035, story_between(story, 0.1, 0.5) / machine->facts.cpus);
	machine->base_disk_bytes_s = story_between(story, 1e5, 4e5);
	machine->base_net_bytes_s = story_between(story, 5e4, 3e5);
	end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S);
}

static void agent_updated(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S) + 2 * MINUTE;

	for (int i = 0; i < 2; i++, at += 6 * MINUTE)
		timeline_add(&machine->silent,
			     (struct phase){
				     .since = at,
				     .until = at + story_time(story, 15 * SECOND, 50 * SECOND),
			     });
}

static void small_jobs_of_system(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S);

	machine_load(machine,
		     (struct load){
			     .phase = { .since = at - 2 * DAY,
					.until = NEVER,
					.every = 10 * MINUTE,
					.lasts = story_time(story, 5 * SECOND, 40 * SECOND),
					.shift = 5 * MINUTE },
			     .cpu = story_between(story, 0.5, 2) / machine->facts.cpus,
			     .disk_bytes_s = 1e6,
			     .net_bytes_s = 3e5,
		     });
}

static void after_many_runs(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t until = story_onset(story, story_patience(story, SWEEP_IDLE_PATIENCE_S));

	for (int i = 0; i < 8; i++) {
		int64_t lasts = story_time(story, 6 * MINUTE, 40 * MINUTE);

		story_busy(story, machine, until - lasts, until);
		until -= lasts + story_time(story, MINUTE, 11 * MINUTE);
	}
	story_busy_until(story, machine, until, HOUR);
}

static void after_bursts(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t every = story_time(story, 25 * MINUTE, 35 * MINUTE);
	int64_t lasts = story_time(story, 3 * MINUTE, 8 * MINUTE);
	int64_t until = story_onset(story, story_patience(story, SWEEP_IDLE_PATIENCE_S));

	machine->booted_at = until - 40 * every - lasts;
	machine_load(machine, (struct load){
				      .phase = { .since = until - 40 * every - lasts,
						 .until = until,
						 .every = every,
						 .lasts = lasts },
				      .tracked = true,
				      .cpu = 0.8,
				      .memory = 0.5,
				      .spread = 0.1,
			      });
}

static struct machine *worker(struct story *story, enum sweep_worker kind, const char *name)
{
	struct machine *machine = story_machine(story, "worker");

	machine->facts.worker = kind;
	machine->facts.worker_name = name;
	machine->facts.node = machine->facts.hostname;
	machine->base_cpu += 0.005;
	machine->base_net_bytes_s += 2e4;
	return machine;
}

static void end_of_jobs(struct story *story, struct machine *machine)
{
	int64_t at = end_of_work(story, machine, SWEEP_WORKER_PATIENCE_S);

	timeline_add(&machine->jobs, (struct phase){ .since = at - 30 * MINUTE, .until = at });
}

static void slurm_without_jobs(struct story *story)
{
	end_of_jobs(story, worker(story, WORKER_SLURM, "slurmd"));
}

static void batch_without_jobs(struct story *story)
{
	end_of_jobs(story, worker(story, WORKER_ECS, "AWS Batch, queue q"));
}

static void node_without_pods(struct story *story)
{
	end_of_jobs(story, worker(story, WORKER_KUBERNETES, "kubelet"));
}

static void other_worker(struct story *story)
{
	end_of_jobs(story, worker(story, WORKER_OTHER, "condor_startd"));
}

static void worker_never_used(struct story *story)
{
	struct machine *machine = worker(story, WORKER_ECS, "AWS Batch, queue q");

	machine->booted_at = story_onset(story, story_patience(story, SWEEP_WORKER_PATIENCE_S));
}

/* From here on: all is well. */

static void bursts(struct story *story, int64_t every, int64_t shift)
{
	struct machine *machine = story_machine(story, "host");

	machine_load(machine,
		     (struct load){
			     .phase = { .since = machine->booted_at,
					.until = NEVER,
					.every = every,
					.lasts = story_time(story, 2 * MINUTE, 10 * MINUTE),
					.shift = shift },
			     .tracked = true,
			     .cpu = story_between(story, 0.6, 0.9),
			     .memory = 0.55,
			     .spread = 0.1,
		     });
}

static void in_bursts(struct story *story)
{
	bursts(story, story_time(story, 30 * MINUTE, 100 * MINUTE), 8 * MINUTE);
}

static void in_irregular_bursts(struct story *story)
{
	bursts(story, story_time(story, 40 * MINUTE, 70 * MINUTE), 30 * MINUTE);
}

static void short_pauses(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = story->site->until;

	for (int i = 0; i < 12; i++) {
		int64_t lasts = story_time(story, 8 * MINUTE, 50 * MINUTE);

		story_busy(story, machine, at - lasts, at);
		at -= lasts + story_time(story, 2 * MINUTE, 13 * MINUTE);
	}
	story_busy_until(story, machine, at, HOUR);
}

static void untracked(struct story *story, double cpu, double disk, double net)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S);

	machine_load(machine, (struct load){
				      .phase = { .since = at - DAY, .until = NEVER },
				      .cpu = cpu,
				      .memory = 0.3,
				      .disk_bytes_s = disk,
				      .net_bytes_s = net,
				      .spread = 0.3,
			      });
}

static void serves_untracked(struct story *story)
{
	untracked(story, story_between(story, 0.12, 0.7), 2e5, 1e5);
}

static void transfers_untracked(struct story *story)
{
	untracked(story, 0.02, 1e5, story_between(story, 5e6, 1e8));
}

static void saves_untracked(struct story *story)
{
	untracked(story, 0.02, story_between(story, 1e7, 2e8), 1e4);
}

static void idle_by_design(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	machine->facts.by_design = true;
	machine->base_cpu = story_between(story, 0.005, 0.04);
	story_onset(story, story_patience(story, SWEEP_IDLE_PATIENCE_S));
}

static void exempted(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	machine->facts.hostname = story_name(story, "spare");
	end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S);
}

/* In truth its work goes on. */
static void agent_fell_silent(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S);

	at += story_time(story, 0, 8 * MINUTE);
	timeline_add(&machine->silent, (struct phase){ .since = at, .until = NEVER });
	story_busy(story, machine, at + 5 * MINUTE, NEVER);
}

static void agent_came_back(struct story *story)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S);
	int64_t back = at + story_time(story, 40 * MINUTE, 90 * MINUTE);

	timeline_add(&machine->silent, (struct phase){ .since = at - MINUTE, .until = back });
	story_busy(story, machine, back + story_time(story, MINUTE, 8 * MINUTE), NEVER);
}

static void turned_off(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	machine->gone_at = end_of_work(story, machine, SWEEP_IDLE_PATIENCE_S) +
			   story_time(story, 0, 10 * MINUTE);
}

static void just_started(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	machine->booted_at =
		story_time(story, story->site->since, story->site->until - 30 * MINUTE);
	story_busy(story, machine, machine->booted_at + story_time(story, 2 * MINUTE, 11 * MINUTE),
		   NEVER);
}

static void between_jobs(struct story *story)
{
	struct machine *machine = worker(story, WORKER_SLURM, "slurmd");
	int64_t at = story->site->until;

	for (int i = 0; i < 14; i++) {
		int64_t lasts = story_time(story, 12 * MINUTE, 50 * MINUTE);

		story_busy(story, machine, at - lasts, at);
		timeline_add(&machine->jobs, (struct phase){ .since = at - lasts, .until = at });
		at -= lasts + story_time(story, 10 * SECOND, 8 * MINUTE);
	}
	story_busy_until(story, machine, at, HOUR);
}

static void pods_of_others(struct story *story)
{
	struct machine *machine = worker(story, WORKER_KUBERNETES, "kubelet");
	int64_t at = end_of_work(story, machine, SWEEP_WORKER_PATIENCE_S);

	machine_load(machine, (struct load){ .phase = { .since = at - DAY, .until = NEVER },
					     .cpu = story_between(story, 0.12, 0.6),
					     .memory = 0.4,
					     .net_bytes_s = 3e6,
					     .spread = 0.4 });
}

const struct story_plan STORIES_IDLE[] = {
	{ "host_idle", "its work ended", NULL, after_work, false, false },
	{ "host_idle", "after a short run", NULL, after_short_run, false, false },
	{ "host_idle", "after runs each half an hour", NULL, after_bursts, false, false },
	{ "host_idle", "on, and never used", NULL, never_used, false, false },
	{ "host_idle", "with many daemons", NULL, many_daemons, false, false },
	{ "host_idle", "its agent was updated meanwhile", NULL, agent_updated, false, false },
	{ "host_idle", "with small jobs of its system", NULL, small_jobs_of_system, false, false },
	{ "host_idle", "after many runs with pauses", NULL, after_many_runs, false, false },
	{ "worker_idle", "Slurm node", "host_idle", slurm_without_jobs, false, false },
	{ "worker_idle", "machine of AWS Batch", "host_idle", batch_without_jobs, false, false },
	{ "worker_idle", "Kubernetes node", "host_idle", node_without_pods, false, false },
	{ "worker_idle", "node of another scheduler", "host_idle", other_worker, false, false },
	{ "worker_idle", "added, and never used", "host_idle", worker_never_used, false, false },
	{ NULL, "host in bursts each 30 to 100 min", NULL, in_bursts, false, false },
	{ NULL, "host in bursts at random", NULL, in_irregular_bursts, false, false },
	{ NULL, "host with pauses between runs", NULL, short_pauses, false, false },
	{ NULL, "host busy with untracked work", NULL, serves_untracked, false, false },
	{ NULL, "host with an untracked transfer", NULL, transfers_untracked, false, false },
	{ NULL, "host with an untracked backup", NULL, saves_untracked, false, false },
	{ NULL, "head node, licence server: by design", NULL, idle_by_design, false, true },
	{ NULL, "exempted host", NULL, exempted, false, true },
	{ NULL, "agent went silent", NULL, agent_fell_silent, false, false },
	{ NULL, "agent came back after an hour", NULL, agent_came_back, false, false },
	{ NULL, "host turned off", NULL, turned_off, false, false },
	{ NULL, "host just started", NULL, just_started, false, false },
	{ NULL, "worker between jobs", NULL, between_jobs, false, false },
	{ NULL, "Kubernetes node with pods of others", NULL, pods_of_others, false, false },
	{ 0 },
};
