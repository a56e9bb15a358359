/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "story.h"

/* Work that is done again, and files that no one reads. */

static struct site_repeat *done_again(struct story *story, int64_t until_at)
{
	struct site *site = story->site;

	assert(site->repeat_count < SITE_THINGS);
	struct site_repeat *repeat = &site->repeats[site->repeat_count++];
	double wall_s = story_between(story, 200, 20000);

	repeat->facts = (struct sweep_repeat){
		.id = story_name(story, "repeat"),
		.step = "ALIGN",
		.tool = "bwa mem",
		.version = "0.7.17",
		.first_run_id = story_name(story, "run-1"),
		.first_run = "happy_darwin",
		.first_user = "ann",
		.first_ended_at = until_at - story_time(story, 6 * HOUR, 9 * DAY),
		.run_id = story_name(story, "run-2"),
		.run_name = "sad_turing",
		.task_id = story_name(story, "task"),
		.users = "ann",
		.tasks = 1,
		.inputs = 3,
		.input_bytes = UINT64_C(40) << 30,
		.same_files = true,
		.same_outputs = true,
		.since_at = until_at,
		.until_at = until_at,
		.wasted_nusd = (int64_t)(wall_s / 3600 * 4e8),
		.wall_s = wall_s,
		.engine = "nextflow",
		.command = "nextflow run main.nf",
		.pipeline = "main.nf",
		.labels = "{}",
		.folder = "/home/ann",
	};
	return repeat;
}

static void without_resume(struct story *story)
{
	done_again(story, story_onset(story, 0));
}

static void by_another_user(struct story *story)
{
	done_again(story, story_onset(story, 0))->facts.users = "bob";
}

static void of_copies(struct story *story)
{
	done_again(story, story_onset(story, 0))->facts.same_files = false;
}

static void many_tasks(struct story *story)
{
	struct site_repeat *repeat = done_again(story, story_onset(story, 0));

	repeat->facts.tasks = 96;
	repeat->facts.wall_s *= 96;
	repeat->facts.wasted_nusd *= 96;
	repeat->facts.since_at -= 5 * HOUR;
}

static void cost_unknown(struct story *story)
{
	struct site_repeat *repeat = done_again(story, story_onset(story, 0));

	repeat->facts.wasted_nusd = -1;
	repeat->facts.engine = "snakemake";
	repeat->facts.command = "snakemake --cores 8";
}

static struct site_folder *add_folder(struct story *story, const char *path, bool scratch,
				      int64_t written_at)
{
	struct site *site = story->site;
	struct machine *machine = story_machine(story, "host");

	story_busy_until(story, machine, site->until, 6 * HOUR);
	assert(site->folder_count < SITE_THINGS);
	struct site_folder *folder = &site->folders[site->folder_count++];

	*folder = (struct site_folder){
		.until = NEVER,
		.facts = {
			.host_id = machine->facts.id,
			.path = site_text(site, "/data/s%05u-%s", story->number, path),
			.user = story_user(story),
			.run_id = story_name(story, "run"),
			.run_name = "happy_darwin",
			.pipeline = "main.nf",
			.labels = "{}",
			.files = 1 + chance_below(&story->chance, 5000),
			.bytes = (uint64_t)story_between(story, 5e9, 3e12),
			.written_at = written_at,
			.known_since = written_at - story_time(story, HOUR, 20 * DAY),
			.scratch = scratch,
		},
	};
	return folder;
}

static int64_t unread_since(struct story *story, bool scratch)
{
	return story_onset(story, story_patience(story, scratch ? SWEEP_UNREAD_SCRATCH_S
								: SWEEP_UNREAD_PATIENCE_S));
}

static void work_folder(struct story *story)
{
	add_folder(story, "work", true, unread_since(story, true));
}

static void temporary_files(struct story *story)
{
	add_folder(story, "tmp", true, unread_since(story, true))->facts.files = 1;
}

static void results(struct story *story)
{
	add_folder(story, "results", false, unread_since(story, false));
}

static void results_written_over(struct story *story)
{
	struct site_folder *folder =
		add_folder(story, "results", false, unread_since(story, false));

	timeline_add(&folder->reads, (struct phase){ .since = story->onset_at - 3 * DAY,
						     .until = story->onset_at - 2 * DAY });
}

static void work_folder_of_days(struct story *story)
{
	struct site_folder *folder = add_folder(story, "nxf-work", true, unread_since(story, true));

	folder->facts.files = 200000;
	folder->facts.bytes = (uint64_t)story_between(story, 2e9, 6e9);
}

/* From here on: all is well. */

static void short_repeat(struct story *story)
{
	struct site_repeat *repeat = done_again(story, story_onset(story, 0));

	repeat->facts.wall_s = story_between(story, 1, 40);
	repeat->facts.wasted_nusd = 1000;
}

static void read_since(struct story *story)
{
	struct site_folder *folder = add_folder(story, "work", true, unread_since(story, true));

	timeline_add(&folder->reads, (struct phase){ .since = story->onset_at +
							      story_time(story, MINUTE, 40 * HOUR),
						     .until = NEVER });
}

static void results_of_days(struct story *story)
{
	add_folder(story, "results", false,
		   story->site->until - story_time(story, 3 * DAY, 6 * DAY + 12 * HOUR));
}

static void small_files(struct story *story)
{
	add_folder(story, "work", true, unread_since(story, true))->facts.bytes =
		(uint64_t)story_between(story, 1e4, 5e8);
}

static void removed(struct story *story)
{
	struct site_folder *folder = add_folder(story, "work", true, unread_since(story, true));

	folder->until = story->onset_at + story_time(story, HOUR, 40 * HOUR);
}

static void not_watched(struct story *story)
{
	struct site_folder *folder = add_folder(story, "work", true, unread_since(story, true));

	folder->facts.known_since = story->onset_at + story_time(story, HOUR, 40 * HOUR);
}

static void just_written(struct story *story)
{
	add_folder(story, "work", true, story->site->since - story_time(story, 0, DAY));
}

const struct story_plan STORIES_KEPT[] = {
	{ "work_repeated", "run again without -resume", NULL, without_resume, false, false },
	{ "work_repeated", "by another user", NULL, by_another_user, false, false },
	{ "work_repeated", "with copies of the files", NULL, of_copies, false, false },
	{ "work_repeated", "many tasks", NULL, many_tasks, false, false },
	{ "work_repeated", "without a price", NULL, cost_unknown, false, false },
	{ "files_unread", "work folder", NULL, work_folder, false, false },
	{ "files_unread", "one temporary file", NULL, temporary_files, false, false },
	{ "files_unread", "results", NULL, results, false, false },
	{ "files_unread", "results, read before the last write", NULL, results_written_over, false,
	  false },
	{ "files_unread", "work folder with many files", NULL, work_folder_of_days, false, false },
	{ NULL, "seconds of work done again", NULL, short_repeat, false, false },
	{ NULL, "work folder read since", NULL, read_since, false, false },
	{ NULL, "results of this week", NULL, results_of_days, false, false },
	{ NULL, "small files", NULL, small_files, false, false },
	{ NULL, "files removed", NULL, removed, false, false },
	{ NULL, "files that may have been read", NULL, not_watched, false, false },
	{ NULL, "work folder of today", NULL, just_written, false, false },
	{ 0 },
};
