/* SPDX-License-Identifier: Apache-2.0 */
#include "story.h"

/* Hosts that are used, and larger or more expensive than their work needs. */

/* Work at so many percent, since the onset and on. */
static struct machine *low_since_onset(struct story *story, double cpu)
{
	struct machine *machine = story_machine(story, "host");
	int64_t at = story_onset(story, story_patience(story, SWEEP_LOW_PATIENCE_S));

	if (machine->facts.cpus < 16)
		story_resize(machine, 16); /* a single thread of 8 CPUs is 12 % */
	machine_load(machine, (struct load){ .phase = { .since = at, .until = NEVER },
					     .tracked = true,
					     .cpu = cpu,
					     .memory = story_between(story, 0.02, 0.2),
					     .disk_bytes_s = 1e5,
					     .net_bytes_s = 5e4,
					     .spread = 0.4 });
	return machine;
}

static void tail_of_run(struct story *story)
{
	struct machine *machine = low_since_onset(story, 0.01);

	story_resize(machine, 96);
	story_busy_until(story, machine, story->onset_at, 2 * HOUR);
}

static void waiting_engine(struct story *story)
{
	struct machine *machine = low_since_onset(story, story_between(story, 0.004, 0.02));

	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void since_start(struct story *story)
{
	struct machine *machine = low_since_onset(story, story_between(story, 0.01, 0.025));

	machine->booted_at = story->onset_at;
}

static void with_small_peaks(struct story *story)
{
	struct machine *machine = low_since_onset(story, story_between(story, 0.005, 0.015));

	machine_load(machine,
		     (struct load){ .phase = { .since = story->onset_at,
					       .until = NEVER,
					       .every = 30 * MINUTE,
					       .lasts = story_time(story, 20 * SECOND, 2 * MINUTE),
					       .shift = 10 * MINUTE },
				    .tracked = true,
				    .cpu = story_between(story, 0.05, 0.11) });
	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void slow_download(struct story *story)
{
	struct machine *machine = low_since_onset(story, 0.008);

	machine->base_net_bytes_s += story_between(story, 1e5, 4e5);
	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

/* Used so in each period, from when the hours with use suffice until they do. */
static struct machine *small_work(struct story *story, double cpu, double memory, int64_t every,
				  int64_t lasts)
{
	struct machine *machine = story_machine(story, "host");
	int64_t hours = (int64_t)story->site->policy->thresholds[SWEEP_SIZE_HOURS];
	int64_t each = (lasts + HOUR - 1) / HOUR;
	int64_t needed =
		every ? (hours - 1) / each * every + ((hours - 1) % each + 1) * HOUR : hours * HOUR;

	if (machine->facts.cpus < 8)
		story_resize(machine, 8); /* what its system does each day is a quarter of 4 CPUs */
	story_onset(story, needed);
	/* At a full hour: the hours are those of the clock. */
	story->onset_at = story->onset_at / HOUR * HOUR;
	story->due_at = story->onset_at + needed;
	story->early = HOUR;
	if (story->due_at < story->site->since + 5 * MINUTE) {
		story->onset_at += HOUR;
		story->due_at += HOUR;
	}
	machine->booted_at = story->onset_at - 2 * MINUTE;
	machine_load(machine, (struct load){ .phase = { .since = story->onset_at,
							.until = NEVER,
							.every = every,
							.lasts = lasts },
					     .tracked = true,
					     .cpu = cpu,
					     .memory = memory,
					     .disk_bytes_s = 5e6,
					     .net_bytes_s = 1e6,
					     .spread = 0.25 });
	if (machine->facts.provider[0]) {
		machine->facts.smaller_type = "m6i.large";
		machine->facts.smaller_nusd_hour =
			machine->facts.nusd_hour < 0 ? -1 : machine->facts.nusd_hour / 2;
		machine->facts.smaller_cpus = machine->facts.cpus / 2;
		machine->facts.smaller_memory_bytes = machine->facts.memory_bytes / 2;
	}
	return machine;
}

static void work_all_day(struct story *story)
{
	small_work(story, story_between(story, 0.12, 0.28), story_between(story, 0.05, 0.3), 0, 0);
}

static void work_by_day(struct story *story)
{
	small_work(story, story_between(story, 0.12, 0.28), story_between(story, 0.05, 0.3), DAY,
		   9 * HOUR);
}

static void work_by_night(struct story *story)
{
	small_work(story, story_between(story, 0.2, 0.28), 0.2, DAY, 4 * HOUR);
}

static void half_of_memory(struct story *story)
{
	small_work(story, 0.26, story_between(story, 0.2, 0.32), 0, 0);
}

static void on_premises(struct story *story)
{
	struct machine *machine = small_work(story, 0.23, 0.2, 0, 0);

	machine->facts.provider = machine->facts.region = machine->facts.instance_type =
		machine->facts.instance_id = machine->facts.purchase = "";
	machine->facts.smaller_type = NULL;
	machine->facts.smaller_nusd_hour = -1;
	machine->facts.smaller_cpus = 0;
	machine->facts.smaller_memory_bytes = 0;
}

/* Tasks that would have survived an interruption, on a machine that is bought by the hour. */
static struct machine *bought(struct story *story, int64_t since)
{
	struct machine *machine = story_machine(story, "host");

	machine->facts.provider = story_chance(story, 0.5) ? "aws" : "gcp";
	machine->facts.region = "eu-west-1";
	machine->facts.instance_type = "m6i.4xlarge";
	machine->facts.instance_id = story_name(story, "i-0abc");
	machine->facts.purchase = "on_demand";
	machine->facts.nusd_hour = (int64_t)(machine->facts.cpus * 48e6);
	machine->facts.spot_nusd_hour =
		(int64_t)((double)machine->facts.nusd_hour * story_between(story, 0.25, 0.6));
	machine->facts.worker = WORKER_ECS;
	machine->facts.worker_name = "AWS Batch, queue q";
	machine->facts.tasks_ended = 5 + chance_below(&story->chance, 400);
	machine->facts.tasks_restartable = machine->facts.tasks_ended;
	machine->facts.task_p95_s = story_between(story, 200, 4500);
	machine->booted_at = since - MINUTE;
	return machine;
}

static void restartable(struct story *story, int64_t every, int64_t lasts)
{
	int64_t hours = (int64_t)story->site->policy->thresholds[SWEEP_SPOT_HOURS];
	int64_t needed = every ? (hours * HOUR / lasts - 1) * every + lasts : hours * HOUR;

	story_onset(story, needed);
	story->onset_at = story->onset_at / HOUR * HOUR;
	story->due_at = story->onset_at + needed;
	story->early = HOUR;
	if (story->due_at < story->site->since + 5 * MINUTE) {
		story->onset_at += HOUR;
		story->due_at += HOUR;
	}
	struct machine *machine = bought(story, story->onset_at);

	machine_load(machine, (struct load){ .phase = { .since = story->onset_at,
							.until = NEVER,
							.every = every,
							.lasts = lasts },
					     .tracked = true,
					     .cpu = story_between(story, 0.62, 0.9),
					     .memory = story_between(story, 0.3, 0.7),
					     .spread = 0.1 });
	timeline_add(&machine->jobs, machine->loads[0].phase);
}

static void restartable_all_day(struct story *story)
{
	restartable(story, 0, 0);
}

static void restartable_in_parts(struct story *story)
{
	restartable(story, 2 * HOUR + 8 * MINUTE, 2 * HOUR);
}

static void restartable_short_tasks(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.task_p95_s = story_between(story, 5, 60);
}

static void restartable_slurm(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.worker = WORKER_SLURM;
	story->machine->facts.worker_name = "slurmd";
	story->machine->facts.node = story->machine->facts.hostname;
}

static void restartable_alone(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.worker = WORKER_NONE;
	story->machine->facts.worker_name = "";
}

/* From here on: all is well. */

static void needs_memory(struct story *story)
{
	struct machine *machine = low_since_onset(story, story_between(story, 0.01, 0.04));

	machine->loads[0].memory = story_between(story, 0.6, 0.85);
	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void low_with_bursts(struct story *story)
{
	struct machine *machine = low_since_onset(story, 0.01);

	machine_load(machine, (struct load){ .phase = { .since = story->onset_at,
							.until = NEVER,
							.every = 40 * MINUTE,
							.lasts = 2 * MINUTE,
							.shift = 20 * MINUTE },
					     .tracked = true,
					     .cpu = story_between(story, 0.5, 0.9) });
	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void at_a_tenth(struct story *story)
{
	struct machine *machine = low_since_onset(story, story_between(story, 0.08, 0.14));

	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void low_for_an_hour(struct story *story)
{
	struct machine *machine = low_since_onset(story, 0.01);

	machine->loads[0].phase.until =
		story->onset_at + story_time(story, 30 * MINUTE, 100 * MINUTE);
	story_busy(story, machine, machine->loads[0].phase.until, NEVER);
	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void large_download(struct story *story)
{
	struct machine *machine = low_since_onset(story, 0.02);

	machine->loads[0].net_bytes_s = machine->loads[0].disk_bytes_s =
		story_between(story, 8e6, 2e8);
	story_busy_until(story, machine, story->onset_at, 20 * MINUTE);
}

static void one_large_hour(struct story *story)
{
	struct machine *machine = small_work(story, 0.2, 0.2, 0, 0);

	story_busy(story, machine, story->onset_at + 5 * HOUR,
		   story->onset_at + 5 * HOUR + story_time(story, 4 * MINUTE, 50 * MINUTE));
}

static void most_of_memory(struct story *story)
{
	small_work(story, 0.2, story_between(story, 0.6, 0.8), 0, 0);
}

static void small_for_some_hours(struct story *story)
{
	struct machine *machine = small_work(story, 0.2, 0.2, 0, 0);

	machine->booted_at = story->site->since - story_time(story, 2 * HOUR, 10 * HOUR);
	machine->loads[0].phase.since = machine->booted_at + MINUTE;
}

static void spot_already(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.purchase = "spot";
}

static void with_its_engine(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.runs_engine = true;
	story->machine->facts.worker = WORKER_NONE;
}

static void tasks_of_many_hours(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.tasks_ended = story->machine->facts.tasks_restartable = 4;
	story->machine->facts.task_p95_s = story_between(story, 5 * 3600, 20 * 3600);
}

static void tasks_not_repeated(struct story *story)
{
	restartable(story, 0, 0);
	story->machine->facts.tasks_restartable =
		story->machine->facts.tasks_ended * chance_below(&story->chance, 90) / 100;
}

const struct story_plan STORIES_LOW[] = {
	{ "host_low", "last task of a run on 96 CPUs", "host_oversized", tail_of_run, false,
	  false },
	{ "host_low", "engine that waits", "host_oversized", waiting_engine, false, false },
	{ "host_low", "since it was started", "host_oversized", since_start, false, false },
	{ "host_low", "with small peaks", "host_oversized", with_small_peaks, false, false },
	{ "host_low", "slow download", "host_oversized", slow_download, false, false },
	{ "host_oversized", "all day", NULL, work_all_day, false, false },
	{ "host_oversized", "by day", "host_idle", work_by_day, false, false },
	{ "host_oversized", "by night", "host_idle", work_by_night, false, false },
	{ "host_oversized", "nearly half of its memory", NULL, half_of_memory, false, false },
	{ "host_oversized", "on premises", NULL, on_premises, false, false },
	{ "spot_unused", "AWS Batch", NULL, restartable_all_day, false, false },
	{ "spot_unused", "with pauses", NULL, restartable_in_parts, false, false },
	{ "spot_unused", "short tasks", NULL, restartable_short_tasks, false, false },
	{ "spot_unused", "Slurm node", NULL, restartable_slurm, false, false },
	{ "spot_unused", "host without scheduler", NULL, restartable_alone, false, false },
	{ NULL, "little CPU, much memory", NULL, needs_memory, false, false },
	{ NULL, "low, with bursts", NULL, low_with_bursts, false, false },
	{ NULL, "at a tenth of its CPUs", NULL, at_a_tenth, false, false },
	{ NULL, "low for an hour", NULL, low_for_an_hour, false, false },
	{ NULL, "download at the line's rate", NULL, large_download, false, false },
	{ NULL, "half a host, and once all of it", NULL, one_large_hour, false, false },
	{ NULL, "little CPU for a day, much memory", NULL, most_of_memory, false, false },
	{ NULL, "half a host, for some hours", NULL, small_for_some_hours, false, false },
	{ NULL, "spot already", NULL, spot_already, false, false },
	{ NULL, "host with its engine", NULL, with_its_engine, false, false },
	{ NULL, "tasks of many hours", NULL, tasks_of_many_hours, false, false },
	{ NULL, "tasks that no one would repeat", NULL, tasks_not_repeated, false, false },
	{ 0 },
};
