/* SPDX-License-Identifier: Apache-2.0 */
#include "story.h"

/* GPUs that are held and not busy. */

static struct machine_gpu *add_gpu(struct story *story, struct machine *machine)
{
	struct machine_gpu *gpu = &machine->gpus[machine->facts.gpu_count];

	gpu->facts = (struct sweep_gpu){
		.uuid = site_text(story->site, "s%05u-GPU-%zu", story->number,
				  machine->facts.gpu_count),
		.name = "NVIDIA A10G",
		.known = true,
		.reserved = true,
		.reserved_at = machine->booted_at,
		.run_id = story_name(story, "run"),
		.task_id = story_name(story, "task"),
		.work = "train_model",
		.user = story_user(story),
		.labels = "{}",
		.nusd_hour = machine->facts.nusd_hour < 0 ? -1 : machine->facts.nusd_hour / 2,
	};
	machine->facts.gpu_count++;
	return gpu;
}

/* Of a host that is busy with other things, until the end. */
static struct machine_gpu *of_busy_host(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	story_busy_until(story, machine, story->site->until, 6 * HOUR);
	return add_gpu(story, machine);
}

static void busy_until_onset(struct story *story, struct machine_gpu *gpu)
{
	int64_t at = story_onset(story, story_patience(story, SWEEP_GPU_PATIENCE_S));

	timeline_add(&gpu->busy, (struct phase){ .since = at - 6 * HOUR, .until = at });
}

static void held_by_notebook(struct story *story)
{
	struct machine_gpu *gpu = of_busy_host(story);

	gpu->facts.work = "jupyter-lab";
	busy_until_onset(story, gpu);
}

static void held_by_none(struct story *story)
{
	struct machine_gpu *gpu = of_busy_host(story);

	busy_until_onset(story, gpu);
	gpu->facts.reserved = false;
	gpu->facts.reserved_at = 0;
	gpu->facts.run_id = gpu->facts.task_id = gpu->facts.work = gpu->facts.user = "";
}

static void one_of_many(struct story *story)
{
	struct machine_gpu *gpu = of_busy_host(story);

	busy_until_onset(story, gpu);
	while (story->machine->facts.gpu_count < 4)
		timeline_add(&add_gpu(story, story->machine)->busy,
			     (struct phase){ .since = story->machine->booted_at, .until = NEVER });
}

static void never_busy(struct story *story)
{
	struct machine_gpu *gpu = of_busy_host(story);

	story->machine->booted_at = story_onset(story, story_patience(story, SWEEP_GPU_PATIENCE_S));
	story->machine->load_count = 0;
	story_busy(story, story->machine, story->onset_at, NEVER);
	gpu->facts.reserved_at = story->onset_at;
}

static void price_unknown(struct story *story)
{
	struct machine_gpu *gpu = of_busy_host(story);

	gpu->facts.name = "AMD Instinct MI300X";
	story->machine->facts.nusd_hour = gpu->facts.nusd_hour = -1;
	busy_until_onset(story, gpu);
}

/* From here on: all is well. */

static void busy_at_times(struct story *story, int64_t every, int64_t lasts)
{
	struct machine_gpu *gpu = of_busy_host(story);

	timeline_add(&gpu->busy, (struct phase){ .since = story->machine->booted_at,
						 .until = NEVER,
						 .every = every,
						 .lasts = lasts,
						 .shift = (every - lasts) / 2,
						 .seed = story->machine->seed });
}

static void loads_data(struct story *story)
{
	busy_at_times(story, story_time(story, 4 * MINUTE, 9 * MINUTE), MINUTE);
}

static void writes_checkpoints(struct story *story)
{
	busy_at_times(story, 30 * MINUTE, story_time(story, 21 * MINUTE, 25 * MINUTE));
}

static void answers_requests(struct story *story)
{
	busy_at_times(story, 9 * MINUTE, 10 * SECOND);
}

static void not_reported(struct story *story)
{
	of_busy_host(story)->facts.known = false;
	story->machine->gpus[0].unknown_since = 1;
}

static void driver_fell_silent(struct story *story)
{
	struct machine_gpu *gpu = of_busy_host(story);

	busy_until_onset(story, gpu);
	gpu->unknown_since = story->onset_at + 5 * MINUTE;
}

static void busy_always(struct story *story)
{
	busy_at_times(story, 2 * MINUTE, 100 * SECOND);
}

const struct story_plan STORIES_GPU[] = {
	{ "gpu_idle", "held by a notebook", NULL, held_by_notebook, false, false },
	{ "gpu_idle", "held by none", NULL, held_by_none, false, false },
	{ "gpu_idle", "one of four", NULL, one_of_many, false, false },
	{ "gpu_idle", "never busy", NULL, never_busy, false, false },
	{ "gpu_idle", "of a host without a price", NULL, price_unknown, false, false },
	{ NULL, "GPU waits for data", NULL, loads_data, false, false },
	{ NULL, "GPU waits for checkpoints", NULL, writes_checkpoints, false, false },
	{ NULL, "GPU that answers requests", NULL, answers_requests, false, false },
	{ NULL, "GPU of which nothing is reported", NULL, not_reported, false, false },
	{ NULL, "GPU's driver fell silent", NULL, driver_fell_silent, false, false },
	{ NULL, "GPU busy", NULL, busy_always, false, false },
	{ 0 },
};
