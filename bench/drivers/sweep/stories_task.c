/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "story.h"

/* Tasks that make no progress, and tasks that no engine waits for any more. */

static struct site_task *add_task(struct story *story, struct machine *machine, int64_t started_at)
{
	struct site *site = story->site;

	assert(site->task_count < SITE_THINGS);
	struct site_task *task = &site->tasks[site->task_count++];

	*task = (struct site_task){
		.machine = machine,
		.until = NEVER,
		.run_gone_at = NEVER,
		.lost_at = NEVER,
		.facts = {
			.id = story_name(story, "task"),
			.run_id = story_name(story, "run"),
			.host_id = machine->facts.id,
			.step = "ALIGN",
			.name = "ALIGN (sample_3)",
			.sample = "sample_3",
			.user = story_user(story),
			.engine = "nextflow",
			.labels = "{}",
			.run_name = "happy_darwin",
			.run_status = "running",
			.pipeline = "main.nf",
			.runtime = "",
			.pids = "812 813",
			.wait = "",
			.job_id = "",
			.container = "",
			.pid = 1000 + (int64_t)chance_below(&story->chance, 30000),
			.started_at = started_at,
			.stall = "",
			.cpus_requested = 4,
			.history = 3 + chance_below(&story->chance, 40),
			.wall_p95_s = story_between(story, 600, 7200),
			.wait_max_s = story_between(story, 5, 300),
			.nusd_hour = machine->facts.nusd_hour < 0 ? -1 : machine->facts.nusd_hour / 4,
		},
	};
	return task;
}

static struct machine *busy_host(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	story_busy_until(story, machine, story->site->until, 6 * HOUR);
	return machine;
}

/* After so long without progress a sweep has to know. */
static int64_t silence(const struct story *story, const struct site_task *task)
{
	int64_t patience = story_patience(story, SWEEP_STUCK_PATIENCE_S);
	int64_t usual = (int64_t)(task->facts.wait_max_s *
				  story->site->policy->thresholds[SWEEP_STUCK_FACTOR] * 1e9);

	return usual > patience ? usual : patience;
}

static struct site_task *stuck(struct story *story, const char *stall, double wait_max_s)
{
	struct machine *machine = busy_host(story);
	struct site_task *task = add_task(story, machine, 0);

	task->facts.wait_max_s = wait_max_s;
	int64_t at = story_onset(story, silence(story, task));

	task->facts.started_at = at - story_time(story, 2 * MINUTE, 5 * HOUR);
	task->facts.stall = stall;
	timeline_add(&task->progress,
		     (struct phase){ .since = task->facts.started_at, .until = at });
	return task;
}

static void waits_for_lock(struct story *story)
{
	stuck(story, "a lock", story_between(story, 1, 60));
}

static void waits_for_peer(struct story *story)
{
	stuck(story, "", story_between(story, 60, 400))->wakes_minute = 2;
}

static void waits_beyond_history(struct story *story)
{
	stuck(story, "a network file system", story_between(story, 1500, 4000));
}

static void waits_in_container(struct story *story)
{
	struct site_task *task = stuck(story, "a pipe", story_between(story, 1, 60));

	task->facts.container = "3f2a91";
	task->facts.nusd_hour = -1;
}

static void waits_without_history(struct story *story)
{
	struct site_task *task = stuck(story, "", 0);
	int64_t at = story_onset(story, story_patience(story, SWEEP_STUCK_UNKNOWN_S));

	task->facts.history = chance_below(&story->chance, 3);
	task->facts.wall_p95_s = 0;
	task->facts.started_at = at - HOUR;
	task->progress.phases[0] = (struct phase){ .since = at - HOUR, .until = at };
}

static void waits_in_job(struct story *story)
{
	stuck(story, "", story_between(story, 10, 60))->facts.job_id = "4711";
}

static struct site_task *left_behind(struct story *story)
{
	struct machine *machine = busy_host(story);
	int64_t at = story_onset(story, story_patience(story, SWEEP_ENGINE_PATIENCE_S));
	struct site_task *task =
		add_task(story, machine, at - story_time(story, 2 * MINUTE, 5 * HOUR));

	task->run_gone_at = at;
	timeline_add(&task->progress,
		     (struct phase){ .since = task->facts.started_at, .until = NEVER });
	return task;
}

static void engine_killed(struct story *story)
{
	left_behind(story);
}

static void engine_killed_job_goes_on(struct story *story)
{
	left_behind(story)->facts.job_id = "4712";
}

static void engine_killed_container(struct story *story)
{
	left_behind(story)->facts.container = "9c01ff";
}

static void engine_killed_task_waits(struct story *story)
{
	struct site_task *task = left_behind(story);

	task->progress.phases[0].until = story->onset_at - MINUTE;
	task->facts.wait_max_s = 6 * 3600;
}

static void engine_killed_price_unknown(struct story *story)
{
	struct site_task *task = left_behind(story);

	task->facts.engine = "snakemake";
	task->facts.nusd_hour = task->machine->facts.nusd_hour = -1;
}

/* From here on: all is well. */

static void goes_on(struct story *story, struct site_task *task, int64_t every, int64_t lasts)
{
	timeline_add(&task->progress, (struct phase){ .since = task->facts.started_at,
						      .until = NEVER,
						      .every = every,
						      .lasts = lasts,
						      .shift = (every - lasts) / 4,
						      .seed = task->machine->seed });
	(void)story;
}

static void downloads(struct story *story)
{
	struct site_task *task = add_task(story, busy_host(story), story->site->since - 5 * HOUR);

	goes_on(story, task, 20 * SECOND, SECOND);
}

static void slow_server(struct story *story)
{
	struct site_task *task = add_task(story, busy_host(story), story->site->since - 5 * HOUR);

	goes_on(story, task, 9 * MINUTE, 5 * SECOND);
}

static void waits_as_always(struct story *story)
{
	struct site_task *task = stuck(story, "", story_between(story, 5 * 3600, 10 * 3600));

	task->facts.started_at = story->site->since - 2 * HOUR;
	task->progress.phases[0] = (struct phase){ .since = task->facts.started_at,
						   .until = task->facts.started_at + 5 * MINUTE };
}

/* Longer than ever, by a third. */
static void waits_a_little_longer(struct story *story)
{
	struct site_task *task = stuck(story, "", story_between(story, 1200, 5000));
	int64_t lasts = (int64_t)(task->facts.wait_max_s * 1.33e9);

	timeline_add(&task->progress,
		     (struct phase){ .since = story->onset_at + lasts, .until = NEVER });
}

static void polls_a_job(struct story *story)
{
	struct site_task *task = stuck(story, "", story_between(story, 1800, 4000));

	/* A question each two minutes: a little CPU and network. */
	goes_on(story, task, 2 * MINUTE, 2 * SECOND);
}

static void records_lost(struct story *story)
{
	struct site_task *task = stuck(story, "", 20);

	task->lost_at = story->onset_at + MINUTE;
}

static void host_fell_silent(struct story *story)
{
	struct site_task *task = stuck(story, "a lock", 20);

	timeline_add(&task->machine->silent,
		     (struct phase){ .since = story->onset_at + 5 * MINUTE, .until = NEVER });
}

static void ends_soon(struct story *story)
{
	struct site_task *task = left_behind(story);

	task->until = story->onset_at + story_time(story, SECOND, 80 * SECOND);
}

static void ends_with_engine(struct story *story)
{
	struct site_task *task = stuck(story, "", 30);

	task->until = story->onset_at + story_time(story, MINUTE, 12 * MINUTE);
}

static void unknown_for_half_an_hour(struct story *story)
{
	struct site_task *task = stuck(story, "", 0);

	task->facts.history = 0;
	task->facts.wall_p95_s = 0;
	timeline_add(&task->progress,
		     (struct phase){ .since = story->onset_at +
					      story_time(story, 20 * MINUTE, 50 * MINUTE),
				     .until = NEVER });
}

const struct story_plan STORIES_TASK[] = {
	{ "task_stuck", "waits for a lock", NULL, waits_for_lock, false, false },
	{ "task_stuck", "waits for a peer that is gone", NULL, waits_for_peer, false, false },
	{ "task_stuck", "longer than ever before", NULL, waits_beyond_history, false, false },
	{ "task_stuck", "in a container", NULL, waits_in_container, false, false },
	{ "task_stuck", "step without a history", NULL, waits_without_history, false, false },
	{ "task_stuck", "Slurm job", NULL, waits_in_job, false, false },
	{ "engine_gone", "its task computes on", NULL, engine_killed, false, false },
	{ "engine_gone", "its Slurm job goes on", NULL, engine_killed_job_goes_on, false, false },
	{ "engine_gone", "its container goes on", NULL, engine_killed_container, false, false },
	{ "engine_gone", "its task waits", "task_stuck", engine_killed_task_waits, false, false },
	{ "engine_gone", "without a price", NULL, engine_killed_price_unknown, false, false },
	{ NULL, "task that downloads", NULL, downloads, false, false },
	{ NULL, "task with a slow server", NULL, slow_server, false, false },
	{ NULL, "step that always waits for hours", NULL, waits_as_always, false, false },
	{ NULL, "waits a third longer than ever", NULL, waits_a_little_longer, false, false },
	{ NULL, "task that polls a job elsewhere", NULL, polls_a_job, false, false },
	{ NULL, "task of which records were lost", NULL, records_lost, false, false },
	{ NULL, "task on a host that fell silent", NULL, host_fell_silent, false, false },
	{ NULL, "tasks that end with their engine", NULL, ends_soon, false, false },
	{ NULL, "task that waits and ends", NULL, ends_with_engine, false, false },
	{ NULL, "new step, silent for half an hour", NULL, unknown_for_half_an_hour, false, false },
	{ 0 },
};
