/* SPDX-License-Identifier: Apache-2.0 */
#include "site.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So often providers are asked for what they have. */
#define LISTED_EVERY (5 * MINUTE)
/* What was listed longer ago is not known any more: the lake leaves it out (waste_machines.sql). */
#define LISTED_KNOWN (2 * LISTED_EVERY + 20 * MINUTE)

struct site_shown {
	struct sweep_host hosts[SITE_THINGS];
	struct sweep_session sessions[SITE_THINGS];
	struct sweep_task tasks[SITE_THINGS];
	struct sweep_queue queues[SITE_THINGS];
	struct sweep_repeat repeats[SITE_THINGS];
	struct sweep_folder folders[SITE_THINGS];
	struct sweep_machine machines[SITE_THINGS];
	struct sweep_volume volumes[SITE_THINGS];
};

static void *memory(void *got)
{
	if (!got) {
		fputs("sweep_driver: no memory\n", stderr);
		exit(2);
	}
	return got;
}

struct site *site_new(int64_t since, int64_t until, const struct sweep_policy *policy)
{
	struct site *site = memory(calloc(1, sizeof(*site)));

	site->since = since;
	site->until = until;
	site->policy = policy;
	site->shown = memory(calloc(1, sizeof(*site->shown)));
	return site;
}

void site_free(struct site *site)
{
	for (unsigned i = 0; i < site->text_count; i++)
		free(site->texts[i]);
	for (unsigned i = 0; i < site->machine_count; i++)
		free(site->machines[i]);
	free(site->texts);
	free(site->shown);
	free(site);
}

const char *site_text(struct site *site, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	site->texts = memory(realloc(site->texts, (site->text_count + 1) * sizeof(*site->texts)));
	return site->texts[site->text_count++] = memory(text);
}

struct machine *site_machine(struct site *site)
{
	assert(site->machine_count < SITE_THINGS);
	struct machine *machine = memory(calloc(1, sizeof(*machine)));

	machine->gone_at = NEVER;
	site->machines[site->machine_count++] = machine;
	return machine;
}

void site_prepare(struct site *site)
{
	for (unsigned i = 0; i < site->machine_count; i++)
		machine_prepare(site->machines[i], site->since, site->until);
}

static void show_sessions(struct site *site, struct sweep_input *input)
{
	for (unsigned i = 0; i < site->session_count; i++) {
		const struct site_session *from = &site->sessions[i];
		struct sweep_session *shown = &site->shown->sessions[input->session_count];
		int64_t seen_at = machine_seen(from->machine, input->now_at);

		if (from->facts.started_at > seen_at || from->until <= seen_at)
			continue;
		*shown = from->facts;
		shown->known_until = seen_at;
		shown->used_until = timeline_last(&from->used, seen_at);
		if (shown->used_until < shown->started_at)
			shown->used_until = shown->started_at;
		input->session_count++;
	}
}

static void show_tasks(struct site *site, struct sweep_input *input)
{
	for (unsigned i = 0; i < site->task_count; i++) {
		const struct site_task *from = &site->tasks[i];
		struct sweep_task *shown = &site->shown->tasks[input->task_count];
		int64_t seen_at = machine_seen(from->machine, input->now_at);

		if (from->facts.started_at > seen_at || from->until <= seen_at)
			continue;
		*shown = from->facts;
		shown->known_until = seen_at;
		shown->progress_at = timeline_last(&from->progress, seen_at);
		if (shown->progress_at < shown->started_at)
			shown->progress_at = shown->started_at;
		shown->complete = from->lost_at > seen_at || from->lost_at < shown->progress_at;
		shown->wakes = (seen_at - shown->progress_at) / MINUTE * from->wakes_minute;
		if (from->run_gone_at <= seen_at) {
			shown->run_ended_at = from->run_gone_at;
			shown->run_status = "killed";
		}
		input->task_count++;
	}
}

static void show_work(struct site *site, struct sweep_input *input)
{
	for (unsigned i = 0; i < site->queue_count; i++) {
		const struct site_queue *from = &site->queues[i];

		if (from->facts.queued_at <= input->now_at && from->until > input->now_at)
			site->shown->queues[input->queue_count++] = from->facts;
	}
	for (unsigned i = 0; i < site->repeat_count; i++)
		if (site->repeats[i].facts.until_at <= input->now_at)
			site->shown->repeats[input->repeat_count++] = site->repeats[i].facts;
	for (unsigned i = 0; i < site->folder_count; i++) {
		const struct site_folder *from = &site->folders[i];
		struct sweep_folder *shown = &site->shown->folders[input->folder_count];

		if (from->facts.written_at > input->now_at || from->until <= input->now_at)
			continue;
		*shown = from->facts;
		shown->read_at = timeline_last(&from->reads, input->now_at);
		input->folder_count++;
	}
}

static void show_cloud(struct site *site, struct sweep_input *input)
{
	int64_t listed_at = input->now_at / LISTED_EVERY * LISTED_EVERY;

	for (unsigned i = 0; i < site->listed_count; i++) {
		const struct site_listed *from = &site->listed[i];
		struct sweep_machine *shown = &site->shown->machines[input->machine_count];

		if (from->facts.launched_at > listed_at || from->until <= listed_at ||
		    listed_at - LISTED_KNOWN >= from->unlisted_since)
			continue;
		*shown = from->facts;
		shown->listed_at =
			listed_at < from->unlisted_since ? listed_at : from->unlisted_since;
		shown->has_agent =
			timeline_last(&from->agent, input->now_at) > input->now_at - HOUR;
		input->machine_count++;
	}
	for (unsigned i = 0; i < site->volume_count; i++) {
		const struct site_volume *from = &site->volumes[i];
		struct sweep_volume *shown = &site->shown->volumes[input->volume_count];

		if (from->facts.created_at > listed_at || from->until <= listed_at)
			continue;
		*shown = from->facts;
		shown->listed_at = listed_at;
		if (from->detached_at <= listed_at) {
			/* Google says since when, of AWS the first listing does. */
			shown->attached_to = "";
			shown->detached_since = strcmp(from->facts.provider, "gcp") == 0
							? from->detached_at
							: (from->detached_at + LISTED_EVERY - 1) /
								  LISTED_EVERY * LISTED_EVERY;
		}
		input->volume_count++;
	}
}

struct sweep_input site_at(struct site *site, int64_t now_at)
{
	struct site_shown *shown = site->shown;
	struct sweep_input input = {
		.now_at = now_at,
		.policy = site->policy,
		.hosts = shown->hosts,
		.sessions = shown->sessions,
		.tasks = shown->tasks,
		.queues = shown->queues,
		.repeats = shown->repeats,
		.folders = shown->folders,
		.machines = shown->machines,
		.volumes = shown->volumes,
	};

	for (unsigned i = 0; i < site->machine_count; i++)
		if (site->machines[i]->booted_at <= now_at)
			shown->hosts[input.host_count++] = machine_at(site->machines[i], now_at);
	show_sessions(site, &input);
	show_tasks(site, &input);
	show_work(site, &input);
	show_cloud(site, &input);
	return input;
}
