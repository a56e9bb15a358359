/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "story.h"

/* Shells and notebooks that someone left open. */

static struct site_session *add_session(struct story *story, struct machine *machine)
{
	struct site *site = story->site;

	assert(site->session_count < SITE_THINGS);
	struct site_session *session = &site->sessions[site->session_count++];

	*session = (struct site_session){
		.machine = machine,
		.until = NEVER,
		.facts = {
			.run_id = story_name(story, "session"),
			.host_id = machine->facts.id,
			.user = story_user(story),
			.command = "-bash",
			.labels = "{}",
			.started_at = site->since - story_time(story, 3 * HOUR, 3 * DAY),
			.memory_bytes = 6000000,
			.pid = 1000 + (int64_t)chance_below(&story->chance, 30000),
		},
	};
	return session;
}

/* Used at times, for the last time at the onset. */
static struct site_session *left_open(struct story *story, struct machine *machine)
{
	struct site_session *session = add_session(story, machine);
	int64_t at = story_onset(story, story_patience(story, SWEEP_SESSION_PATIENCE_S));

	session->facts.started_at = at - story_time(story, 20 * MINUTE, 2 * DAY);
	timeline_add(&session->used, (struct phase){ .since = session->facts.started_at,
						     .until = at,
						     .every = 20 * MINUTE,
						     .lasts = 3 * MINUTE,
						     .shift = 15 * MINUTE,
						     .seed = machine->seed });
	timeline_add(&session->used, (struct phase){ .since = at - MINUTE, .until = at });
	return session;
}

static struct machine *busy_host(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	story_busy_until(story, machine, story->site->until, 6 * HOUR);
	return machine;
}

static void shell_on_busy_host(struct story *story)
{
	left_open(story, busy_host(story));
}

static void notebook_with_memory(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));

	session->facts.notebook = true;
	session->facts.command = "jupyter-lab --no-browser";
	session->facts.memory_bytes = (int64_t)story_between(story, 2e9, 3e10);
}

static void shell_on_idle_host(struct story *story)
{
	struct machine *machine = story_machine(story, "host");

	left_open(story, machine);
	story_busy_until(story, machine, story->onset_at, HOUR);
}

static void shell_for_days(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));

	session->facts.command = "tmux: server";
	session->facts.started_at -= 9 * DAY;
	session->used.phases[0].since = session->facts.started_at;
}

static void opened_and_left(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));

	session->used.count = 0;
	session->facts.started_at = story->onset_at;
	session->machine->facts.nusd_hour = -1;
}

/* From here on: all is well. */

static void used_at_times(struct story *story)
{
	struct site_session *session = add_session(story, busy_host(story));

	timeline_add(&session->used, (struct phase){ .since = session->facts.started_at,
						     .until = NEVER,
						     .every = 40 * MINUTE,
						     .lasts = MINUTE,
						     .shift = 14 * MINUTE,
						     .seed = session->machine->seed });
}

static void used_at_random(struct story *story)
{
	struct site_session *session = add_session(story, busy_host(story));

	timeline_add(&session->used, (struct phase){ .since = session->facts.started_at,
						     .until = NEVER,
						     .every = 32 * MINUTE,
						     .lasts = 20 * SECOND,
						     .shift = 24 * MINUTE,
						     .seed = session->machine->seed });
}

static void lunch(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));
	int64_t back = story->onset_at + story_time(story, 35 * MINUTE, 52 * MINUTE);

	timeline_add(&session->used, (struct phase){ .since = back, .until = NEVER });
}

static void closed(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));

	session->until = story->onset_at + story_time(story, 0, 50 * MINUTE);
}

static void just_opened(struct story *story)
{
	struct site_session *session = add_session(story, busy_host(story));

	session->facts.started_at = story->site->until - story_time(story, MINUTE, 25 * MINUTE);
}

static void host_fell_silent(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));

	timeline_add(&session->machine->silent,
		     (struct phase){ .since = story->onset_at + 10 * MINUTE, .until = NEVER });
}

static void of_exempted_user(struct story *story)
{
	left_open(story, busy_host(story))->facts.user = "robot";
}

static void runs_something(struct story *story)
{
	struct site_session *session = left_open(story, busy_host(story));

	timeline_add(&session->used, (struct phase){ .since = story->onset_at, .until = NEVER });
}

const struct story_plan STORIES_SESSION[] = {
	{ "session_idle", "shell on a busy host", NULL, shell_on_busy_host, false, false },
	{ "session_idle", "notebook that holds memory", NULL, notebook_with_memory, false, false },
	{ "session_idle", "shell on an idle host", "host_idle", shell_on_idle_host, false, false },
	{ "session_idle", "open for days", NULL, shell_for_days, false, false },
	{ "session_idle", "opened, and never used", NULL, opened_and_left, false, false },
	{ NULL, "shell used each 40 min", NULL, used_at_times, false, false },
	{ NULL, "shell used at random", NULL, used_at_random, false, false },
	{ NULL, "shell at lunch", NULL, lunch, false, false },
	{ NULL, "shell closed", NULL, closed, false, false },
	{ NULL, "shell just opened", NULL, just_opened, false, false },
	{ NULL, "shell on a host that fell silent", NULL, host_fell_silent, false, false },
	{ NULL, "shell of an exempted user", NULL, of_exempted_user, false, true },
	{ NULL, "shell with a long command", NULL, runs_something, false, false },
	{ 0 },
};
